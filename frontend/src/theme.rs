//! Applies the next theme to the page that is shown, and stores it for the next pages.

use crate::dom::{document, on, target};
use app::Theme;
use leptos::ev;
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlDocument, SubmitEvent};

/// The form of the switch.
const SWITCH: &str = "form.theme";

/// Its button, whose value is the next theme.
const BUTTON: &str = "form.theme button";

pub(crate) fn listen(document: &Document) {
    on(document, ev::submit, |event: SubmitEvent| {
        let form = target::<Element>(&event);
        if form.is_some_and(|form| form.matches(SWITCH).unwrap_or(false)) {
            event.prevent_default();
            choose_next();
        }
    });
}

fn choose_next() {
    let document = document();
    let Some(button) = document.query_selector(BUTTON).ok().flatten() else {
        return;
    };
    let name = button.get_attribute("value").unwrap_or_default();
    let Ok(theme) = name.parse::<Theme>();
    // These attribute names are valid.
    let _ = button.set_attribute("value", theme.next().name());
    let _ = button.set_attribute("aria-label", &theme.label());
    let _ = button.set_attribute("title", &theme.label());
    if let Some(root) = document.document_element() {
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
