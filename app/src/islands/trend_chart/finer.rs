//! Selects a period, and fetches its finer points.

use super::{
    data::Points,
    state::{State, address_of, with_dates},
};
use crate::{
    api::TrendAnswer,
    islands::{
        fetch::{Loading, fetched},
        host,
    },
};
use domain::{Day, Period, Timestamp};
use leptos::prelude::set_timeout;
use std::time::Duration;
use wasm_bindgen_futures::spawn_local;

/// How long a request waits for the screen.
const PAUSE: Duration = Duration::from_millis(20);

impl State {
    /// Shows the days between two times, and writes them into the address.
    pub(super) fn select(self, (start, end): (i64, i64)) {
        let data = self.data();
        // A page that ends in the past ends at midnight, which is the next day already.
        let day = |time: i64| Day::of(Timestamp(time.min(data.until.0 - 1)));
        let period = Period {
            from: day(start.min(end)),
            to: day(start.max(end)),
        };
        self.set_period(Some(period));
        let address = with_dates(&address_of(&data), Some(period));
        if data.is_daily() {
            // The whole page is about this period.
            return host().choose(&address);
        }
        host().push(&address);
        self.load(period);
    }

    /// Loads the finer points of a period, if there are any. Until they arrive, the chart shows the points that it has.
    pub(super) fn load(self, period: Period) {
        let data = self.data();
        if let Some(finer) = data.finer.as_ref().filter(|_| data.points.are_reduced()) {
            let address = with_dates(finer, Some(period));
            self.set_loading(Loading::UnderWay);
            // After the screen shows the present points: starting a request takes a part of a frame.
            set_timeout(move || spawn_local(fetch(self, period, address)), PAUSE);
        }
    }
}

async fn fetch(state: State, period: Period, address: String) {
    // Another period may have been chosen.
    if !state.is_gone() && state.period() == Some(period) {
        let answer: Option<TrendAnswer> = fetched(&address, None).await;
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
