//! Fetches the typed answers of the service.

use js_sys::Promise;
use leptos::prelude::window;
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;
#[cfg(feature = "hydrate")]
use web_sys::{AbortSignal, RequestInit};

/// The answer at `address`; `None` if the request fails, or if another release wrote the answer.
pub(super) async fn fetched<T: DeserializeOwned>(address: &str) -> Option<T> {
    read(window().fetch_with_str(address)).await
}

/// Like `fetched`, but `signal` can abort the request.
#[cfg(feature = "hydrate")]
pub(super) async fn fetched_until<T: DeserializeOwned>(
    address: &str,
    signal: Option<&AbortSignal>,
) -> Option<T> {
    let init = RequestInit::new();
    init.set_signal(signal);
    read(window().fetch_with_str_and_init(address, &init)).await
}

async fn read<T: DeserializeOwned>(response: Promise) -> Option<T> {
    let response = JsFuture::from(response).await.ok()?;
    let response: Response = response.dyn_into().ok()?;
    if !response.ok() {
        return None;
    }
    let text: JsValue = JsFuture::from(response.text().ok()?).await.ok()?;
    serde_json::from_str(&text.as_string()?).ok()
}
