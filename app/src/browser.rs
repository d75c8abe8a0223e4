//! Functions of the browser that islands and the crate `frontend` share.

use leptos::{
    leptos_dom::helpers::TimeoutHandle,
    prelude::{set_timeout_with_handle, window},
};
use std::{cell::RefCell, time::Duration};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, MouseEvent, NodeList, Storage};

/// Has at most one call pending.
#[derive(Debug, Default)]
pub struct Timer(RefCell<Option<TimeoutHandle>>);

impl Timer {
    /// A timer without a call.
    pub const fn new() -> Self {
        Self(RefCell::new(None))
    }

    /// Calls `then` after `pause`, in place of the pending call.
    pub fn start(&self, pause: Duration, then: impl FnOnce() + 'static) {
        self.stop();
        self.0.replace(set_timeout_with_handle(then, pause).ok());
    }

    /// Cancels the pending call.
    pub fn stop(&self) {
        if let Some(handle) = self.0.take() {
            handle.clear();
        }
    }
}

/// The elements within `part` that match `selector`, in their order.
pub fn all(part: &Element, selector: &str) -> impl Iterator<Item = Element> + use<> {
    let found = part.query_selector_all(selector).ok();
    let count = found.as_ref().map_or(0, NodeList::length);
    (0..count).filter_map(move |index| found.as_ref()?.item(index)?.dyn_into().ok())
}

/// What the browser keeps for this service; `None` if it keeps nothing, as in a private window of some browsers.
pub fn storage() -> Option<Storage> {
    window().local_storage().ok()?
}

/// Opens a page in a new tab.
pub fn open_in_tab(address: &str) {
    // If the browser opens no tab, the page stays as it is.
    let _ = window().open_with_url_and_target_and_features(address, "_blank", "noopener");
}

/// Whether this is a plain left click. The browser handles clicks with other buttons or with keys.
pub fn is_plain_click(event: &MouseEvent) -> bool {
    event.button() == 0
        && !(event.meta_key() || event.ctrl_key() || event.shift_key() || event.alt_key())
}

/// Puts a text above a place of the element that contains it, or below if there is no space above. The middle of the text is at
/// `middle`, unless the text would then leave the `width` of the element.
pub fn put_beside(tip: &HtmlElement, middle: f64, (above, below): (f64, f64), width: f64) {
    let top = above - f64::from(tip.offset_height());
    put_at(tip, middle, if top >= 0.0 { top } else { below }, width);
}

/// Puts a tip at a height, its middle at `middle` if it fits into `width`. All are pixels of its parent.
pub fn put_at(tip: &HtmlElement, middle: f64, top: f64, width: f64) {
    let own_width = f64::from(tip.offset_width());
    // Not `clamp`, whose panic writes fractions: that adds 7 kB to the WASM of every page.
    let left = (middle - own_width / 2.0).min(width - own_width).max(0.0);
    let style = tip.style();
    // These properties exist. Whole pixels, for the same reason.
    let _ = style.set_property("left", &format!("{}px", left as i32));
    let _ = style.set_property("top", &format!("{}px", top as i32));
}
