//! Follows links to other pages of the dashboard without a reload.

use crate::{
    address::Address,
    dom::{around, is_plain_click, on},
    navigation::{self, Arrival},
};
use leptos::ev;
use web_sys::{Document, Element, MouseEvent, Url};

pub(crate) fn follow(document: &Document) {
    on(document, ev::click, |event: MouseEvent| {
        if event.default_prevented() || !is_plain_click(&event) {
            return;
        }
        let Some(link) = around(&event, "a[href]") else {
            return;
        };
        if let Some(address) = sorted(&link) {
            event.prevent_default();
            navigation::go(address, Arrival::Sorted);
        } else if let Some(address) = address_of(&link) {
            event.prevent_default();
            // One of a few choices: the reader wants to see what changes, and then try the next one.
            let choices = link.closest(".seg, .sort");
            let is_choice = choices.is_ok_and(|choices| choices.is_some());
            let arrival = if is_choice && address.is_this_page() {
                Arrival::Chosen
            } else {
                Arrival::New
            };
            navigation::go(address, arrival);
        }
    });
}

/// The address for a heading of a table that the server sorts: what is shown now in another order, from its first part.
fn sorted(heading: &Element) -> Option<Address> {
    let parts = heading.get_attribute("data-parts")?;
    let table = heading.closest("table[data-sortable]").ok()??;
    let table = table.get_attribute("data-sortable")?;
    let here = Url::new(&heading.base_uri().ok()??).ok()?;
    let there = Url::new_with_base(&heading.get_attribute("href")?, &here.href()).ok()?;
    let choices = here.search_params();
    for part in parts.split(' ') {
        choices.delete(part);
    }
    match there.search_params().get(&table) {
        Some(order) => choices.set(&table, &order),
        None => choices.delete(&table),
    }
    here.set_hash(&there.hash());
    Address::of_page(&here)
}

/// The page of the dashboard that a link leads to. `None` if the browser has to handle the link.
fn address_of(link: &Element) -> Option<Address> {
    let rel = link.get_attribute("rel").unwrap_or_default();
    let leaves = rel.split(' ').any(|word| word == "external");
    if leaves || link.has_attribute("target") || link.has_attribute("download") {
        return None;
    }
    let base = link.base_uri().ok()??;
    let url = Url::new_with_base(&link.get_attribute("href")?, &base).ok()?;
    let here = Url::new(&base).ok()?;
    // A part of the page that is shown: the browser scrolls there.
    let is_here = url.pathname() == here.pathname()
        && url.search() == here.search()
        && !url.hash().is_empty();
    (!is_here).then(|| Address::of_page(&url)).flatten()
}
