//! Forms that ask for a page: they are sent without a reload, and what is empty stays out of the address.

use crate::{
    dom::on,
    navigation::{self, Address, Arrival},
};
use js_sys::Array;
use leptos::ev;
use wasm_bindgen::JsCast;
use web_sys::{
    Document, Element, Event, FormData, HtmlFormElement, HtmlInputElement, SubmitEvent, Url,
    UrlSearchParams,
};

/// Sends a form when it is submitted, and when a control of it with `data-submit` was changed.
pub(crate) fn send(document: &Document) {
    on(document, ev::submit, |event: SubmitEvent| {
        let form = event
            .target()
            .and_then(|target| target.dyn_into::<HtmlFormElement>().ok());
        if event.default_prevented() {
            return;
        }
        if let Some(address) = form.as_ref().and_then(address_of) {
            event.prevent_default();
            navigation::go(address, Arrival::New);
        }
    });
    on(document, ev::change, |event: Event| {
        let Some(control) = event
            .target()
            .and_then(|target| target.dyn_into::<Element>().ok())
        else {
            return;
        };
        // What is typed was sent while it was.
        let is_typed = control
            .dyn_ref::<HtmlInputElement>()
            .is_some_and(|input| ["search", "text"].contains(&input.type_().as_str()));
        if !is_typed
            && control.has_attribute("data-submit")
            && let Some(address) = form_of(&control).as_ref().and_then(address_of)
        {
            navigation::go(address, Arrival::Chosen);
        }
    });
}

pub(crate) fn form_of(control: &Element) -> Option<HtmlFormElement> {
    control.closest("form").ok()??.dyn_into().ok()
}

/// The page that a form asks for as it is filled in; none where it does more than asking for a page.
///
/// A form with `data-keep` keeps what the address says beside what it asks for itself, but for the page number.
pub(crate) fn address_of(form: &HtmlFormElement) -> Option<Address> {
    if form.method() != "get" || form.has_attribute("target") {
        return None;
    }
    let action = form.get_attribute("action").unwrap_or_default();
    let here = Url::new(&form.base_uri().ok()??).ok()?;
    let url = Url::new_with_base(&action, &here.href()).ok()?;
    let asked = UrlSearchParams::new().ok()?;
    let keeps = form.has_attribute("data-keep") && url.pathname() == here.pathname();
    let data = FormData::new_with_form(form).ok()?;
    if keeps {
        for (name, value) in pairs(&here.search_params()) {
            if name != "p" && !data.has(&name) {
                asked.append(&name, &value);
            }
        }
    }
    for pair in data.entries().into_iter().flatten() {
        let pair: Array = pair.into();
        if let (Some(name), Some(value)) = (pair.get(0).as_string(), pair.get(1).as_string())
            && !value.trim().is_empty()
        {
            asked.append(&name, &value);
        }
    }
    url.set_search(&String::from(asked.to_string()));
    Address::of_page(&url)
}

fn pairs(parameters: &UrlSearchParams) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for pair in parameters.entries().into_iter().flatten() {
        let pair: Array = pair.into();
        if let (Some(name), Some(value)) = (pair.get(0).as_string(), pair.get(1).as_string()) {
            pairs.push((name, value));
        }
    }
    pairs
}
