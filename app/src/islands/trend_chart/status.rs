//! What the chart shows, as text: the selected period, the number of records, and whether finer points are loading.

use super::state::{Loading, State};
use leptos::prelude::*;

pub(super) fn status(state: State) -> impl IntoView {
    let text = move || {
        let period = state
            .period
            .get()
            .map(|period| format!("{} to {}. ", period.from.long(), period.to.long()));
        let loading = match state.loading.get() {
            Loading::No => "",
            Loading::Yes => " Loading all points of this period …",
            Loading::Failed => " The points of this period could not be loaded.",
        };
        let summary = match state.period.get() {
            // Until the points of the period are there, only the drawing is cut.
            Some(_)
                if state.points.with(|points| {
                    points == &state.data.with_value(|data| data.points.clone())
                }) =>
            {
                String::new()
            }
            _ => state.points.with(|points| points.summary()),
        };
        format!("{}{summary}{loading}", period.unwrap_or_default())
    };
    let retry = move |_| {
        if let Some(period) = state.period.get_untracked() {
            state.load(period);
        }
    };
    let is_failed = move || state.loading.get() == Loading::Failed;
    let is_whole = move || state.period.get().is_none();
    view! {
        <p class="period small muted">
            <span role="status" data-testid="period">{text}</span>
            <button type="button" class="btn small" hidden=move || !is_failed() on:click=retry>"Try again"</button>
            <button type="button" class="btn small" hidden=is_whole on:click=move |_| state.reset()>"Show the whole period"</button>
        </p>
    }
}
