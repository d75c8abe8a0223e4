//! Hydrates the islands of fetched pages, as those of the first page.

use js_sys::Function;
use std::cell::OnceCell;
use wasm_bindgen::JsValue;
use web_sys::Element;

thread_local! {
    static HYDRATE: OnceCell<Function> = const { OnceCell::new() };
}

/// Sets the function that hydrates the islands within an element.
pub(crate) fn keep(hydrate: Function) {
    HYDRATE.with(|kept| {
        let _ = kept.set(hydrate);
    });
}

pub(crate) fn hydrate(within: &Element) {
    HYDRATE.with(|hydrate| {
        if let Some(hydrate) = hydrate.get()
            && let Err(error) = hydrate.call1(&JsValue::NULL, within)
        {
            web_sys::console::error_1(&error);
        }
    });
}
