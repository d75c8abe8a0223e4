//! A field with suggestions in the browser: shows them while the reader types, and follows the chosen one. The code that suggests
//! is loaded here.

use super::{
    Scope,
    choice::{Choice, Kind},
    lookups::{Lookups, names},
    ranked::{Shown, Sources},
    recent::recent,
    view::{View, on_overview, status},
};
use crate::{
    browser::{is_plain_click, open_in_tab},
    islands::{fetch::Loading, host, listening::Listening, running},
};
use leptos::{
    prelude::document,
    wasm_split::{SplitLoaderError, wasm_split},
};
use std::{
    any::Any,
    cell::{Cell, RefCell},
    rc::Rc,
    sync::Arc,
};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, Event, HtmlDialogElement, HtmlInputElement, KeyboardEvent, MouseEvent};

/// The attribute of a field that suggests, or whose code is loading.
const STARTED: &str = "data-suggests";

/// Loads the code that suggests, because a field is likely to be used.
pub fn preload() {
    // If it cannot be loaded now, the focus tries again.
    spawn_local(async { drop(preload_code().await) });
}

/// Makes a field suggest. If the code cannot be loaded, the next focus tries again, and the field works without it.
pub fn suggest(input: HtmlInputElement) {
    if input.has_attribute(STARTED) {
        return;
    }
    // This attribute name is valid.
    let _ = input.set_attribute(STARTED, "");
    spawn_local(async move {
        match start_lazily(input.clone()).await {
            Ok(Some(handle)) => running::keep(input.into(), handle),
            Ok(None) => {}
            Err(_) => drop(input.remove_attribute(STARTED)),
        }
    });
}

/// Starts the field. `None` if the page was replaced meanwhile.
#[wasm_split(suggestions, fallible, preload(preload_code), wasm_split_path = leptos::wasm_split)]
fn start_lazily(input: HtmlInputElement) -> Result<Option<Box<dyn Any>>, SplitLoaderError> {
    Ok(input.is_connected().then(|| start(input)).flatten())
}

struct Field {
    input: HtmlInputElement,
    scope: Scope,
    view: View,
    shown: RefCell<Shown>,
    lookups: Rc<Lookups>,
    /// Whether the list stays closed until the next letter.
    is_closed: Cell<bool>,
    /// Whether the reader chose the active suggestion, with an arrow key.
    has_walked: Cell<bool>,
    /// Whether Enter was pressed before anything was found: it opens the first suggestion that arrives.
    enter_waits: Cell<bool>,
}

/// Makes a field suggest until the result is dropped; `None` if the markup of the field is unexpected.
fn start(input: HtmlInputElement) -> Option<Box<dyn Any>> {
    let scope = Scope::named(&input.get_attribute("data-suggest")?)?;
    let around = input.closest(".suggested").ok()??;
    let view = View::new(input.clone(), &around).ok()?;
    let root = view.root.clone();
    let field = Rc::new(Field {
        input: input.clone(),
        scope,
        view,
        shown: RefCell::default(),
        lookups: Rc::default(),
        is_closed: Cell::new(false),
        has_walked: Cell::new(false),
        enter_waits: Cell::new(false),
    });
    let mut typing = Listening::to(input);
    let typed = field.clone();
    typing.add("input", Box::new(move |_| typed.typed()));
    let focused = field.clone();
    typing.add("focus", Box::new(move |_| focused.focused()));
    let left = field.clone();
    typing.add("blur", Box::new(move |_| left.left()));
    let pressed = field.clone();
    typing.add("keydown", Box::new(move |event| pressed.pressed(&event)));
    let mut choosing = Listening::to(root);
    // The field keeps the focus.
    choosing.add("mousedown", Box::new(|event| event.prevent_default()));
    let clicked = field.clone();
    choosing.add("click", Box::new(move |event| clicked.clicked(&event)));
    field.focused();
    Some(Box::new((typing, choosing)))
}

impl Field {
    fn focused(self: &Rc<Self>) {
        self.load_names();
        self.typed();
    }

    fn load_names(self: &Rc<Self>) {
        if self.scope != Scope::Authors {
            let field = self.clone();
            self.lookups.load_names(move || field.refresh());
        }
    }

    fn typed(self: &Rc<Self>) {
        if self.lookups.names.get() == Loading::Failed {
            self.load_names();
        }
        // A new text starts at its first suggestion.
        self.shown.borrow_mut().active = None;
        self.has_walked.set(false);
        self.enter_waits.set(false);
        self.is_closed.set(false);
        let field = self.clone();
        let text = self.input.value();
        self.lookups
            .search(self.scope, &text, move || field.refresh());
        self.refresh();
    }

    /// Closes the list under a field. In the palette, the field never loses the focus for long.
    fn left(&self) {
        if self.scope != Scope::Pages {
            self.hide();
        }
    }

