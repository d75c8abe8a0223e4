//! What the chart shows, as text: the selected period, the number of records, and whether finer points are loading.

use super::{
    plot,
    reactive::{clicked, flag, text},
    state::{Loading, State},
};
use leptos::prelude::*;

pub(super) fn status(state: State) -> impl IntoView {
    let text = text(move || {
        let period = state
            .period()
            .map(|period| format!("{} to {}. ", period.from.long(), period.to.long()));
        let loading = match state.loading() {
            Loading::No => "",
            Loading::Yes => " Loading more points of this period …",
            Loading::Failed => " More points of this period could not be loaded.",
        };
        let summary = match state.period() {
            _ if state.chart().is_empty() => "Nothing was uploaded in this period.".to_owned(),
            // Until the points of the period arrive, only the drawing is cut.
            Some(_) if state.are_of_page() => String::new(),
            _ => state.summary(),
        };
        format!("{}{summary}{loading}", period.unwrap_or_default())
    });
    let retry = clicked(move |_| {
        if let Some(period) = state.period() {
            state.load(period);
        }
    });
    let reset = clicked(move |_| {
        // The button disappears.
        if let Some(drawing) = plot::drawing() {
            // Focusing the drawing does not fail while the chart is live.
            let _ = drawing.focus();
        }
        state.reset();
    });
    let has_not_failed = flag(move || state.loading() != Loading::Failed);
    let is_whole = flag(move || state.period().is_none());
    view! {
        <p class="period small muted">
            <span role="status" data-testid="period">{text}</span>
            <button type="button" class="btn small" hidden=has_not_failed on:click=retry>"Try again"</button>
            <button type="button" class="btn small" hidden=is_whole on:click=reset>"Show the whole period"</button>
        </p>
    }
}
