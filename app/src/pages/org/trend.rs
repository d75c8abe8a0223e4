//! The trend of an org, and an explanation of its arithmetic.

use super::{arithmetic, subject, within, without_row};
use crate::{
    Target,
    components::card::card,
    islands::{ChartData, Days, Points, TrendFigure},
    links,
    numbers::repositories,
};
use domain::{OrgHistory, OrgPoint, OrgQuery, OrgReport, Over, Percentage};
use leptos::prelude::*;

/// A card with the chart and the explanation under it.
pub(super) fn trend(report: &OrgReport, query: &OrgQuery, history: &OrgHistory) -> AnyView {
    let target = use_context::<Target>().map(|Target(target)| target);
    let sentences = arithmetic::sentences(report, query, history);
    let left_out = (!report.left_out.is_empty()).then(|| {
        let out = report.counts.in_period.saturating_sub(report.counted);
        let text = match out {
            0 => "Languages that were added or retired in the period are left out: see which"
                .to_owned(),
            _ => format!("{} left out: see which, and why", repositories(out)),
        };
        let href = match without_row(report, query).0.is_empty() {
            true => "#moved",
            false => "#left-out",
        };
        let all = OrgQuery {
            over: Over::All,
            ..query.clone()
        };
        let all = (query.over == Over::Same).then(|| {
            view! { " "<a class="link" href=links::org_view(&all)>"Count all repositories"</a>"." }
        });
        view! { " "<a class="link" href=href>{text}</a>"."{all} }
    });
    let beside = view! {
        {at_end(report, query).map(|ends| view! { <span class="muted small unprinted">{ends}</span> })}
        <span class="grow"></span>
        <a class="btn small" rel="external" download href=links::org_csv(query, "trend")>"Trend as CSV"</a>
    };
    let content = view! {
        <TrendFigure
            data=data(report, query, target)
            empty="No repository has a value at both ends of this period. Choose a shorter period, or all repositories."
        />
        <p class="muted small note" data-testid="arithmetic">{sentences.join(" ")}{left_out}</p>
    };
    card("trend", title(report, query), beside, content)
}

/// The heading names the repositories of the chart, because the numbers above it are of all.
fn title(report: &OrgReport, query: &OrgQuery) -> String {
    match (report.counted, report.counts.in_period) {
        (some, all) if some < all && query.over == Over::Same && report.change.is_some() => {
            format!("Coverage of the {} measured throughout", repositories(some))
        }
        _ => "Trend".to_owned(),
    }
}

/// The values at which the lines end.
fn at_end(report: &OrgReport, query: &OrgQuery) -> Option<String> {
    let own = (subject(query), report.last());
    let parent = report.parent.as_ref();
    let groups = arithmetic::lines_of_groups(report).into_iter();
    let groups = groups.map(|row| (within(parent, row.org.as_str()), row.points.last()));
    let ends = std::iter::once(own).chain(groups);
    let ends = ends.filter_map(|(name, last)| {
        let coverage = last?.coverage?;
        Some(format!("{name} {coverage}\u{202f}%"))
    });
    let ends: Vec<_> = ends.collect();
    (!ends.is_empty()).then(|| format!("ends at: {}", ends.join(", ")))
}

fn data(report: &OrgReport, query: &OrgQuery, target: Option<Percentage>) -> ChartData {
    // The line ends at another value than the coverage of the org if repositories are left out.
    let whose = match (report.counted, report.counts.in_period) {
        (some, all) if some < all => format!("{} of {}", some, repositories(all)),
        _ => query.label_of(query.mean),
    };
    let own = days(
        format!("{}, {whose}", subject(query)),
        &report.points,
        query,
    );
    let parent = report.parent.as_ref();
    let groups = arithmetic::lines_of_groups(report).into_iter();
    let groups = groups.map(|row| days(within(parent, row.org.as_str()), &row.points, query));
    let page = OrgQuery {
        from: None,
        to: None,
        ..query.clone()
    };
    ChartData {
        title: format!("Trend of {} coverage", query.metric.singular()),
        subject: subject(query),
        points: Points::Days(std::iter::once(own).chain(groups).collect()),
        target,
        since: Some(report.period.from.start()),
        until: report.period.to.start(),
        page: links::org_view(&page),
        finer: None,
        has_dates: query.has_dates(),
        is_share: false,
        is_past: true,
    }
}

fn days(label: String, points: &[OrgPoint], query: &OrgQuery) -> Days {
    let days = points
        .iter()
        .map(|point| (point.day.0, point.coverage, point.repositories, point.lines));
    Days {
        label,
        unit: query.metric.to_string(),
        days: days.collect(),
    }
}
