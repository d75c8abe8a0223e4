//! Fetches the typed answers of the service.

use leptos::prelude::window;
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, RequestInit, Response};

/// The state of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Loading {
    #[default]
    Done,
    UnderWay,
    Failed,
}

/// The answer at `address`, unless `signal` aborts the request; `None` if the request fails, or if another release wrote the
/// answer.
pub(super) async fn fetched<T: DeserializeOwned>(
    address: &str,
    signal: Option<&AbortSignal>,
) -> Option<T> {
    let init = RequestInit::new();
    init.set_signal(signal);
    let response = JsFuture::from(window().fetch_with_str_and_init(address, &init)).await;
    let response: Response = response.ok()?.dyn_into().ok()?;
    if !response.ok() {
        return None;
    }
    let text: JsValue = JsFuture::from(response.text().ok()?).await.ok()?;
    serde_json::from_str(&text.as_string()?).ok()
}
