//! The list under a field, and the sentences in it. It is built without leptos: with leptos, it would share code with charts,
//! and the build would split the code of both into more files.

use super::{
    Scope,
    choice::{Choice, Kind},
    lookups::SEARCHED,
    ranked::Shown,
};
use crate::{browser::all, islands::fetch::Loading, links};
use domain::{OverviewQuery, Words, folded};
use leptos::prelude::document;
use std::{cell::RefCell, sync::Arc};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    Element, HtmlElement, HtmlInputElement, ScrollIntoViewOptions, ScrollLogicalPosition,
};

/// The list of a field. The field keeps the focus; the active suggestion is marked.
pub(super) struct View {
    pub(super) root: HtmlElement,
    input: HtmlInputElement,
    list: Element,
    status: Element,
    listed: RefCell<Arc<Vec<Choice>>>,
}

impl View {
    /// Adds an empty list within `around`, which contains the field.
    pub(super) fn new(input: HtmlInputElement, around: &Element) -> Result<Self, JsValue> {
        let root: HtmlElement = element("div")?.unchecked_into();
        root.set_class_name("suggestions");
        let list = element("div")?;
        list.set_id(&format!("suggestions-{}", input.name()));
        let status = element("p")?;
        // Not hidden: many screen readers announce only regions that were there before their text.
        status.set_class_name("unseen");
        for (of, name, value) in [
            (&list, "role", "listbox"),
            (&list, "aria-label", "Suggestions"),
            (&status, "role", "status"),
            (&*input, "role", "combobox"),
            (&*input, "aria-autocomplete", "list"),
            (&*input, "aria-controls", &list.id()),
            (&*input, "aria-expanded", "false"),
        ] {
            of.set_attribute(name, value)?;
        }
        root.append_with_node_2(&list, &status)?;
        around.append_child(&root)?;
        Ok(Self {
            root,
            input,
            list,
            status,
            listed: RefCell::default(),
        })
    }

    pub(super) fn show(&self, shown: &Shown) -> Result<(), JsValue> {
        if !Arc::ptr_eq(&shown.choices, &self.listed.borrow()) {
            self.list.set_text_content(None);
            let words = Words::of(&self.input.value());
            for (index, choice) in (0..).zip(shown.choices.iter()) {
                let option = option(&self.id(index), choice, &words)?;
                self.list.append_child(&option)?;
            }
            self.listed.replace(shown.choices.clone());
        }
        self.mark(shown.active)?;
        let is_open = !shown.choices.is_empty();
        self.input
            .set_attribute("aria-expanded", &is_open.to_string())?;
        self.status.set_text_content(Some(&shown.status));
        self.status.set_class_name(if shown.is_status_visible {
            "muted small"
        } else {
            "unseen"
        });
        Ok(())
    }

    fn mark(&self, active: Option<usize>) -> Result<(), JsValue> {
        for (index, option) in all(&self.list, "[role=option]").enumerate() {
            let is_active = active == Some(index);
            option.set_attribute("aria-selected", &is_active.to_string())?;
            if is_active {
                let scroll = ScrollIntoViewOptions::new();
                scroll.set_block(ScrollLogicalPosition::Nearest);
                option.scroll_into_view_with_scroll_into_view_options(&scroll);
            }
        }
        match active {
            Some(index) => self
                .input
                .set_attribute("aria-activedescendant", &self.id(index)),
            None => self.input.remove_attribute("aria-activedescendant"),
        }
    }

    pub(super) fn index_at(&self, element: &Element) -> Option<usize> {
        let option = element.closest("[role=option]").ok()??;
        let count = self.listed.borrow().len();
        (0..count).find(|index| self.id(*index) == option.id())
    }

    fn id(&self, index: usize) -> String {
        format!("{}-{index}", self.list.id())
    }
}

fn option(id: &str, choice: &Choice, words: &Words) -> Result<Element, JsValue> {
    let (option, text, kind) = (element("a")?, element("bdi")?, element("span")?);
    for (name, value) in [
        ("role", "option"),
        ("id", id),
        ("href", &choice.href),
        ("tabindex", "-1"),
    ] {
        option.set_attribute(name, value)?;
    }
    let (own, of) = match choice.text.rfind(" · ") {
        Some(end) => choice.text.split_at(end),
        None => (&*choice.text, ""),
    };
    let place = element("span")?;
    place.set_class_name("of");
    place.set_text_content(Some(of));
    append_marked(&text, own, words)?;
    text.append_child(&place)?;
    kind.set_text_content(Some(choice.kind.label()));
    kind.set_class_name("kind");
    option.append_with_node_2(&text, &kind)?;
    Ok(option)
}

/// Appends a text with marks around the words in it.
fn append_marked(to: &Element, text: &str, words: &Words) -> Result<(), JsValue> {
    let folded = folded(text);
    let mut rest = 0;
    // Lower case may have another length, so that places would differ.
    while folded.len() == text.len() {
        let next = words.iter().filter_map(|word| {
            let at = rest + folded.get(rest..)?.find(word)?;
            Some((at, at + word.len()))
        });
        let Some((at, end)) = next.min() else { break };
        let (Some(before), Some(found)) = (text.get(rest..at), text.get(at..end)) else {
            break;
        };
        let mark = element("mark")?;
        mark.set_text_content(Some(found));
        to.append_with_str_1(before)?;
        to.append_with_node_1(&mark)?;
        rest = end;
    }
    to.append_with_str_1(text.get(rest..).unwrap_or_default())
}

fn element(name: &str) -> Result<Element, JsValue> {
    document().create_element(name)
}

/// A sentence about `count` suggestions, and whether it is visible. `states` are the states of the requests.
pub(super) fn status(
    scope: Scope,
    states: [Loading; 2],
    count: usize,
    text: &str,
) -> (String, bool) {
    let text = text.trim();
    let sentence = match count {
        _ if states.contains(&Loading::Failed) => {
            "The server did not answer, so something may be missing. Type to try again, or reload the page."
        }
        _ if text.len() > *SEARCHED.end() => {
            "The text is too long to find branches, commits, pull requests, files, authors and owners."
        }
        _ if text.is_empty() && scope != Scope::Pages => return (String::new(), false),
        0 if text.is_empty() => return (String::new(), false),
        0 if states.contains(&Loading::UnderWay) => "Searching…",
        0 => "Nothing found.",
        1 => return ("1 suggestion".to_owned(), false),
        count => return (format!("{count} suggestions"), false),
    };
    (sentence.to_owned(), true)
}

/// The overview with the repositories that contain `text`.
pub(super) fn on_overview(text: &str) -> Choice {
    let query = OverviewQuery {
        keyword: text.trim().to_owned(),
        ..OverviewQuery::default()
    };
    let text = format!("Repositories with “{}”", query.keyword);
    Choice::new(Kind::Overview, text, links::overview(&query))
}
