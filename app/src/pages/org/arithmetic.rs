//! Explains in sentences how an org's numbers are computed.

use super::without_row;
use crate::{
    links,
    numbers::{counted, repositories},
};
use domain::{
    CHART_LINES, GroupRow, Mean, OrgHistory, OrgQuery, OrgReport, Over, STALE_DAYS, StatedMetric,
};
use leptos::prelude::*;
use std::cmp::Reverse;

/// The groups that have a line in the chart: the largest ones, sorted by name. A single group has no line: it would hide the line
/// of the org.
pub(super) fn lines_of_groups(report: &OrgReport) -> Vec<&GroupRow> {
    let mut groups: Vec<_> = report.groups.iter().collect();
    if groups.len() == 1 {
        return Vec::new();
    }
    let size = |row: &GroupRow| (row.whole.lines.map(|lines| lines.total), row.counts.at_end);
    groups.sort_by_key(|row| Reverse(size(row)));
    groups.truncate(CHART_LINES - 1);
    groups.sort_by(|a, b| a.org.cmp(&b.org));
    groups
}

/// What is folded into "How this is counted".
pub(super) fn paragraphs(
    report: &OrgReport,
    query: &OrgQuery,
    history: &OrgHistory,
) -> Vec<AnyView> {
    let late = report.period;
    let late = query.begins_with_half(history.first, late).then(|| {
        let from = late.from.long();
        format!(
            "The period begins on {from}: only then did half of the repositories have a record."
        )
    });
    let sentences = sentences(report, query, history).join(" ");
    let csv = view! {
        <span class="unprinted"><a class="link" rel="external" download href=links::org_csv(query, "trend")>"Trend as CSV"</a>" has every day."</span>
    };
    let mut paragraphs = vec![view! { {sentences}{left_out(report, query)} }.into_any()];
    paragraphs.extend(late.map(IntoAny::into_any));
    paragraphs.extend(part(report, query).map(IntoAny::into_any));
    paragraphs.push(csv.into_any());
    paragraphs
}

/// What the change leaves out.
fn left_out(report: &OrgReport, query: &OrgQuery) -> Option<AnyView> {
    if report.left_out.is_empty() {
        return None;
    }
    let out = report.counts.in_period.saturating_sub(report.counted);
    let text = match out {
        0 => {
            "Languages that were added or retired in the period are left out: see which".to_owned()
        }
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
    Some(view! { " "<a class="link" href=href>{text}</a>"."{all} }.into_any())
}

fn sentences(report: &OrgReport, query: &OrgQuery, history: &OrgHistory) -> Vec<String> {
    let whose = match query.over {
        Over::Same => format!(
            "of the {} a value at both ends of the period",
            counted(
                report.counted.into(),
                "repository that has",
                "repositories that have"
            )
        ),
        Over::All => format!(
            "of all repositories that have a value on the day, {} in the period",
            report.counted
        ),
    };
    let metric = query.metric;
    let made = match query.mean {
        Mean::Weighted => format!(
            "Covered {metric} as a share of all {metric}, on the main branches {whose}. A repository with several languages counts the {metric} of each."
        ),
        Mean::Plain => format!(
            "The average coverage of the main branches {whose}; each repository counts the same. A repository with several \
             languages counts with their average."
        ),
    };
    let point = format!(
        "Each point is the last value of its day (UTC), kept until the next value; one point {}. All points use today's \
         main branches.",
        report.interval.words()
    );
    let mut sentences = vec![made, point];
    if report.without_counts > 0 {
        let cannot = match metric {
            StatedMetric::Lines => "cannot be weighted",
            _ => "cannot count",
        };
        sentences.push(format!(
            "{} {cannot}: the coverage files do not count {metric}.",
            repositories(report.without_counts)
        ));
    }
    if report.stale > 0 {
        sentences.push(format!(
            "{} stale: nothing was uploaded for {STALE_DAYS} days, and the last value still counts.",
            counted(report.stale.into(), "repository is", "repositories are"),
        ));
    }
    sentences.extend(of_groups(report, query));
    if history.is_cut {
        sentences.push(
            "There are more repositories than this page can read; these are the first by name."
                .to_owned(),
        );
    }
    sentences
}

fn of_groups(report: &OrgReport, query: &OrgQuery) -> Option<String> {
    let (all, drawn) = (report.groups.len(), lines_of_groups(report).len());
    let (one, ..) = group(query);
    let mut text = format!("Each {one} is computed in the same way, with its own groups.");
    if drawn < all {
        text += &format!(" The chart has the {drawn} largest of {all}.");
    }
    (all > 0).then_some(text)
}

/// The noun for a row of the table of groups: in a sentence, as a title, and its plural.
pub(super) fn group(query: &OrgQuery) -> (&'static str, &'static str, &'static str) {
    match query.org {
        Some(_) => ("group", "Group", "groups"),
        None => ("org", "Org", "orgs"),
    }
}

/// Explains how the effect of a repository is computed.
fn part(report: &OrgReport, query: &OrgQuery) -> Option<String> {
    let start = report.points.first()?.coverage?;
    report.change?;
    Some(match (query.mean, query.over) {
        (Mean::Weighted, _) => format!(
            "Effect: covered {metric} gained minus {start}\u{202f}% of all {metric} gained, divided by all {metric} at the end. \
             Effects add up to the change.",
            metric = query.metric
        ),
        (Mean::Plain, Over::Same) => {
            "Effect: the change divided by the number of repositories. Effects are rounded so that they add up to the \
             change of the average."
                .to_owned()
        }
        (Mean::Plain, Over::All) => format!(
            "Effect: the change (for a new or retired repository, the difference from {start}\u{202f}%) divided by the number of \
             repositories at the end. Effects are rounded so that they add up to the change of the average."
        ),
    })
}
