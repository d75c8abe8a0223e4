//! Showing a theme, and keeping it for the pages that come.

use crate::Theme;
use wasm_bindgen::JsCast;
use web_sys::HtmlDocument;

pub(crate) fn apply(theme: Theme) {
    let document = super::document();
    if let Some(root) = document.document_element() {
        // Both only fail on names that are no attribute's.
        let _ = root.set_attribute("data-theme", theme.name());
    }
    if let Ok(document) = document.dyn_into::<HtmlDocument>() {
        let (cookie, name, seconds) = (Theme::COOKIE, theme.name(), Theme::COOKIE_SECONDS);
        // A browser that takes no cookies shows the theme until the next page.
        let _ = document.set_cookie(&format!(
            "{cookie}={name}; Path=/; Max-Age={seconds}; SameSite=Lax"
        ));
    }
}
