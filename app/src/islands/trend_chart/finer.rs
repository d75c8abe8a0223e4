//! Fetches the finer points of a period.

use super::{
    data::Points,
    state::{Loading, State},
};
use crate::{api::TrendAnswer, islands::fetch::fetched};
use domain::Period;
use wasm_bindgen_futures::spawn_local;

/// Fetches the points at `address`. Until they are there, the chart shows those that it has.
pub(super) fn load(state: State, period: Period, address: String) {
    state.set_loading(Loading::Yes);
    spawn_local(async move {
        let answer: Option<TrendAnswer> = fetched(&address).await;
        // The chart may have left the page, or show another period.
        if state.is_gone() || state.period() != Some(period) {
            return;
        }
        match answer {
            Some(answer) => state.set_finer(period, Points::Records(answer)),
            None => state.set_loading(Loading::Failed),
        }
    });
}
