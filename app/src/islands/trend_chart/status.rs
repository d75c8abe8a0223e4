//! What the chart shows, as text: the selected period, the number of records, and whether finer points are loading.

use super::state::{Loading, State};
use crate::charts::LineChart;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

pub(super) fn status(state: State) -> impl IntoView {
    let text = move || {
        let period = state
            .period
            .get()
            .map(|period| format!("{} to {}. ", period.from.long(), period.to.long()));
        let loading = match state.loading.get() {
            Loading::No => "",
            Loading::Yes => " Loading more points of this period …",
            Loading::Failed => " More points of this period could not be loaded.",
        };
        let is_empty = state.chart.with(LineChart::is_empty);
        let summary = match state.period.get() {
            _ if is_empty => "Nothing was uploaded in this period.".to_owned(),
            // Until the points of the period are there, only the drawing is cut.
            Some(_) if state.points.with(|_| state.loaded.get_value().is_none()) => String::new(),
            _ => state.points.with(|points| points.summary()),
        };
        format!("{}{summary}{loading}", period.unwrap_or_default())
    };
    let retry = move |_| {
        if let Some(period) = state.period.get_untracked() {
            state.load(period);
        }
    };
    let reset = move |_| {
        // The button disappears.
        let drawing = document().get_element_by_id("trend-drawing");
        if let Some(drawing) = drawing.and_then(|drawing| drawing.dyn_into::<HtmlElement>().ok()) {
            // It can be focused while the chart is live.
            let _ = drawing.focus();
        }
        state.reset();
    };
    let is_failed = move || state.loading.get() == Loading::Failed;
    let is_whole = move || state.period.get().is_none();
    view! {
        <p class="period small muted">
            <span role="status" data-testid="period">{text}</span>
            <button type="button" class="btn small" hidden=move || !is_failed() on:click=retry>"Try again"</button>
            <button type="button" class="btn small" hidden=is_whole on:click=reset>"Show the whole period"</button>
        </p>
    }
}
