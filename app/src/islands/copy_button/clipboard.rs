//! Writes to the clipboard, in the browser.

use leptos::prelude::{Set, WriteSignal, set_timeout, window};
use std::time::Duration;
use wasm_bindgen_futures::{JsFuture, spawn_local};

/// How long the outcome is shown.
const SHOWN: Duration = Duration::from_secs(4);

pub(super) fn copy(text: String, outcome: WriteSignal<&'static str>) {
    // Browsers offer no clipboard to pages loaded over plain HTTP from another machine.
    if !window().is_secure_context() {
        outcome.set("Select the text and copy it: browsers allow this button over HTTPS only.");
        return;
    }
    let clipboard = window().navigator().clipboard();
    spawn_local(async move {
        let written = JsFuture::from(clipboard.write_text(&text)).await;
        outcome.set(match written {
            Ok(_) => "Copied.",
            Err(_) => "Not allowed. Select the text and copy it.",
        });
        set_timeout(move || outcome.set(""), SHOWN);
    });
}
