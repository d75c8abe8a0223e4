//! Parts of a page whose links fetch other rows. What listens is small and on every page; what renders rows is loaded when
//! such a link is pointed at.

mod rows;

use super::{host, listening::Listening};
use leptos::{mount::mount_to, prelude::*};
use std::{
    any::Any,
    cell::{Cell, RefCell},
    rc::Rc,
};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, Event, FocusOptions, HtmlElement, MouseEvent, Url, UrlSearchParams};

/// A part of a page.
pub(super) struct Part {
    /// The element that contains it.
    root: HtmlElement,
    /// The settings that it is rendered with, as JSON.
    settings: String,
    /// The number of the latest choice in it.
    choice: Cell<u32>,
    /// Ends what the browser rendered.
    rendered: RefCell<Option<Box<dyn Any>>>,
}

/// What a part shows.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// The repositories of the overview.
    Repositories,
    /// The records of a branch.
    History,
    /// The branches of a repository.
    Branches,
    /// The records of an author.
    AuthorRecords,
    /// The repositories with HTML reports.
    StoredRepositories,
}

impl Kind {
    /// Selects the links that fetch rows.
    fn links(self) -> &'static str {
        match self {
            // By name, the page has more above the list, so such a link leads to another page.
            Self::Repositories => "a[data-sort]:not([data-sort=\"name\"])",
            _ => "a[data-place]",
        }
    }
}

thread_local! {
    /// Counts the choices and the requested pages: the answer to an earlier choice is not shown.
    static CHOICE: Cell<u32> = const { Cell::new(0) };
}

/// Drops the choice on its way: the reader wants something else now.
pub(super) fn drop_choice() {
    CHOICE.set(CHOICE.get().wrapping_add(1));
}

/// Makes the links in `root` show what they lead to. The result ends that when it is dropped.
pub(super) fn start(root: HtmlElement, settings: String, kind: Kind) -> Box<dyn Any> {
    let part = Rc::new(Part {
        root: root.clone(),
        settings,
        choice: Cell::default(),
        rendered: RefCell::default(),
    });
    let mut listening = Listening::to(root);
    for event in ["pointerover", "focusin"] {
        let pointed_at = move |event: Event| {
            if link_at(&event, kind).is_some() {
                // If the code cannot be loaded now, the choice tries again.
                spawn_local(async { drop(rows::preload().await) });
            }
        };
        listening.add(event, Box::new(pointed_at));
    }
    let clicked = move |event: Event| clicked(&part, &event, kind);
    listening.add("click", Box::new(clicked));
    Box::new(listening)
}

/// The link at which an event happened.
fn link_at(event: &Event, kind: Kind) -> Option<Element> {
    let target: Element = event.target()?.dyn_into().ok()?;
    target.closest(kind.links()).ok()?
}

fn clicked(part: &Rc<Part>, event: &Event, kind: Kind) {
    let is_plain = event.dyn_ref::<MouseEvent>().is_some_and(|event| {
        let has_key = event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key();
        event.button() == 0 && !has_key && !event.default_prevented()
    });
    let link = link_at(event, kind).filter(|_| is_plain);
    let Some(href) = link.and_then(|link| link.get_attribute("href")) else {
        return;
    };
    event.prevent_default();
    drop_choice();
    let choice = CHOICE.get();
    part.choice.set(choice);
    // An attribute with a name can be set.
    let _ = part.root.set_attribute("aria-busy", "true");
    let part = part.clone();
    spawn_local(async move {
        match rows::show(kind, part.clone(), href.clone(), choice).await {
            Ok(shown) => shown.await,
            // The page behind the link has the same rows.
            Err(_) => {
                part.no_longer_busy(choice);
                if part.waits_for(choice) {
                    host::open(&href);
                }
            }
        }
    });
}

/// The parameters of an address on this page.
pub(super) fn parameters(href: &str) -> Option<UrlSearchParams> {
    let here = window().location().href().ok()?;
    Some(Url::new_with_base(href, &here).ok()?.search_params())
}

/// All values of a parameter.
pub(super) fn all_values(parameters: &UrlSearchParams, name: &str) -> Vec<String> {
    let values = parameters.get_all(name);
    values
        .iter()
        .filter_map(|value| value.as_string())
        .collect()
}

impl Part {
    /// The settings that it is rendered with, as JSON.
    pub(super) fn settings(&self) -> &str {
        &self.settings
    }

    /// Shows the rows that were fetched for the link to `href`. If there are none, the browser goes to the link, which says why.
    pub(super) async fn show<Rows>(
        &self,
        href: &str,
        choice: u32,
        rows: impl Future<Output = Option<Rows>>,
        render: impl FnOnce(Rows),
    ) {
        let rows = rows.await;
        self.no_longer_busy(choice);
        if !self.waits_for(choice) {
            return;
        }
        match rows {
            Some(rows) => {
                // Before the rows are replaced: it saves which link was chosen, and where the page was scrolled to.
                host::push(href.split('#').next().unwrap_or_default());
                render(rows);
            }
            None => host::open(href),
        }
    }

    /// Whether it still waits for this choice.
    fn waits_for(&self, choice: u32) -> bool {
        choice == CHOICE.get() && self.root.is_connected()
    }

    /// Ends the wait of this choice, unless a later one waits.
    fn no_longer_busy(&self, choice: u32) {
        if self.choice.get() == choice {
            // The attribute was set with the choice.
            let _ = self.root.remove_attribute("aria-busy");
        }
    }

    /// Renders the part again, and announces that. If the focus was in it, it moves to what `focus` selects.
    pub(super) fn replace<V>(
        &self,
        view: impl FnOnce() -> V + 'static,
        focus: impl FnOnce(&Element) -> String,
        announcement: &str,
    ) where
        V: IntoView,
        V::State: 'static,
    {
        let root = &self.root;
        let focused = document().active_element();
        let focused = focused.filter(|focused| root.contains(Some(focused)));
        let same = focused.map(|focused| focus(&focused));
        drop(self.rendered.take());
        root.set_text_content(None);
        let handle = mount_to(root.clone(), view);
        self.rendered.replace(Some(Box::new(handle)));
        host::prepare(root);
        let same = same.and_then(|selector| root.query_selector(&selector).ok()?);
        if let Some(link) = same.and_then(|link| link.dyn_into::<HtmlElement>().ok()) {
            let options = FocusOptions::new();
            options.set_prevent_scroll(true);
            // A link can be focused.
            let _ = link.focus_with_options(&options);
        }
        host::announce(announcement);
    }
}
