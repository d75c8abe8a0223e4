//! Steps of the browser's history, each with how far its page was scrolled.

use super::Address;
use crate::browser::window;
use js_sys::{Object, Reflect};
use wasm_bindgen::JsValue;

/// Puts the address where people see it. Where it is a step of its own, the one before remembers how far it was scrolled.
pub(super) fn enter(address: &Address, is_step: bool) {
    let Ok(history) = window().history() else {
        return;
    };
    let url = Some(address.as_str());
    // A browser that refuses to write history still shows the page.
    let _ = match is_step {
        true => {
            let state = Object::new();
            let position = JsValue::from(window().scroll_y().unwrap_or_default());
            let _ = Reflect::set(&state, &"scroll".into(), &position);
            let _ = history.replace_state(&state, "");
            history.push_state_with_url(&JsValue::NULL, "", url)
        }
        false => history.replace_state_with_url(&history.state().unwrap_or(JsValue::NULL), "", url),
    };
    address.shown_from_now_on();
}

/// How far the page of this step had been scrolled.
pub(super) fn scroll_position() -> f64 {
    let state = window().history().and_then(|history| history.state());
    state
        .and_then(|state| Reflect::get(&state, &"scroll".into()))
        .ok()
        .and_then(|position| position.as_f64())
        .unwrap_or_default()
}
