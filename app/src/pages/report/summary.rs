//! The sentences with which a report opens: what a reader may quote.

use super::{gates_of, has_others, shown};
use crate::links;
use crate::numbers::{counted, covered_of, grouped};
use crate::pages::org::{all_of, capital, trend::throughout};
use domain::{Change, Count, Day, OrgReport, Percentage, PeriodReport, ReportEnds, ReportQuery};
use leptos::prelude::*;
use std::cmp::Reverse;

/// How many repositories a sentence names.
const EFFECTS: usize = 3;

/// At most three sentences of a report, as a list.
pub(super) fn summary(report: &PeriodReport, pulls: Option<Count>) -> AnyView {
    let of = match &report.owner {
        Some(owner) => format!("{} in {}", shown(owner), report.org),
        None => report.org.to_string(),
    };
    let first = [Some(coverage(report, &of)), fallen(report)];
    let second = [change(report), new(report)];
    let sentences =
        [first, second].map(|of| of.into_iter().flatten().collect::<Vec<_>>().join(" "));
    let sentences = sentences.into_iter().filter(|of| !of.is_empty());
    let items = sentences.map(|sentence| view! { <li><bdi>{sentence}</bdi></li> });
    view! { <ul class="summary card" data-testid="summary">{items.collect_view()}{third(report, pulls)}</ul> }
        .into_any()
}

/// The coverage at the end, and the change if it is of all.
fn coverage(report: &PeriodReport, of: &str) -> String {
    let period = period(report);
    let ends = ends(report);
    let whole = report.ends.lines.and_then(Percentage::of);
    match (ends.change, whole) {
        (Some(change), Some(whole)) => {
            let moved = moved(ends, change, whole);
            let start = format!("{period}, the coverage of {of} {moved}");
            match compared(report).filter(|_| has_others(report, ends)) {
                None => format!("{start}."),
                Some((_, same)) => format!(
                    "{start}, over {}. {} {}: {whole}\u{202f}%.",
                    throughout(ends.repositories, same.period.from),
                    capital(&all_of(super::repositories(report))),
                    if report.period.to < Day::of(report.now) {
                        "at the end"
                    } else {
                        "now"
                    },
                ),
            }
        }
        (_, Some(whole)) => format!("{period}, the coverage of {of} came to {whole}\u{202f}%."),
        (_, None) => format!("{period}, the coverage of {of} is not known."),
    }
}

/// The largest effects of repositories on the change.
fn change(report: &PeriodReport) -> Option<String> {
    let (ends, same) = compared(report)?;
    ends.change?;
    let effects = same.movements.iter();
    let effects = effects.filter_map(|row| Some((&row.repository.repo, row.contribution?)));
    let mut effects: Vec<_> = effects
        .filter(|(_, effect)| effect.basis_points() != 0)
        .collect();
    effects.sort_by_key(|(_, effect)| Reverse(effect.basis_points().unsigned_abs()));
    let effects = effects.iter().take(EFFECTS);
    let effects: Vec<_> = effects
        .map(|(of, effect)| format!("{of} {effect}"))
        .collect();
    let effects = effects.join(", ");
    (!effects.is_empty() && ends.repositories > 1)
        .then(|| format!("Largest effects in points: {effects}."))
}

/// The ends that the change is about.
pub(super) fn ends(report: &PeriodReport) -> &ReportEnds {
    report.throughout.as_ref().unwrap_or(&report.ends)
}

/// The ends and the repositories of a change that leaves some out.
pub(super) fn compared(report: &PeriodReport) -> Option<(&ReportEnds, &OrgReport)> {
    report.throughout.as_ref().zip(report.compared.as_ref())
}

/// The repository of an owner that lost most lines.
fn fallen(report: &PeriodReport) -> Option<String> {
    report.owner.as_ref()?;
    let row = report.moved_repositories.losses.rows.first()?;
    Some(format!(
        "Most was lost in {} ({} points).",
        row.of,
        row.change()
    ))
}

