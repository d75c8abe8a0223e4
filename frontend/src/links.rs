//! Links that lead to another page of the dashboard: they are followed without a reload.

use crate::{
    dom::on,
    navigation::{self, Address, Arrival},
};
use leptos::ev;
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, MouseEvent, Url};

pub(crate) fn follow(document: &Document) {
    on(document, ev::click, |event: MouseEvent| {
        if event.default_prevented() || !is_plain(&event) {
            return;
        }
        let Some(link) = link_at(&event) else { return };
        if let Some(address) = address_of(&link) {
            event.prevent_default();
            // One of a few choices: whoever tries them wants to see what changes, and go on to the next.
            let is_choice = link.closest(".seg").is_ok_and(|choices| choices.is_some());
            let arrival = match is_choice && address.is_this_page() {
                true => Arrival::Chosen,
                false => Arrival::New,
            };
            navigation::go(address, arrival);
        }
    });
}

/// Whether a click means to follow what it is on, here: with other buttons or keys it is the browser's.
pub(crate) fn is_plain(event: &MouseEvent) -> bool {
    event.button() == 0
        && !(event.meta_key() || event.ctrl_key() || event.shift_key() || event.alt_key())
}

fn link_at(event: &MouseEvent) -> Option<Element> {
    let target: Element = event.target()?.dyn_into().ok()?;
    target.closest("a[href]").ok()?
}

/// Where a link leads, if that is a page of the dashboard and nothing asks for more than following it.
fn address_of(link: &Element) -> Option<Address> {
    let leaves = ["target", "download"]
        .iter()
        .any(|name| link.has_attribute(name))
        || link
            .get_attribute("rel")
            .is_some_and(|rel| rel.contains("external"));
    if leaves {
        return None;
    }
    let base = link.base_uri().ok()??;
    let url = Url::new_with_base(&link.get_attribute("href")?, &base).ok()?;
    let here = Url::new(&base).ok()?;
    // A part of the page that is shown: the browser scrolls there by itself.
    let is_here = url.pathname() == here.pathname()
        && url.search() == here.search()
        && !url.hash().is_empty();
    (!is_here).then(|| Address::of_page(&url)).flatten()
}
