//! The trend of an org.

use super::{all_of, arithmetic, subject, within};
use crate::{
    Target,
    components::card::card,
    islands::{ChartData, Days, Points, TrendFigure},
    links,
    numbers::{counted, repositories},
};
use domain::{OrgPoint, OrgQuery, OrgReport, Over, Percentage, Reason};
use leptos::prelude::*;
use std::{collections::BTreeSet, fmt::Write};

/// The most characters of the name of a repository in a chart.
const MARK: usize = 24;

/// A card with the chart. `all` is over all repositories, if `report` is over some of them.
pub(super) fn trend(report: &OrgReport, all: Option<&OrgReport>, query: &OrgQuery) -> AnyView {
    let target = use_context::<Target>().map(|Target(target)| target);
    let beside = view! {
        {at_end(all.unwrap_or(report), query).map(|ends| view! { <span class="muted small unprinted">{ends}</span> })}
    };
    let content = view! {
        <TrendFigure
            data=data(report, all, query, target)
            empty="No repository has a value at both ends of this period. Choose a shorter period, or all repositories."
        />
    };
    card("trend", title(report, all, query), beside, content)
}

/// The marks, which need no escaping, of the points of all repositories before which some came: the name of one that `compared` leaves out, or their number.
pub(in crate::pages) fn came(points: &[OrgPoint], compared: &OrgReport) -> String {
    let new = compared.left_out.iter();
    let new: Vec<_> = new
        .filter_map(|one| match one.reason {
            Reason::New(day) => Some((day, &one.repository)),
            _ => None,
        })
        .collect();
    let mut lines = String::new();
    for pair in points.windows(2) {
        let count = pair[1].repositories.saturating_sub(pair[0].repositories);
        let days = new.iter();
        let days = days.filter(|(day, _)| pair[0].day < *day && *day <= pair[1].day);
        let names: BTreeSet<_> = days.map(|(_, of)| of.repo.to_string()).collect();
        let name = names.first().filter(|_| count == 1 && names.len() == 1);
        let text = match name {
            Some(name) if name.chars().count() > MARK => {
                format!("{}…", name.chars().take(MARK).collect::<String>())
            }
            Some(name) => name.clone(),
            None if count > 0 => repositories(count),
            None => continue,
        };
        let sign = if name.is_some() { "+ " } else { "+" };
        // Writing to a string cannot fail.
        let _ = writeln!(lines, "{}{sign}{text}", pair[1].day.0);
    }
    lines
}

/// The heading names the repositories of the chart if the numbers above it are of others.
fn title(report: &OrgReport, all: Option<&OrgReport>, query: &OrgQuery) -> String {
    match (report.counted, report.counts.in_period) {
        (some, all_of)
            if some < all_of
                && all.is_none()
                && query.over == Over::Same
                && report.change.is_some() =>
        {
            format!("Coverage of the {} measured throughout", repositories(some))
        }
        _ => "Trend".to_owned(),
    }
}

/// The values at which the lines of groups end.
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
    // The first number of the page is where a single line ends.
    (ends.len() > 1).then(|| format!("ends at: {}", ends.join(", ")))
}

fn data(
    report: &OrgReport,
    all: Option<&OrgReport>,
    query: &OrgQuery,
    target: Option<Percentage>,
) -> ChartData {
    let unit = query.metric.to_string();
    let shown = all.unwrap_or(report);
    // The line ends at another value than the coverage of the org if repositories are left out.
    let whose = match (shown.counted, shown.counts.in_period) {
        (some, in_period) if some < in_period => format!("{} of {}", some, repositories(in_period)),
        (some, _) if all.is_some() => all_of(some.into()),
        _ => query.label_of(query.mean),
    };
    let own = days(format!("{}, {whose}", subject(query)), &shown.points, &unit);
    let own = Days {
        came: came(&shown.points, report),
        ..own
    };
    let groups = arithmetic::lines_of_groups(shown);
    // The lines of groups leave no room for another line of the whole.
    let same = all.filter(|_| groups.is_empty() && report.change.is_some());
    let same = same.map(|_| days(throughout(report.counted.into()), &report.points, &unit));
    let parent = report.parent.as_ref();
    let groups = groups.into_iter();
    let groups = groups.map(|row| days(within(parent, row.org.as_str()), &row.points, &unit));
    let lines = std::iter::once(own).chain(same).chain(groups);
    let page = OrgQuery {
        from: None,
        to: None,
        ..query.clone()
    };
    ChartData {
        title: format!("Trend of {} coverage", query.metric.singular()),
        subject: subject(query),
        points: Points::Days(lines.collect()),
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

/// The name of the line of the repositories that a change is about.
pub(in crate::pages) fn throughout(repositories: u64) -> String {
    let count = counted(repositories, "repository", "repositories");
    format!("the {count} measured throughout")
}

/// A line of a chart with a point for each day.
pub(in crate::pages) fn days(label: String, points: &[OrgPoint], unit: &str) -> Days {
    let days = points
        .iter()
        .map(|point| (point.day.0, point.coverage, point.repositories, point.lines));
    Days {
        label,
        unit: unit.to_owned(),
        days: days.collect(),
        came: String::new(),
    }
}
