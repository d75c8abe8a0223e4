//! Steps of the browser's history. Each stores its scroll position and the link by which the reader left it.

use super::focus::{focused_link, focused_part};
use crate::{
    address::Address,
    dom::{document, main, window},
};
use app::browser::Timer;
use js_sys::{Object, Reflect};
use std::time::Duration;
use wasm_bindgen::JsValue;

const PAUSE: Duration = Duration::from_millis(120);

thread_local! {
    static SAVING: Timer = const { Timer::new() };
}

/// Writes the address of the new page into the address bar. For a new step, the step before is saved first.
pub(super) fn enter(address: &Address, is_step: bool) {
    let Ok(history) = window().history() else {
        return;
    };
    let url = Some(address.as_str());
    // If the browser refuses to write the history, it still shows the page.
    let _ = if is_step {
        save();
        history.push_state_with_url(&JsValue::NULL, "", url)
    } else {
        history.replace_state_with_url(&history.state().unwrap_or(JsValue::NULL), "", url)
    };
    address.set_shown();
}

/// Saves the scroll position shortly after the last scrolling: browsers limit how often the history may change.
pub(super) fn remember() {
    let save_unless_loading = || {
        // While a page is loading, the step may already belong to that page. A write can cancel a step that the reader makes just
        // now. So a position is written only if it is a new one, which it is not after Back.
        let root = document().document_element();
        let is_loading = root.is_some_and(|root| root.has_attribute("data-loading"));
        let position = window().scroll_y().unwrap_or_default();
        if !is_loading && (position - scroll_position()).abs() >= 1.0 {
            save();
        }
    };
    SAVING.with(|saving| saving.start(PAUSE, save_unless_loading));
}

/// Scrolls to the position that this step stores.
pub(super) fn scroll_back() {
    let position = scroll_position();
    if position > 0.0 {
        window().scroll_to_with_x_and_y(0.0, position);
    }
}

fn save() {
    SAVING.with(Timer::stop);
    let state = Object::new();
    let position = JsValue::from(window().scroll_y().unwrap_or_default());
    // Without these values the page is shown from its top.
    let _ = Reflect::set(&state, &"scroll".into(), &position);
    if let Some((link, index)) = main().as_ref().and_then(focused_link) {
        let _ = Reflect::set(&state, &"link".into(), &link.into());
        let _ = Reflect::set(&state, &"place".into(), &index.into());
    } else if let Some(id) = main().as_ref().and_then(focused_part) {
        let _ = Reflect::set(&state, &"part".into(), &id.into());
    }
    if let Ok(history) = window().history() {
        let _ = history.replace_state(&state, "");
    }
}

/// The scroll position that this step stores.
pub(super) fn scroll_position() -> f64 {
    stored("scroll")
        .and_then(|position| position.as_f64())
        .unwrap_or_default()
}

/// The link that had the focus when the reader left this step, as [`focused_link`] describes it.
pub(super) fn left_by() -> Option<(String, u32)> {
    let index = stored("place")?.as_f64()?;
    // It was a whole number when it was saved.
    Some((stored("link")?.as_string()?, index as u32))
}

/// The id of the part of the page that had the focus when the reader left this step.
pub(super) fn left_in() -> Option<String> {
    stored("part")?.as_string()
}

fn stored(name: &str) -> Option<JsValue> {
    let state = window().history().ok()?.state().ok()?;
    Reflect::get(&state, &name.into()).ok()
}
