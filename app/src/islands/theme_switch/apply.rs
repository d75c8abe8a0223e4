//! Applies a theme to the page that is shown and stores it for the next pages, in the browser.

use crate::Theme;
use leptos::prelude::document;
use wasm_bindgen::JsCast;
use web_sys::HtmlDocument;

pub(super) fn apply(theme: Theme) {
    let document = document();
    if let Some(root) = document.document_element() {
        // Fails only for an invalid attribute name.
        let _ = root.set_attribute("data-theme", theme.name());
    }
    if let Ok(document) = document.dyn_into::<HtmlDocument>() {
        let (cookie, name, seconds) = (Theme::COOKIE, theme.name(), Theme::COOKIE_SECONDS);
        // A browser without cookies shows the theme until the next page.
        let _ = document.set_cookie(&format!(
            "{cookie}={name}; Path=/; Max-Age={seconds}; SameSite=Lax"
        ));
    }
}
