//! Sends forms that request a page without a reload, and leaves empty fields out of the address.

use crate::{
    address::Address,
    dom::{all, is_text_field, on, target},
    navigation::{self, Arrival},
};
use js_sys::Array;
use leptos::ev;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    Document, Element, Event, FormData, HtmlFormElement, HtmlInputElement, SubmitEvent, Url,
    UrlSearchParams,
};

/// Sends a form when it is submitted, and when one of its controls with `data-submit` changes.
pub(crate) fn send(document: &Document) {
    on(document, ev::submit, |event: SubmitEvent| {
        if event.default_prevented() {
            return;
        }
        if let Some(address) = target(&event).as_ref().and_then(address_of) {
            event.prevent_default();
            navigation::go(address, Arrival::New);
        }
    });
    on(document, ev::change, |event: Event| {
        let Some(control) = target::<Element>(&event) else {
            return;
        };
        // Text was sent while it was typed.
        let is_typed = control
            .dyn_ref::<HtmlInputElement>()
            .is_some_and(is_text_field);
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

/// The page that a form requests with its current values. `None` if the form does not use GET, has a `target`, or leads to
/// no page of the dashboard.
///
/// A form with `data-keep` keeps the parameters of the current address that are not its own, except the page number.
pub(crate) fn address_of(form: &HtmlFormElement) -> Option<Address> {
    if form.method() != "get" || form.has_attribute("target") {
        return None;
    }
    let action = form.get_attribute("action").unwrap_or_default();
    let here = Url::new(&form.base_uri().ok()??).ok()?;
    let url = Url::new_with_base(&action, &here.href()).ok()?;
    let parameters = UrlSearchParams::new().ok()?;
    let keeps = form.has_attribute("data-keep") && url.pathname() == here.pathname();
    let data = FormData::new_with_form(form).ok()?;
    if keeps {
        // Its hidden fields repeat the address at the time of rendering; an island may have changed the address since.
        for field in all(form, "input[type=hidden]") {
            data.delete(&field.get_attribute("name").unwrap_or_default());
        }
        for (name, value) in here.search_params().entries().into_iter().filter_map(pair) {
            if name != "p" && !data.has(&name) {
                parameters.append(&name, &value);
            }
        }
    }
    for (name, value) in data.entries().into_iter().filter_map(pair) {
        if !value.trim().is_empty() {
            parameters.append(&name, &value);
        }
    }
    url.set_search(&String::from(parameters.to_string()));
    Address::of_page(&url)
}

/// The name and the text of an entry. `None` for files.
fn pair(entry: Result<JsValue, JsValue>) -> Option<(String, String)> {
    let entry: Array = entry.ok()?.into();
    Some((entry.get(0).as_string()?, entry.get(1).as_string()?))
}