/// The repositories that came after the beginning of the change.
fn new(report: &PeriodReport) -> Option<String> {
    let since = compared(report).map_or(report.period.from, |(_, same)| same.period.from);
    let mut came = report.came.iter().filter(|(_, day)| **day > since);
    let count = came.clone().count() as u64;
    let (of, day) = came.next()?;
    Some(match count {
        1 => format!("{} is new since {}.", of.repo, day.long()),
        count => format!("{} are new.", counted(count, "repository", "repositories")),
    })
}

/// How many pull requests passed, how many records had a gate and failed it, and how many new lines ran.
fn third(report: &PeriodReport, pulls: Option<Count>) -> Option<AnyView> {
    let lines = report.new.lines.lines;
    let new = (lines.total > 0).then(|| format!(" Tests ran {} new lines.", covered_of(lines)));
    let (judged, failed) = (report.judged.total, report.judged.uncovered());
    let gates = (judged > 0).then(|| {
        let records = counted(report.records, "record", "records");
        let of = match report.gates.rows.as_slice() {
            [only] => format!(", all in {}", only.repository.repo),
            _ => String::new(),
        };
        let failed = match failed {
            0 => "none failed".to_owned(),
            failed => format!("{} failed{of}", grouped(failed)),
        };
        let judged = grouped(judged);
        let sentence = match pulls.filter(|pulls| pulls.total > 0) {
            Some(pulls) => {
                let of = counted(pulls.total, "pull request", "pull requests");
                let passed = grouped(pulls.covered);
                format!("{passed} of {of} passed; of all {records}, {judged} had a gate and {failed}.")
            }
            None => format!("{judged} of {records} had a gate: {failed}."),
        };
        let href = links::gates(&gates_of(report));
        view! { <bdi>{sentence}</bdi>" "<a class="link unprinted small" href=href>"Gates of pull requests"</a> }
    });
    (new.is_some() || gates.is_some()).then(|| view! { <li>{gates}{new}</li> }.into_any())
}

/// Why lines may be new that are not counted as new.
pub(super) fn unknown_age(report: &PeriodReport) -> Option<String> {
    let new = &report.new;
    let lines = (new.lines.unknown > 0).then(|| {
        let lines = counted(new.lines.unknown, "line", "lines");
        format!("the age of {lines} is not known")
    });
    let repositories = (new.unknown_repositories > 0).then(|| {
        let count = counted(new.unknown_repositories, "repository", "repositories");
        format!("unknown in {count}")
    });
    let why: Vec<_> = [lines, repositories].into_iter().flatten().collect();
    (!why.is_empty()).then(|| why.join("; "))
}

/// The period as its choice is called, or its days.
fn period(report: &PeriodReport) -> String {
    let mut choices = ReportQuery::choices(Day::of(report.now)).into_iter();
    match choices.find(|(_, period)| *period == report.period) {
        Some((name, _)) if name.starts_with("Last ") && name.ends_with("days") => {
            format!("In the l{}", &name[1..])
        }
        Some((name, period)) => {
            let tomorrow = Day(period.to.0.saturating_add(1));
            match tomorrow.quarter() == period.from {
                true => format!("{name} so far"),
                false => name.to_owned(),
            }
        }
        None => {
            let (from, to) = (report.period.from.long(), report.period.to.long());
            format!("From {from} to {to}")
        }
    }
}

/// `rose from 82.52 to 85.35 % (+2.83)`
fn moved(ends: &ReportEnds, change: Change, whole: Percentage) -> String {
    let end = ends.end.unwrap_or(whole);
    let word = match change.basis_points() {
        0 => return format!("did not change: {end}\u{202f}%"),
        1.. => "rose",
        _ => "fell",
    };
    let start = ends
        .start
        .map_or_else(String::new, |start| format!("from {start} "));
    format!("{word} {start}to {end}\u{202f}% ({change})")
}
