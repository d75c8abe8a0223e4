//! Parts of a page whose links fetch other rows. The code that listens is small and on every page. The code that renders rows is
//! loaded when the pointer or the focus is on such a link.

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

pub(super) struct Part {
    root: HtmlElement,
    /// The settings that it is rendered with, as JSON.
    settings: String,
    /// The number of the latest choice in this part.
    choice: Cell<u32>,
    /// The handle that ends the rendered view.
    rendered: RefCell<Option<Box<dyn Any>>>,
}

/// The links that fetch rows. Sorted by name, the page also has content above the list, so that link loads the page.
const LINKS: &str = "a[data-sort]:not([data-sort=\"name\"])";

thread_local! {
    /// Counts the choices and the requested pages: the answer to an earlier choice is not shown.
    static CHOICE: Cell<u32> = const { Cell::new(0) };
}

/// Ignores the answer to the pending choice: the reader wants something else now.
pub(super) fn drop_choice() {
    CHOICE.set(CHOICE.get().wrapping_add(1));
}

/// Makes the links in `root` fetch and show rows, until the result is dropped.
pub(super) fn start(root: HtmlElement, settings: String) -> Box<dyn Any> {
    let part = Rc::new(Part {
        root: root.clone(),
        settings,
        choice: Cell::default(),
        rendered: RefCell::default(),
    });
    let mut listening = Listening::to(root);
    for event in ["pointerover", "focusin"] {
        let pointed_at = move |event: Event| {
            if link_at(&event).is_some() {
                // If loading fails now, the click tries again.
                spawn_local(async { drop(rows::preload().await) });
            }
        };
        listening.add(event, Box::new(pointed_at));
    }
    let clicked = move |event: Event| clicked(&part, &event);
    listening.add("click", Box::new(clicked));
    Box::new(listening)
}

/// The link at which an event happened.
fn link_at(event: &Event) -> Option<Element> {
    let target: Element = event.target()?.dyn_into().ok()?;
    target.closest(LINKS).ok()?
}

fn clicked(part: &Rc<Part>, event: &Event) {
    let is_plain = event.dyn_ref::<MouseEvent>().is_some_and(|event| {
        let has_key = event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key();
        event.button() == 0 && !has_key && !event.default_prevented()
    });
    let link = link_at(event).filter(|_| is_plain);
    let Some(href) = link.and_then(|link| link.get_attribute("href")) else {
        return;
    };
    event.prevent_default();
    drop_choice();
    let choice = CHOICE.get();
    part.choice.set(choice);
    // This attribute name is valid.
    let _ = part.root.set_attribute("aria-busy", "true");
    let part = part.clone();
    spawn_local(async move {
        match rows::show(part.clone(), href.clone(), choice).await {
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

/// The parameters of an address, which may be relative to this page.
pub(super) fn parameters(href: &str) -> Option<UrlSearchParams> {
    let here = window().location().href().ok()?;
    Some(Url::new_with_base(href, &here).ok()?.search_params())
}

impl Part {
    pub(super) fn settings(&self) -> &str {
        &self.settings
    }

    /// Shows the rows that were fetched for the link to `href`. If they could not be fetched, the browser opens the link, which
    /// shows the error.
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
                // Before the rows are replaced: `push` saves the chosen link and the scroll position.
                host::push(href.split('#').next().unwrap_or_default());
                render(rows);
            }
            None => host::open(href),
        }
    }

    /// Whether this choice is still the latest one, and the part is still on the page.
    fn waits_for(&self, choice: u32) -> bool {
        choice == CHOICE.get() && self.root.is_connected()
    }

    /// Marks the part as no longer busy, unless a later choice is pending.
    fn no_longer_busy(&self, choice: u32) {
        if self.choice.get() == choice {
            // The attribute was set with the choice.
            let _ = self.root.remove_attribute("aria-busy");
        }
    }

    /// Renders the part again and announces the change. If the focus was in the part, it moves to the element that `focus`
    /// selects.
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
            // Focusing a link does not fail.
            let _ = link.focus_with_options(&options);
        }
        host::announce(announcement);
    }
}
