//! A line chart over time. The server's drawing is its first rendering; in the browser, lines can be hidden, a period can be
//! selected, and each point can be read by pointer, finger and keys.

mod copies;
mod cursor;
mod data;
mod differences;
mod finer;
mod gestures;
mod legend;
mod plot;
mod state;
mod status;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use data::ChartData;
#[cfg(feature = "ssr")]
pub(crate) use data::{Days, Points};
#[cfg(feature = "hydrate")]
pub use gestures::stop_opening;

use leptos::prelude::*;
use state::State;
use web_sys::MouseEvent;

/// The name of the island, in pages and among the files of the build.
pub(super) const NAME: &str = "trend_chart";

/// The `id` of the drawing. A page has at most one chart.
const ID: &str = "trend-drawing";

fn drawing() -> Option<web_sys::HtmlElement> {
    wasm_bindgen::JsCast::dyn_into(document().get_element_by_id(ID)?).ok()
}

/// The chart as an island; `empty` is the sentence for a chart without points.
#[cfg(feature = "ssr")]
#[component]
pub(crate) fn TrendFigure(mut data: ChartData, #[prop(into)] empty: String) -> impl IntoView {
    use super::frame::island;
    if data.points.first().is_none() {
        return view! { <p class="muted note" data-testid="trend">{empty}</p> }.into_any();
    }
    let begins = data.begin_with_first_point().map(|day| {
        let sentence = format!(
            "The chart begins on {}: this period has no earlier point.",
            day.long()
        );
        view! { <p class="muted small note">{sentence}</p> }
    });
    let copy = data.clone();
    let island = island(NAME, &data, move || figure(copy));
    view! { {begins}{island} }.into_any()
}

fn figure(data: ChartData) -> impl IntoView {
    let title = data.title.clone();
    let state = State::new(data);
    let label = live(move || {
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

/// Loads the code of the chart, and hydrates what the server rendered in `root`. The chart ends when the result is dropped;
/// `None` if the page was replaced, or if `data` is not readable, because another release wrote it.
#[cfg(feature = "hydrate")]
#[leptos::wasm_split::wasm_split(trend_chart, fallible, wasm_split_path = leptos::wasm_split)]
pub(super) fn hydrate(
    root: web_sys::HtmlElement,
    data: String,
) -> Result<Option<Box<dyn std::any::Any>>, leptos::wasm_split::SplitLoaderError> {
    // The page may have been replaced while the code was loading.
    if !root.is_connected() {
        return Ok(None);
    }
    let data: Option<ChartData> = serde_json::from_str(&data).ok();
    Ok(data.map(|data| {
        Box::new(leptos::mount::hydrate_from(root, || figure(data))) as Box<dyn std::any::Any>
    }))
}

/// A value of the page that follows the state. Such closures are boxed, because each type of closure adds a copy of the code
/// around it.
fn live<T>(now: impl Fn() -> T + Send + 'static) -> Box<dyn Fn() -> T + Send> {
    Box::new(now)
}

/// Calls `changed` once the chart is hydrated, and after each change of the state that it reads.
fn follow(changed: impl FnMut() + 'static) {
    let changed: Box<dyn FnMut()> = Box::new(changed);
    Effect::new(changed);
}

fn clicked(handle: impl FnMut(MouseEvent) + 'static) -> Box<dyn FnMut(MouseEvent)> {
    Box::new(handle)
}
