//! The trend of an org.

use super::{all_of, arithmetic, subject, within};
use crate::{
    Target,
    components::card::card,
    islands::{ChartData, Days, Points, TrendFigure},
    links,
    numbers::{counted, repositories},
};
use domain::{Day, OrgPoint, OrgQuery, OrgReport, Over, Percentage, Reason};
use leptos::prelude::*;
use std::collections::BTreeSet;

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

/// A line of all repositories. The mark of a day names the repository that came, if `compared` leaves out only that one.
pub(in crate::pages) fn with_came(
    mut days: Days,
    points: &[OrgPoint],
    compared: &OrgReport,
) -> Days {
    let new = compared.left_out.iter();
    let new: Vec<_> = new
        .filter_map(|one| match one.reason {
            Reason::New(day) => Some((day, &one.repository)),
            _ => None,
        })
        .collect();
    for (pair, value) in points.windows(2).zip(days.days.iter_mut().skip(1)) {
        let is_one = pair[0].repositories + 1 == pair[1].repositories;
        let days = new.iter();
        let days = days.filter(|(day, _)| pair[0].day < *day && *day <= pair[1].day);
        let names: BTreeSet<_> = days.map(|(_, of)| of.repo.to_string()).collect();
        if let Some(name) = names.first().filter(|_| is_one && names.len() == 1) {
            let whole = name.chars().count() <= MARK;
            let cut: String = name.chars().take(MARK).collect();
            value.4 = Some(format!("+ {cut}{}", if whole { "" } else { "…" }));
        }
    }
    days
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
            format!(
                "Coverage of {}",
                throughout(some.into(), report.period.from)
            )
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
    let own = with_came(own, &shown.points, report);
    let groups = arithmetic::lines_of_groups(shown);
    // The lines of groups leave no room for another line of the whole.
    let same = all.filter(|_| groups.is_empty() && report.change.is_some());
    let same = same.map(|_| {
        days(
            throughout(report.counted.into(), report.period.from),
            &report.points,
            &unit,
        )
    });
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
pub(in crate::pages) fn throughout(repositories: u64, since: Day) -> String {
    let count = counted(repositories, "repository", "repositories");
    format!("the same {count} since {}", since.long())
}

/// A line of a chart with a point for each day. The mark of a day counts the repositories that came.
pub(in crate::pages) fn days(label: String, points: &[OrgPoint], unit: &str) -> Days {
    let mut before = u32::MAX;
    let days = points.iter().map(|point| {
        let came = point.repositories.saturating_sub(before);
        before = point.repositories;
        let came = (came > 0).then(|| format!("+{}", repositories(came)));
        (
            point.day.0,
            point.coverage,
            point.repositories,
            point.lines,
            came,
        )
    });
    Days {
        label,
        unit: unit.to_owned(),
        days: days.collect(),
    }
}