    fn hide(&self) {
        self.is_closed.set(true);
        self.lookups.stop();
        self.show(Shown::default());
    }

    /// Shows the suggestions for the text of the field.
    fn refresh(self: &Rc<Self>) {
        let has_focus = document()
            .active_element()
            .is_some_and(|active| self.input.is_same_node(Some(&active)));
        if !has_focus || self.is_closed.get() {
            return;
        }
        let text = self.input.value();
        let (names, recent, found) = (names(), self.recent(), self.lookups.found());
        let sources = Sources {
            names: &names,
            recent: &recent,
            found: &found,
        };
        let mut choices = sources.ranked(self.scope, &text);
        let states = [self.lookups.names.get(), self.lookups.search.get()];
        let (status, is_status_visible) = status(self.scope, states, choices.len(), &text);
        if self.scope == Scope::Pages && !text.trim().is_empty() {
            choices.push(on_overview(&text));
        }
        // Only a suggestion that the reader chose stays active: a later result may match better than the first one.
        let active = self.shown.borrow().active().cloned();
        let active = active.filter(|_| self.has_walked.get());
        let active = active.and_then(|active| choices.iter().position(|choice| *choice == active));
        let first = (self.scope == Scope::Pages && !choices.is_empty()).then_some(0);
        self.show(Shown {
            choices: Arc::new(choices),
            active: active.or(first),
            status,
            is_status_visible,
        });
        let is_done = self.lookups.search.get() != Loading::UnderWay;
        if is_done && self.enter_waits.take() {
            let active = self.shown.borrow().active().cloned();
            if let Some(active) = active {
                self.choose(&active, false);
            }
        }
    }

    /// The pages that the reader visited, without the one that is shown.
    fn recent(&self) -> Vec<Choice> {
        let here = host().here().unwrap_or_default();
        let here = here.split('?').next().unwrap_or_default();
        let mut recent = recent();
        recent.retain(|choice| choice.href != here);
        recent
    }

    fn show(&self, shown: Shown) {
        // These names of elements and attributes are valid.
        let _ = self.view.show(&shown);
        self.shown.replace(shown);
    }

    /// Handles a key, unless it is the browser's.
    fn pressed(self: &Rc<Self>, event: &Event) {
        let Some(key) = event.dyn_ref::<KeyboardEvent>() else {
            return;
        };
        // The key belongs to an input method. Safari marks the last such key only by the code 229.
        if key.is_composing() || key.key_code() == 229 || key.alt_key() || key.shift_key() {
            return;
        }
        let mut shown = self.shown.borrow().clone();
        match key.key().as_str() {
            name @ ("ArrowDown" | "ArrowUp") => {
                self.has_walked.set(true);
                shown.walk(if name == "ArrowDown" { 1 } else { -1 });
                self.show(shown);
            }
            "Enter" => {
                let Some(active) = shown.active().cloned() else {
                    return;
                };
                let is_searching = self.lookups.search.get() == Loading::UnderWay;
                if is_searching && active.kind == Kind::Overview && !self.has_walked.get() {
                    self.enter_waits.set(true);
                } else {
                    self.choose(&active, key.ctrl_key() || key.meta_key());
                }
            }
            "Escape" => {
                // Escape closes the palette, or the list under a field.
                let is_open = !shown.choices.is_empty() || shown.is_status_visible;
                if self.scope == Scope::Pages || !is_open {
                    return;
                }
                self.hide();
            }
            _ => return,
        }
        event.prevent_default();
    }

    fn clicked(self: &Rc<Self>, event: &Event) {
        let is_plain = event.dyn_ref::<MouseEvent>().is_some_and(is_plain_click);
        let target = event.target().and_then(|target| target.dyn_into().ok());
        let index = target.and_then(|target: Element| self.view.index_at(&target));
        let choice = index.and_then(|index| self.shown.borrow().choices.get(index).cloned());
        if let Some(choice) = choice.filter(|_| is_plain) {
            event.prevent_default();
            self.choose(&choice, false);
        }
    }

    fn choose(self: &Rc<Self>, choice: &Choice, in_tab: bool) {
        if in_tab {
            open_in_tab(&choice.href);
            return;
        }
        if self.scope == Scope::Records {
            self.input.set_value(&choice.value);
            // The name of a branch follows the name of a repository.
            if choice.value.ends_with('@') {
                self.typed();
            } else {
                self.hide();
            }
            return;
        }
        self.hide();
        let dialog = self.input.closest("dialog").ok().flatten();
        if let Some(dialog) = dialog.and_then(|dialog| dialog.dyn_into::<HtmlDialogElement>().ok())
        {
            dialog.close();
        }
        host().open(&choice.href);
    }
}
