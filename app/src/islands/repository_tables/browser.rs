//! Sorts the tables in the browser. What listens is small and on every page; what renders rows is loaded when a heading is
//! pointed at.

use super::sorted::{preload, show};
use crate::islands::host;
use domain::Sort;
use std::{
    any::Any,
    cell::{Cell, RefCell},
    rc::Rc,
};
use wasm_bindgen::{JsCast, closure::Closure};
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, Event, HtmlElement, MouseEvent};

/// The tables of a page.
pub(super) struct Tables {
    /// The element that contains them.
    pub(super) root: HtmlElement,
    /// The settings that rows depend on, as JSON.
    pub(super) settings: String,
    /// Ends the rows that the browser rendered.
    pub(super) rendered: RefCell<Option<Box<dyn Any>>>,
}

thread_local! {
    /// Counts the choices and the requested pages: the answer to an earlier choice is not shown.
    static CHOICE: Cell<u32> = const { Cell::new(0) };
}

/// The number of the latest choice.
pub(super) fn latest_choice() -> u32 {
    CHOICE.get()
}

/// Drops the choice on its way: the reader wants something else now.
pub(in crate::islands) fn drop_choice() {
    CHOICE.set(CHOICE.get().wrapping_add(1));
}

type Handler = Closure<dyn FnMut(Event)>;

/// Listens to the headings until it is dropped.
struct Listening {
    root: HtmlElement,
    handlers: Vec<(&'static str, Handler)>,
}

impl Listening {
    fn add(&mut self, event: &'static str, handler: Box<dyn FnMut(Event)>) {
        let handler = Handler::wrap(handler);
        let function = handler.as_ref().unchecked_ref();
        // Fails for no event that has a name.
        let _ = self.root.add_event_listener_with_callback(event, function);
        self.handlers.push((event, handler));
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        for (event, handler) in &self.handlers {
            let function = handler.as_ref().unchecked_ref();
            let _ = self
                .root
                .remove_event_listener_with_callback(event, function);
        }
    }
}

/// Makes the headings of the tables in `root` sort them. The result ends that when it is dropped.
pub(in crate::islands) fn start(root: HtmlElement, settings: String) -> Box<dyn Any> {
    let tables = Rc::new(Tables {
        root: root.clone(),
        settings,
        rendered: RefCell::default(),
    });
    let mut listening = Listening {
        root,
        handlers: Vec::new(),
    };
    for event in ["pointerover", "focusin"] {
        let pointed_at = |event: Event| {
            if link_at(&event).is_some() {
                // If the code cannot be loaded now, the choice tries again.
                spawn_local(async { drop(preload().await) });
            }
        };
        listening.add(event, Box::new(pointed_at));
    }
    listening.add("click", Box::new(move |event| clicked(&tables, &event)));
    Box::new(listening)
}

/// The link to another order at which an event happened.
fn link_at(event: &Event) -> Option<Element> {
    let target: Element = event.target()?.dyn_into().ok()?;
    target.closest("a[data-sort]").ok()?
}

fn clicked(tables: &Rc<Tables>, event: &Event) {
    let is_plain = event.dyn_ref::<MouseEvent>().is_some_and(|event| {
        let has_key = event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key();
        event.button() == 0 && !has_key && !event.default_prevented()
    });
    let link = link_at(event).filter(|_| is_plain);
    // By name, the page has more above the list, so the link leads to another page.
    let link =
        link.filter(|link| link.get_attribute("data-sort").as_deref() != Some(Sort::Name.name()));
    let Some(href) = link.and_then(|link| link.get_attribute("href")) else {
        return;
    };
    event.prevent_default();
    drop_choice();
    let choice = latest_choice();
    // An attribute with a name can be set.
    let _ = tables.root.set_attribute("aria-busy", "true");
    let tables = tables.clone();
    spawn_local(async move {
        match show(tables.clone(), href.clone(), choice).await {
            Ok(shown) => shown.await,
            // The page behind the link has the same rows.
            Err(_) => {
                let _ = tables.root.remove_attribute("aria-busy");
                host::open(&href);
            }
        }
    });
}
