//! Copies what the chart shows: as a picture (PNG or SVG), or its points as CSV.

mod clipboard;
mod csv;
mod lazy;

use super::{data::ChartData, reactive::clicked, state::State};
use crate::charts::LineChart;
use leptos::prelude::*;
use std::{cell::Cell, time::Duration};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::Element;

/// How long the outcome is shown.
const SHOWN: Duration = Duration::from_secs(4);

thread_local! {
    /// Counts the copies: the end of an earlier copy does not hide the outcome of a later one.
    static COPIES: Cell<u32> = const { Cell::new(0) };
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

    fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Svg => "image/svg+xml",
            Self::Csv => "text/csv",
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
    COPIES.set(COPIES.get().wrapping_add(1));
    let (chart, data) = (state.chart(), state.data());
    spawn_local(async move {
        let words = match lazy::copy(format, chart, data).await {
            Ok(copied) => copied.await,
            Err(_) => "The code that copies could not be loaded. Reload the page and try again.",
        };
        outcome.set_text_content(Some(words));
        let shown = COPIES.get();
        let clear = move || {
            if COPIES.get() == shown {
                outcome.set_text_content(None);
            }
        };
        set_timeout(clear, SHOWN);
    });
}

/// The chart as text; the text of a PNG is the picture that it is made from.
pub(super) fn text(format: Format, chart: &LineChart, data: &ChartData) -> String {
    match format {
        Format::Csv => csv::csv(chart),
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
