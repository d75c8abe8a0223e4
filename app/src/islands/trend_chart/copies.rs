//! Copies what the chart shows: as a picture (PNG or SVG), or its points as CSV.

mod clipboard;

use super::{clicked, data::ChartData, state::State};
use crate::{browser::Timer, charts::LineChart};
use domain::{CHART_LINES, Day, guarded};
use leptos::{
    prelude::*,
    wasm_split::{SplitLoaderError, wasm_split},
};
use std::{borrow::Cow, pin::Pin, sync::Arc, time::Duration};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::Element;

/// The columns of a CSV; a time is in RFC 3339, or a day; a percentage has no sign.
const COLUMNS: &str = "time,line,percentage,details\r\n";

const SHOWN: Duration = Duration::from_secs(4);

thread_local! {
    /// The timer that hides the outcome of the last copy.
    static HIDING: Timer = const { Timer::new() };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// A picture for chats and slides, in the colours of the light theme.
    Png,
    /// The text of a standalone picture.
    Svg,
    /// The text of a table.
    Csv,
}

impl Format {
    const ALL: [Self; 3] = [Self::Png, Self::Svg, Self::Csv];

    fn name(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Svg => "SVG",
            Self::Csv => "CSV",
        }
    }
}

/// A button for each format. Without scripts they are hidden; the page links to the trend as an image.
pub(super) fn copies(state: State) -> impl IntoView {
    let clicked = clicked(move |event| {
        let button = event.target().and_then(|target| target.dyn_into().ok());
        if let Some((format, outcome)) = button.and_then(format_and_outcome) {
            copy(format, state, outcome);
        }
    });
    view! {
        <p class="copies small muted scripted" on:click=clicked>
            <span>"Copy as"</span>
            <button type="button" class="btn small" data-format="PNG" aria-label="Copy the chart as PNG">"PNG"</button>
            <button type="button" class="btn small" data-format="SVG" aria-label="Copy the chart as SVG">"SVG"</button>
            <button type="button" class="btn small" data-format="CSV" aria-label="Copy the chart as CSV">"CSV"</button>
            <span role="status" data-testid="copied"></span>
        </p>
    }
}

/// What a button copies, and the element for the outcome.
fn format_and_outcome(button: Element) -> Option<(Format, Element)> {
    let button = button.closest("[data-format]").ok()??;
    let name = button.get_attribute("data-format")?;
    let format = Format::ALL
        .into_iter()
        .find(|format| format.name() == name)?;
    let outcome = button
        .parent_element()?
        .query_selector("[role=status]")
        .ok()??;
    Some((format, outcome))
}

fn copy(format: Format, state: State, outcome: Element) {
    outcome.set_text_content(None);
    HIDING.with(Timer::stop);
    let (chart, data) = (state.chart(), state.data());
    spawn_local(async move {
        let words = match copy_lazily(format, chart, data).await {
            Ok(copied) => copied.await,
            Err(_) => "The code that copies could not be loaded. Reload the page and try again.",
        };
        outcome.set_text_content(Some(words));
        HIDING.with(|hiding| hiding.start(SHOWN, move || outcome.set_text_content(None)));
    });
}

/// The chart as text; the text of a PNG is the picture that it is made from.
pub(super) fn text(format: Format, chart: &LineChart, data: &ChartData) -> String {
    match format {
        Format::Csv => csv(chart),
        Format::Png | Format::Svg => {
            let title = format!("{}, {}", data.title, data.subject);
            chart.document(&title, "Nothing was uploaded in this period.")
        }
    }
}

/// A name for a saved file, such as `repos-acme-payments-trend.png`.
fn file_name(format: Format, data: &ChartData) -> String {
    let path = data.page.split('?').next().unwrap_or_default();
    let path = path.trim_matches('/').replace('/', "-");
    format!("{path}-trend.{}", format.name().to_ascii_lowercase())
}

/// The outcome of a copy, as a sentence.
type Copying = Pin<Box<dyn Future<Output = &'static str>>>;

/// Copies with code that is loaded with the first copy: few visits need it.
#[wasm_split(trend_copies, fallible, wasm_split_path = leptos::wasm_split)]
fn copy_lazily(
    format: Format,
    chart: Arc<LineChart>,
    data: Arc<ChartData>,
) -> Result<Copying, SplitLoaderError> {
    let (text, file_name) = (text(format, &chart, &data), file_name(format, &data));
    Ok(Box::pin(clipboard::copy(format, text, file_name)))
}

/// The points of a chart as CSV (RFC 4180), the oldest first.
fn csv(chart: &LineChart) -> String {
    let lines = chart.lines.iter().take(CHART_LINES);
    let mut points: Vec<_> = lines
        .flat_map(|line| line.points().map(move |point| (line, point)))
        .collect();
    points.sort_by_key(|(_, point)| point.at);
    let rows = points.into_iter().map(|(line, point)| {
        let time = if chart.is_daily {
            Day::of(point.at).to_string()
        } else {
            point.at.machine()
        };
        let (label, details) = (cell(&line.label), point.detail.join(" · "));
        format!("{time},{label},{},{}\r\n", point.percentage, cell(&details))
    });
    [COLUMNS.to_owned()].into_iter().chain(rows).collect()
}

/// A text as a cell, in quotes if it needs them.
fn cell(text: &str) -> Cow<'_, str> {
    let text = guarded(text.into());
    if text.contains([',', '"', '\r', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\"")).into()
    } else {
        text
    }
}
