//! A line chart with its legend, the range of its axis, and its data as a table.

use crate::{
    charts::{Line, LineChart, MAX_LINES, MAX_POINTS, NARROW, Point, TargetPlace, WIDE},
    components::{
        coverage::{Percent, whole},
        drawing::Drawings,
    },
};
use leptos::prelude::*;
use std::cmp::Reverse;

/// The maximum number of rows in the table under a chart, newest first: enough for all drawn points of one line.
const TABLE_ROWS: usize = MAX_POINTS;

/// The chart in the size that fits the screen; a sentence if it has no points.
#[component]
pub(crate) fn LineChartFigure(
    /// The chart.
    chart: LineChart,
    /// The title, such as `Trend of line coverage`.
    #[prop(into)]
    title: String,
    /// The sentence for a chart without points.
    #[prop(into)]
    empty: String,
) -> impl IntoView {
    if chart.is_empty() {
        return view! { <p class="muted note" data-testid="trend">{empty}</p> }.into_any();
    }
    let shown = &chart.lines[..chart.lines.len().min(MAX_LINES)];
    let names: Vec<_> = shown.iter().map(|line| line.label.as_str()).collect();
    let label = format!("{title}: {}", names.join(", "));
    let ends: Vec<_> = chart.ends().collect();
    let drawn = format!("{title}. {}", ends.join("; "));
    let can_open = chart.points().any(|point| point.href.is_some());
    let (wide, narrow) = (chart.svg(WIDE), chart.svg(NARROW));
    view! {
        <figure class="chart" data-testid="trend" aria-label=label>
            <Drawings wide narrow label=drawn keys="trend-keys" can_open/>
            <figcaption class="legend">
                {shown.iter().zip(1..).map(|(line, number)| legend(&chart, line, number)).collect_view()}
                {target(&chart)}
                <span class="grow"></span>
                <span class="muted">{axis(&chart)}</span>
            </figcaption>
            {table(&chart, shown)}
        </figure>
    }
    .into_any()
}

fn legend(chart: &LineChart, line: &Line, number: u32) -> impl IntoView + use<> {
    let stale = chart
        .stale_days(line)
        .map(|days| view! { <span class="muted">{format!(" (dashed: no upload for {days} days)")}</span> });
    view! { <span><i class=format!("series-{number}")></i><bdi>{line.label.clone()}</bdi>{stale}</span> }
}

fn target(chart: &LineChart) -> Option<impl IntoView + use<>> {
    let (target, place) = (chart.target?, chart.target_place()?);
    let place = match place {
        TargetPlace::Shown => "",
        TargetPlace::Above => ", above this axis",
        TargetPlace::Below => ", below this axis",
    };
    Some(view! { <span><i class="target"></i>{format!("target {}{place}", whole(target))}</span> })
}

/// States the range of the axis, so that a small step is not mistaken for a large one.
fn axis(chart: &LineChart) -> String {
    let (low, high) = chart.axis();
    format!("The axis goes from {} to {}.", whole(low), whole(high))
}

fn table(chart: &LineChart, lines: &[Line]) -> impl IntoView + use<> {
    let mut points: Vec<_> = lines
        .iter()
        .flat_map(|line| line.points().map(move |point| (line, point)))
        .collect();
    points.sort_by_key(|(_, point)| Reverse(point.at));
    let cut = (points.len() > TABLE_ROWS)
        .then(|| format!("The newest {TABLE_ROWS} of {} points.", points.len()));
    points.truncate(TABLE_ROWS);
    view! {
        <details>
            <summary>"Show as table"</summary>
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
                    <tbody>{points.into_iter().map(|(line, point)| row(chart, line, point)).collect_view()}</tbody>
                </table>
            </div>
            {cut.map(|cut| view! { <p class="muted">{cut}</p> })}
        </details>
    }
}

fn row(chart: &LineChart, line: &Line, point: &Point) -> impl IntoView + use<> {
    let detail = point.detail.join(" · ");
    let detail = match (&point.href, detail.is_empty()) {
        (Some(href), is_empty) => {
            let text = if is_empty { "open".to_owned() } else { detail };
            view! { <a href=href.clone()>{text}</a> }.into_any()
        }
        (None, _) => detail.into_any(),
    };
    view! {
        <tr>
            <td>{chart.when(point)}</td>
            <td><bdi>{line.label.clone()}</bdi></td>
            <td class="num">{point.percentage.to_string()}<Percent/></td>
            <td><bdi>{detail}</bdi></td>
        </tr>
    }
}
