//! A trend chart with its legend and its data as a table.

use crate::{
    components::coverage::Percent,
    domain::{Series, TrendPoint},
    links::ReportLinks,
};
use leptos::prelude::*;

/// Rows of the table under a chart, newest first.
const TABLE_ROWS: usize = 100;

/// The chart in the size that fits the screen.
#[component]
pub(crate) fn TrendChart(
    /// The drawings for a desk and for a phone.
    drawings: [String; 2],
    /// What they show.
    trend: Vec<Series>,
    /// Where its points lead.
    reports: ReportLinks,
) -> impl IntoView {
    let label = format!(
        "Trend of line coverage: {}",
        trend.iter().map(name).collect::<Vec<_>>().join(", ")
    );
    let [wide, narrow] = drawings;
    view! {
        <figure class="chart" data-testid="trend" aria-label=label>
            <div class="wide-drawing" inner_html=wide></div>
            <div class="narrow-drawing" inner_html=narrow></div>
            <figcaption class="legend">
                {trend.iter().zip(1..).map(|(series, number)| view! {
                    <span><i class=format!("series-{number}")></i><bdi>{name(series)}</bdi></span>
                }).collect_view()}
                <span class="grow"></span>
                <span class="muted">"The axis fits the data."</span>
            </figcaption>
            <details>
                <summary>"Show as table"</summary>
                <div class="scroll" tabindex="0">
                    <table>
                        <thead>
                            <tr><th scope="col">"When"</th><th scope="col">"Branch"</th><th scope="col" class="num">"Coverage"</th><th scope="col">"Commit"</th></tr>
                        </thead>
                        <tbody>{newest(&trend).into_iter().map(|point| row(point, &reports)).collect_view()}</tbody>
                    </table>
                </div>
            </details>
        </figure>
    }
}

fn name(series: &Series) -> String {
    format!("{} · {}", series.branch, series.language)
}

fn newest(trend: &[Series]) -> Vec<(&Series, &TrendPoint)> {
    let mut points: Vec<_> = trend
        .iter()
        .flat_map(|series| series.points.iter().map(move |point| (series, point)))
        .collect();
    points.sort_by_key(|(_, point)| std::cmp::Reverse(point.at));
    points.truncate(TABLE_ROWS);
    points
}

fn row((series, point): (&Series, &TrendPoint), reports: &ReportLinks) -> impl IntoView + use<> {
    view! {
        <tr>
            <td>{point.at.long()}</td>
            <td><bdi>{name(series)}</bdi></td>
            <td class="num">{point.percentage.to_string()}<Percent/></td>
            <td class="mono"><a rel="external" href=reports.report(point.record_id)>{point.commit.to_string()}</a></td>
        </tr>
    }
}
