//! The trend of an org, and an explanation of its arithmetic.

use super::{arithmetic, repositories};
use crate::{
    Target,
    charts::{Line, LineChart, Point},
    components::{coverage::grouped, line_chart::LineChartFigure},
    links,
};
use domain::{OrgQuery, OrgReport, Percentage};
use leptos::prelude::*;

/// A card with the chart and the explanation under it.
#[component]
pub(super) fn Trend(
    /// The report of the org.
    report: OrgReport,
    /// The query of the page.
    query: OrgQuery,
    /// Whether more repositories exist than were read.
    is_cut: bool,
) -> impl IntoView {
    let target = use_context::<Target>().map(|Target(target)| target);
    let sentences = arithmetic::sentences(&report, &query, is_cut);
    let left_out = (!report.left_out.is_empty()).then(|| {
        let out = report.repositories.saturating_sub(report.counted);
        let text = match out {
            0 => "Languages that were added or retired in the period are left out: see which"
                .to_owned(),
            _ => format!("{} left out: see which, and why", repositories(out)),
        };
        view! { " "<a class="link" href="#left-out">{text}</a>"." }
    });
    view! {
        <section class="card" aria-labelledby="trend">
            <div class="head">
                <h2 id="trend">"Trend"</h2>
                <span class="grow"></span>
                <a class="btn small" rel="external" download href=links::org_csv(&query, "trend")>"Trend as CSV"</a>
            </div>
            <LineChartFigure
                chart=chart(&report, &query, target)
                title="Trend of line coverage"
                empty="No repository has a value at both ends of this period. Choose a shorter period, or all repositories."
            />
            <p class="muted small note" data-testid="arithmetic">{sentences.join(" ")}{left_out}</p>
        </section>
    }
}

fn chart(report: &OrgReport, query: &OrgQuery, target: Option<Percentage>) -> LineChart {
    let mut pieces: Vec<Vec<Point>> = vec![Vec::new()];
    for point in &report.points {
        let Some(percentage) = point.coverage else {
            // There is no value before the first record, or after the last repository was retired.
            pieces.push(Vec::new());
            continue;
        };
        let mut detail = vec![repositories(point.repositories)];
        if let Some(lines) = point.lines {
            detail.push(format!(
                "{} of {} lines",
                grouped(lines.covered),
                grouped(lines.total)
            ));
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push(Point {
                at: point.day.start(),
                percentage,
                href: None,
                detail,
            });
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    LineChart {
        lines: vec![Line {
            label: format!("{}, {}", query.org, query.mean.label()),
            pieces,
            is_over: true,
        }],
        target,
        since: Some(report.period.from.start()),
        until: report.period.to.start(),
        is_daily: true,
    }
}
