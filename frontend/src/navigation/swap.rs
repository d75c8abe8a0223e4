//! Putting a fetched page in the place of the one that is shown.

use super::{
    Address, Arrival,
    focus::{Focused, focus, focus_link, link_at},
    history,
};
use crate::{
    dom::{document, main, window},
    notice, refresh,
};
use js_sys::Array;
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlElement, HtmlInputElement};

/// Parts of a page outside of the main landmark that differ from page to page.
const ALSO_SWAPPED: [&str; 1] = ["#pages"];

/// What says how much was found.
const STATUS: &str = "[role=status]";

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
    let told_before = texts(&main, STATUS);
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
    crate::prepare(&main);
    match arrival {
        Arrival::New => arrive(&main, address),
        Arrival::Back => come_back(&main),
        Arrival::Chosen | Arrival::Typed | Arrival::Renewed => focused.restore(&main),
    }
    notice::announce(&match arrival {
        // What has come in the meantime, where the page says which part of it that is.
        Arrival::Renewed => texts(&main, "[data-announce]").pop().unwrap_or_default(),
        // Where the title stays as it was, what was found is what is new.
        Arrival::Chosen | Arrival::Typed => {
            let mut found = texts(&main, STATUS).into_iter();
            let news = found.find(|text| !text.is_empty() && !told_before.contains(text));
            news.unwrap_or_else(|| new.title())
        }
        Arrival::New | Arrival::Back => new.title(),
    });
}

fn texts(within: &HtmlElement, selector: &str) -> Vec<String> {
    let found = within.query_selector_all(selector).ok();
    let count = found.as_ref().map_or(0, web_sys::NodeList::length);
    (0..count)
        .filter_map(|index| found.as_ref()?.item(index)?.text_content())
        .collect()
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
    match part {
        Some(part) => {
            if !part.has_attribute("tabindex") {
                // So that it can have the focus; setting an attribute does not fail.
                let _ = part.set_attribute("tabindex", "-1");
            }
            focus(&part);
            part.scroll_into_view();
        }
        None => {
            focus(main);
            window().scroll_to_with_x_and_y(0.0, 0.0);
        }
    }
}

/// Where one had been: as far down, and at the link by which one had left.
fn come_back(main: &HtmlElement) {
    // What is hidden takes no focus; then it is the page that has it.
    focus(main);
    if let Some(link) = history::left_by().and_then(|(href, place)| link_at(main, &href, place)) {
        focus_link(&link);
    }
    window().scroll_to_with_x_and_y(0.0, history::scroll_position());
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
