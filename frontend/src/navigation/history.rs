//! Steps of the browser's history, each with how far its page was scrolled, and the link by which it was left.

use super::{Address, focus::focused_link};
use crate::dom::{document, main, window};
use js_sys::{Object, Reflect};
use leptos::{leptos_dom::helpers::TimeoutHandle, prelude::set_timeout_with_handle};
use std::{cell::RefCell, time::Duration};
use wasm_bindgen::JsValue;

const PAUSE: Duration = Duration::from_millis(120);

thread_local! {
    static WAITING: RefCell<Option<TimeoutHandle>> = const { RefCell::new(None) };
}

/// Puts the address where people see it. Where it is a step of its own, the one before remembers how far it was scrolled.
pub(super) fn enter(address: &Address, is_step: bool) {
    let Ok(history) = window().history() else {
        return;
    };
    let url = Some(address.as_str());
    // A browser that refuses to write history still shows the page.
    let _ = match is_step {
        true => {
            write_down();
            history.push_state_with_url(&JsValue::NULL, "", url)
        }
        false => history.replace_state_with_url(&history.state().unwrap_or(JsValue::NULL), "", url),
    };
    address.shown_from_now_on();
}

/// Writes down how far the page is scrolled, a moment after it was: browsers bear only so many changes of history.
pub(super) fn remember() {
    // While a page is on its way, the step may be that page's already.
    let write = || {
        let root = document().document_element();
        if !root.is_some_and(|root| root.has_attribute("data-loading")) {
            write_down();
        }
    };
    let handle = set_timeout_with_handle(write, PAUSE).ok();
    if let Some(before) = WAITING.with(|waiting| waiting.replace(handle)) {
        before.clear();
    }
}

/// Goes on where the page of this step had been left.
pub(super) fn scroll_back() {
    let position = scroll_position();
    if position > 0.0 {
        window().scroll_to_with_x_and_y(0.0, position);
    }
}

fn write_down() {
    if let Some(before) = WAITING.with(RefCell::take) {
        before.clear();
    }
    let state = Object::new();
    let position = JsValue::from(window().scroll_y().unwrap_or_default());
    // Without them the page begins at its top.
    let _ = Reflect::set(&state, &"scroll".into(), &position);
    if let Some((link, place)) = main().as_ref().and_then(focused_link) {
        let _ = Reflect::set(&state, &"link".into(), &link.into());
        let _ = Reflect::set(&state, &"place".into(), &place.into());
    }
    if let Ok(history) = window().history() {
        let _ = history.replace_state(&state, "");
    }
}

/// How far the page of this step had been scrolled.
pub(super) fn scroll_position() -> f64 {
    kept("scroll")
        .and_then(|position| position.as_f64())
        .unwrap_or_default()
}

/// The link that had the focus when this step was left, as [`focused_link`] tells it.
pub(super) fn left_by() -> Option<(String, u32)> {
    let place = kept("place")?.as_f64()?;
    // It was a whole number when it was written down.
    Some((kept("link")?.as_string()?, place as u32))
}

fn kept(name: &str) -> Option<JsValue> {
    let state = window().history().ok()?.state().ok()?;
    Reflect::get(&state, &name.into()).ok()
}
