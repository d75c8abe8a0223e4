//! Fetches the finer points of a period.

use super::{
    data::Points,
    state::{Loading, State},
};
use crate::{api::TrendAnswer, islands::fetch::fetched};
use domain::Period;
use leptos::prelude::set_timeout;
use std::time::Duration;
use wasm_bindgen_futures::spawn_local;

/// How long a request waits for the screen.
const PAUSE: Duration = Duration::from_millis(20);

/// Fetches the points at `address`. Until they are there, the chart shows those that it has.
pub(super) fn load(state: State, period: Period, address: String) {
    state.set_loading(Loading::Yes);
    // After the screen shows the points that are there: to start a request takes a part of a frame.
    set_timeout(move || spawn_local(fetch(state, period, address)), PAUSE);
}

async fn fetch(state: State, period: Period, address: String) {
    // Another period may have been chosen.
    if !state.is_gone() && state.period() == Some(period) {
        let answer: Option<TrendAnswer> = fetched(&address).await;
        // The chart may have left the page, or show another period.
        if state.is_gone() || state.period() != Some(period) {
            return;
        }
        match answer {
            Some(answer) => state.set_finer(period, Points::Records(answer)),
            None => state.set_loading(Loading::Failed),
        }
    }
}
