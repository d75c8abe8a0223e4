//! Replaces the page that is shown with a fetched one.

use super::{
    arrival::Arrival,
    focus::{Focused, focus, focus_link, link_at},
    history,
    observer::{PageEvent, tell},
};
use crate::{
    address::Address,
    dom::{all, document, main, window},
    notice,
};
use js_sys::Array;
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlElement};

/// Parts of a page outside of the main landmark that differ from page to page.
const ALSO_SWAPPED: [&str; 1] = ["#pages"];

/// Elements that state how much was found.
const STATUS: &str = "[role=status]";

/// Shows that a page is loading, on the screen and to assistive technology; `None` if no page is. If a control of a card asked for
/// another choice, only this card shows it.
pub(super) fn set_busy(arrival: Option<Arrival>) {
    let by_choice = [Arrival::Chosen, Arrival::Sorted, Arrival::Typed];
    let control = document().active_element();
    let control = control.filter(|_| arrival.is_some_and(|arrival| by_choice.contains(&arrival)));
    let card = control.and_then(|control| control.closest("main .card").ok()?);
    let is_whole = arrival.is_some() && card.is_none();
    // These attribute names are valid.
    if let Some(main) = main() {
        for card in all(&main, ".card[aria-busy]") {
            let _ = card.remove_attribute("aria-busy");
        }
        let _ = main.set_attribute("aria-busy", if is_whole { "true" } else { "false" });
    }
    if let Some(card) = card {
        let _ = card.set_attribute("aria-busy", "true");
    }
    if let Some(root) = document().document_element() {
        let _ = root.toggle_attribute_with_force("data-loading", arrival.is_some());
    }
}

pub(super) fn show(new: &Document, address: &Address, arrival: Arrival, is_step: bool) {
    let (Some(main), Some(new_main)) = (main(), new.get_element_by_id("main")) else {
        return address.load();
    };
    let focused = Focused::now();
    let before = main.inner_html();
    let status_before = texts(&main, STATUS);
    let order_before = order(&main);
    let table = address.hash().filter(|_| arrival == Arrival::Sorted);
    let cards = table.and_then(|id| Some((card(&document(), id)?, card(new, id)?)));
    // The table is on the screen already, so the address does not name it.
    let shown = match cards {
        Some(_) => &address.bare(),
        None => address,
    };
    history::enter(shown, is_step);
    if arrival == Arrival::Renewed && before == new_main.inner_html() {
        // Replacing equal content would disturb a reader who has selected something.
        return tell(PageEvent::Unchanged);
    }
    let is_whole = cards.is_none();
    let (old, fresh) = cards.unwrap_or_else(|| (main.clone().into(), new_main));
    old.replace_children_with_node(&Array::from(&fresh.child_nodes()));
    for part in ALSO_SWAPPED.iter().filter(|_| is_whole) {
        if let (Ok(Some(old)), Ok(Some(new))) =
            (document().query_selector(part), new.query_selector(part))
        {
            old.replace_children_with_node(&Array::from(&new.child_nodes()));
        }
    }
    document().set_title(&new.title());
    tell(PageEvent::Shown(&old));
    match arrival {
        Arrival::New => arrive(&main, address),
        Arrival::Back => come_back(&main),
        Arrival::Chosen | Arrival::Sorted | Arrival::Typed | Arrival::Renewed => {
            focused.restore(&main);
        }
    }
    // The status, if it changed; else the order, if it changed; else the title.
    let status = || {
        let mut found = texts(&main, STATUS).into_iter();
        let news = found.find(|text| !text.is_empty() && !status_before.contains(text));
        news.or_else(|| order(&main).filter(|order| order_before.as_ref() != Some(order)))
            .unwrap_or_else(|| new.title())
    };
    notice::announce(&match arrival {
        // The part of the page that states what is new, if there is one.
        Arrival::Renewed => texts(&main, "[data-announce]").pop().unwrap_or_default(),
        Arrival::Sorted => order(&old).unwrap_or_else(status),
        Arrival::Chosen | Arrival::Typed => status(),
        Arrival::New | Arrival::Back => new.title(),
    });
}

/// The card with the element that has this id.
fn card(document: &Document, id: &str) -> Option<Element> {
    document.get_element_by_id(id)?.closest(".card").ok()?
}

/// The order of the list or the table in a card, in words.
fn order(card: &Element) -> Option<String> {
    if let Ok(Some(list)) = card.query_selector("[data-order]") {
        return list.get_attribute("data-order");
    }
    let heading = card.query_selector("th[aria-sort]").ok()??;
    let (title, order) = (heading.text_content()?, heading.get_attribute("aria-sort")?);
    Some(format!("Sorted by {title}, {order}."))
}

fn texts(within: &HtmlElement, selector: &str) -> Vec<String> {
    all(within, selector)
        .filter_map(|element| element.text_content())
        .collect()
}

/// Goes to the top of the page, or to the part that the address names, and sets the focus there.
fn arrive(main: &HtmlElement, address: &Address) {
    let part = address
        .hash()
        .and_then(|hash| document().get_element_by_id(hash))
        .and_then(|part| part.dyn_into::<HtmlElement>().ok());
    match part {
        Some(part) => {
            if !part.has_attribute("tabindex") {
                // Makes it focusable. This attribute name is valid.
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

/// Restores the scroll position, and the focus on the link by which the reader left.
fn come_back(main: &HtmlElement) {
    // A hidden link cannot be focused. Then the page keeps the focus.
    focus(main);
    if let Some(link) = history::left_by().and_then(|(href, index)| link_at(main, &href, index)) {
        focus_link(&link);
    }
    let part = history::left_in().and_then(|id| document().get_element_by_id(&id));
    if let Some(part) = part.filter(|part| main.contains(Some(part))) {
        focus(&part);
    }
    window().scroll_to_with_x_and_y(0.0, history::scroll_position());
}
