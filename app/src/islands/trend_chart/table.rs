//! The data of the chart as a table, which is built when it is opened.

use super::state::State;
use crate::charts::{Line, LineChart, Point, sorted};
use domain::{CHART_LINES, CHART_POINTS};
use leptos::{either::Either, ev::Event, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::Element;

/// The maximum number of rows, newest first: enough for all points of one line.
const ROWS: usize = CHART_POINTS;

/// Hidden without scripts: the page has the records in its history, and the days of an org as a file.
pub(super) fn table(state: State) -> impl IntoView {
    let toggled = move |event: Event| {
        let details = event
            .target()
            .and_then(|target| target.dyn_into::<Element>().ok());
        state.set_table(details.is_some_and(|details| details.has_attribute("open")));
    };
    view! {
        <details class="scripted" on:toggle=toggled>
            <summary>"Show as table"</summary>
            {move || state.table().map(|chart| rows(&chart))}
        </details>
    }
}

fn rows(chart: &LineChart) -> impl IntoView + use<> {
    let lines = chart.lines.iter().take(CHART_LINES);
    let points: Vec<_> = lines
        .flat_map(|line| line.points().map(move |point| (line, point)))
        .collect();
    // The newest first.
    let ages = points.iter().map(|(_, point)| -point.at.0).collect();
    let newest = sorted(ages).into_iter().take(ROWS);
    let newest = newest.filter_map(|(_, place)| points.get(place));
    let rows = newest.map(|(line, point)| row(chart, line, point));
    let cut =
        (points.len() > ROWS).then(|| format!("The newest {ROWS} of {} points.", points.len()));
    view! {
        <div class="scroll" tabindex="0" role="region" aria-label="The chart's data">
            <table aria-label="The chart's data">
                <thead>
                    <tr>
                        <th scope="col">"When"</th>
                        <th scope="col">"Line"</th>
                        <th scope="col" class="num">"Coverage"</th>
                        <th scope="col">"Details"</th>
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
        {cut.map(|cut| view! { <p class="muted">{cut}</p> })}
    }
}

fn row(chart: &LineChart, line: &Line, point: &Point) -> impl IntoView + use<> {
    let detail = point.detail.join(" · ");
    let detail = match &point.href {
        Some(href) => Either::Left(view! { <a href=href.clone()>{detail}</a> }),
        None => Either::Right(detail),
    };
    view! {
        <tr>
            <td>{chart.when(point)}</td>
            <td><bdi>{line.label.clone()}</bdi></td>
            <td class="num">{format!("{}\u{202f}%", point.percentage)}</td>
            <td><bdi>{detail}</bdi></td>
        </tr>
    }
}
