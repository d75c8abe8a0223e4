//! Starts a field with suggestions. The code that suggests is loaded here.

use super::field;
use crate::islands::running;
use leptos::wasm_split::{SplitLoaderError, wasm_split};
use std::any::Any;
use wasm_bindgen_futures::spawn_local;
use web_sys::HtmlInputElement;

/// The attribute of a field that suggests, or whose code is loading.
const STARTED: &str = "data-suggests";

/// Loads the code that suggests, because a field is likely to be used.
pub fn preload() {
    // If it cannot be loaded now, the focus tries again.
    spawn_local(async { drop(preload_code().await) });
}

/// Makes a field suggest. If the code cannot be loaded, the next focus tries again, and the field works without it.
pub fn suggest(input: HtmlInputElement) {
    if input.has_attribute(STARTED) {
        return;
    }
    // This attribute name is valid.
    let _ = input.set_attribute(STARTED, "");
    spawn_local(async move {
        match start(input.clone()).await {
            Ok(Some(handle)) => running::keep(input.into(), handle),
            Ok(None) => {}
            Err(_) => drop(input.remove_attribute(STARTED)),
        }
    });
}

/// Starts the field. `None` if the page was replaced meanwhile.
#[wasm_split(suggestions, fallible, preload(preload_code), wasm_split_path = leptos::wasm_split)]
fn start(input: HtmlInputElement) -> Result<Option<Box<dyn Any>>, SplitLoaderError> {
    Ok(input.is_connected().then(|| field::start(input)).flatten())
}
