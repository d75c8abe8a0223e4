//! Copies what the chart shows: as a picture (PNG or SVG), or its points as CSV.

mod clipboard;

use super::{
    clicked,
    data::{ChartData, Days, Points},
    state::State,
};
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

/// The columns of a CSV of records; a time is in RFC 3339, a percentage has no sign.
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
        let button: Option<Element> = event.target().and_then(|target| target.dyn_into().ok());
        match button {
            Some(button) if button.has_attribute("data-print") => drop(window().print()),
            button => {
                if let Some((format, outcome)) = button.and_then(format_and_outcome) {
                    copy(format, state, outcome);
                }
            }
        }
    });
    view! {
        <p class="copies small muted scripted" on:click=clicked>
            <span>"Copy as"</span>
            <button type="button" class="btn small" data-format="PNG" aria-label="Copy the chart as PNG">"PNG"</button>
            <button type="button" class="btn small" data-format="SVG" aria-label="Copy the chart as SVG">"SVG"</button>
            <button type="button" class="btn small" data-format="CSV" aria-label="Copy the chart as CSV">"CSV"</button>
            <button type="button" class="btn small" data-print>"Print"</button>
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
        Format::Csv => match &data.points {
            Points::Records(_) => csv(chart),
            Points::Days(lines) => csv_of_days(chart, lines),
        },
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
        let time = point.at.machine();
        let (label, details) = (cell(&line.label), point.detail.join(" · "));
        format!("{time},{label},{},{}\r\n", point.percentage, cell(&details))
    });
    [COLUMNS.to_owned()].into_iter().chain(rows).collect()
}

/// The days of an org as CSV, with the columns of its `trend.csv`. If several lines are shown, a last column names the line.
fn csv_of_days(chart: &LineChart, lines: &[Days]) -> String {
    let shown = lines.iter().zip(&chart.lines);
    let shown = shown.filter(|(_, line)| !line.pieces.is_empty());
    let shown: Vec<_> = shown.map(|(days, _)| days).collect();
    let unit = shown.first().map_or("lines", |days| days.unit.as_str());
    let has_line = shown.len() > 1;
    let line = if has_line { ",line" } else { "" };
    let mut csv = format!("day,percentage,{unit}_covered,{unit}_total,repositories{line}\r\n");
    for days in shown {
        let line = if has_line {
            format!(",{}", cell(&days.label))
        } else {
            String::new()
        };
        for (day, percentage, repositories, count, _) in &days.days {
            let percentage = percentage.map(|percentage| percentage.to_string());
            let (covered, total) = count
                .map(|count| (count.covered.to_string(), count.total.to_string()))
                .unwrap_or_default();
            let percentage = percentage.unwrap_or_default();
            csv += &format!(
                "{},{percentage},{covered},{total},{repositories}{line}\r\n",
                Day(*day)
            );
        }
    }
    csv
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
