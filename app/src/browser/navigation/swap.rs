//! Putting a fetched page in the place of the one that is shown.

use super::{
    Address, Arrival,
    focus::{Focused, focus},
    history,
};
use crate::browser::{self, document, main, notice, refresh, window};
use js_sys::Array;
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlElement, HtmlInputElement};

/// Parts of a page outside of the main landmark that differ from page to page.
const ALSO_SWAPPED: [&str; 1] = ["#pages"];

/// Shows that a page is on its way, to eyes and to assistive technology.
pub(super) fn set_busy(is_busy: bool) {
    let busy = if is_busy { "true" } else { "false" };
    // Marking an element of the page does not fail.
    if let Some(main) = main() {
        let _ = main.set_attribute("aria-busy", busy);
    }
    if let Some(root) = document().document_element() {
        let _ = root.toggle_attribute_with_force("data-loading", is_busy);
    }
}

pub(super) fn show(new: &Document, address: &Address, arrival: Arrival, is_step: bool) {
    let (Some(main), Some(new_main)) = (main(), new.get_element_by_id("main")) else {
        return address.load();
    };
    let focused = Focused::now();
    let before = main.inner_html();
    history::enter(address, is_step);
    if arrival == Arrival::Renewed && before == new_main.inner_html() {
        // Nothing new: whoever reads or has selected something is not disturbed.
        return refresh::again();
    }
    main.replace_children_with_node(&children(&new_main));
    for place in ALSO_SWAPPED {
        if let (Ok(Some(old)), Ok(Some(new))) =
            (document().query_selector(place), new.query_selector(place))
        {
            old.replace_children_with_node(&children(&new));
        }
    }
    document().set_title(&new.title());
    search_for(new, arrival);
    browser::prepare(&main);
    match arrival {
        Arrival::New => arrive(&main, address),
        Arrival::Back => window().scroll_to_with_x_and_y(0.0, history::scroll_position()),
        Arrival::Chosen | Arrival::Typed | Arrival::Renewed => focused.restore(&main),
    }
    notice::announce(&match arrival {
        // What has come in the meantime, where the page says which part of it that is.
        Arrival::Renewed => news(&main).unwrap_or_default(),
        _ => new.title(),
    });
}

fn news(main: &HtmlElement) -> Option<String> {
    main.query_selector("[data-announce]").ok()??.text_content()
}

fn children(of: &Element) -> Array {
    let children = Array::new();
    let nodes = of.child_nodes();
    for index in 0..nodes.length() {
        if let Some(node) = nodes.get(index) {
            children.push(&node);
        }
    }
    children
}

/// The top of the page, or the part of it that its address names, read from there.
fn arrive(main: &HtmlElement, address: &Address) {
    let part = address
        .hash()
        .and_then(|hash| document().get_element_by_id(hash))
        .and_then(|part| part.dyn_into::<HtmlElement>().ok());
    focus(main);
    match part {
        Some(part) => part.scroll_into_view(),
        None => window().scroll_to_with_x_and_y(0.0, 0.0),
    }
}

/// The field of the search shows what the page was asked for, unless somebody is writing there.
fn search_for(new: &Document, arrival: Arrival) {
    let field = |document: &Document| document.get_element_by_id("search");
    if let (Some(old), Some(new)) = (field(&document()), field(new))
        && let Ok(old) = old.dyn_into::<HtmlInputElement>()
        && (arrival != Arrival::Typed
            || !document()
                .active_element()
                .is_some_and(|focused| old.is_same_node(Some(&focused))))
    {
        old.set_value(&new.get_attribute("value").unwrap_or_default());
    }
}
