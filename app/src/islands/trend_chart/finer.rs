//! Fetches the finer points of a period.

use super::{
    data::Points,
    state::{Loading, State},
};
use crate::api::TrendAnswer;
use domain::Period;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::Response;

/// Fetches the points at `address`. Until they are there, the chart shows those that it has.
pub(super) fn load(state: State, period: Period, address: String) {
    state.loading.set(Loading::Yes);
    spawn_local(async move {
        let answer = fetched(&address).await;
        // The chart may have left the page, or show another period.
        if state.period.try_get_untracked() != Some(Some(period)) {
            return;
        }
        match answer {
            Some(answer) => {
                state.cursor.set(None);
                state.loaded.set_value(Some(period));
                state.points.set(Points::Records(answer));
                state.loading.set(Loading::No);
            }
            None => state.loading.set(Loading::Failed),
        }
    });
}

async fn fetched(address: &str) -> Option<TrendAnswer> {
    let response = JsFuture::from(window().fetch_with_str(address))
        .await
        .ok()?;
    let response: Response = response.dyn_into().ok()?;
    if !response.ok() {
        return None;
    }
    let text: JsValue = JsFuture::from(response.text().ok()?).await.ok()?;
    serde_json::from_str(&text.as_string()?).ok()
}
