//! A line chart over time. The server's drawing is its first rendering; in the browser, lines can be hidden, a period can be
//! selected, and each point can be read by pointer, finger and keys.

mod copies;
mod cursor;
mod data;
mod dates;
mod differences;
mod finer;
mod gestures;
#[cfg(feature = "hydrate")]
mod lazy;
mod legend;
mod plot;
mod reactive;
mod state;
mod status;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use data::ChartData;
#[cfg(feature = "ssr")]
pub(crate) use data::{Days, Points};
#[cfg(feature = "hydrate")]
pub(super) use {gestures::stop_opening, lazy::hydrate};

use leptos::prelude::*;
use state::State;

/// The name of the island, in pages and among the files of the build.
pub(super) const NAME: &str = "trend_chart";

/// The chart as an island; `empty` is the sentence for a chart without points.
#[cfg(feature = "ssr")]
#[component]
pub(crate) fn TrendFigure(
    data: ChartData,
    /// The sentence for a chart without points.
    #[prop(into)]
    empty: String,
) -> impl IntoView {
    use super::frame::island;
    if data
        .points
        .lines()
        .iter()
        .all(|line| line.points().next().is_none())
    {
        return view! { <p class="muted note" data-testid="trend">{empty}</p> }.into_any();
    }
    let copy = data.clone();
    island(NAME, &data, move || figure(copy))
}

/// The chart with its legend and its table.
fn figure(data: ChartData) -> impl IntoView {
    let title = data.title.clone();
    let state = State::new(data);
    let label = reactive::text(move || {
        let chart = state.chart();
        let shown = chart.lines.iter().filter(|line| !line.pieces.is_empty());
        let names: Vec<_> = shown.map(|line| line.label.as_str()).collect();
        format!("{title}: {}", names.join(", "))
    });
    view! {
        <figure class="chart trend" data-testid="trend" aria-label=label>
            {plot::plot(state)}
            {plot::keys(state)}
            {legend::legend(state)}
            {status::status(state)}
            {copies::copies(state)}
            {table::table(state)}
        </figure>
    }
}
