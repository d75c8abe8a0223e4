//! The sentences with which a report opens: what a reader may quote.

use super::{has_others, shown};
use crate::{
    numbers::{counted, covered_of, grouped},
    pages::org::trend::throughout,
};
use domain::{Change, Day, Percentage, PeriodReport, ReportEnds, ReportQuery};

pub(super) fn summary(report: &PeriodReport) -> String {
    let of = match &report.owner {
        Some(owner) => format!("{} in {}", shown(owner), report.org),
        None => report.org.to_string(),
    };
    let came = report.came.len() as u64;
    let came = (came > 0).then(|| {
        let new = counted(came, "repository is", "repositories are");
        format!("{new} new.")
    });
    let lines = report.new.lines.lines;
    let new = (lines.total > 0).then(|| format!("Tests ran {} new lines.", covered_of(lines)));
    let sentences = [
        Some(coverage(report, &of)),
        falls(report),
        came,
        new,
        gates(report),
    ];
    let sentences: Vec<_> = sentences.into_iter().flatten().collect();
    sentences.join(" ")
}

/// The coverage at the end, and the change.
fn coverage(report: &PeriodReport, of: &str) -> String {
    let period = period(report);
    let ends = compared(report);
    let whole = report.ends.lines.and_then(Percentage::of);
    match (ends.change, whole) {
        (Some(change), Some(whole)) if !has_others(report, ends) => {
            let moved = moved(change, "to", "at");
            format!("{period}, the coverage of {of} {moved} {whole}\u{202f}%.")
        }
        (Some(change), Some(whole)) => {
            let since = report.throughout.as_ref().map(|of| of.since);
            let repositories = match since.filter(|since| *since > report.period.from) {
                Some(since) => {
                    let count = counted(ends.repositories, "repository", "repositories");
                    format!("the {count} measured since {}", since.long())
                }
                None => throughout(ends.repositories),
            };
            let moved = moved(change, "", "");
            format!(
                "{period}, the coverage of {of} came to {whole}\u{202f}%; {repositories} {moved}."
            )
        }
        (_, Some(whole)) => format!("{period}, the coverage of {of} came to {whole}\u{202f}%."),
        (_, None) => format!("{period}, the coverage of {of} is not known."),
    }
}

/// The ends that the change is about.
pub(super) fn compared(report: &PeriodReport) -> &ReportEnds {
    let throughout = report.throughout.as_ref();
    throughout.map_or(&report.ends, |throughout| &throughout.ends)
}

/// The repository and the owner that lost most lines.
fn falls(report: &PeriodReport) -> Option<String> {
    let repository = report.moved_repositories.losses.rows.first();
    let repository = repository.map(|row| (row.of.to_string(), row.change()));
    let owner = report.moved_owners.losses.rows.first();
    let owner = owner.map(|row| {
        let name = row
            .of
            .as_ref()
            .map_or_else(|| "files without known owners".to_owned(), shown);
        (name, row.change())
    });
    let most = repository.into_iter().chain(owner);
    let most: Vec<_> = most
        .map(|(name, change)| format!("{name} ({change})"))
        .collect();
    (!most.is_empty()).then(|| format!("Most was lost in {}.", most.join(" and ")))
}

fn gates(report: &PeriodReport) -> Option<String> {
    let gates = &report.gates;
    let failed: u64 = gates.rows.iter().map(|gate| gate.failed).sum();
    let judged: u64 = gates.rows.iter().map(|gate| gate.judged).sum();
    (failed > 0).then(|| match gates.more {
        0 => {
            let uploads = counted(judged, "upload", "uploads");
            format!("{} of {uploads} failed their gate.", grouped(failed))
        }
        _ => format!(
            "At least {} failed their gate.",
            counted(failed, "upload", "uploads")
        ),
    })
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
        Some((name, _)) => name.to_owned(),
        None => {
            let (from, to) = (report.period.from.long(), report.period.to.long());
            format!("From {from} to {to}")
        }
    }
}

/// `rose by 2.83 points to`; `to` and `at` follow a change and no change.
fn moved(change: Change, to: &str, at: &str) -> String {
    let points = change.basis_points().unsigned_abs();
    let points = format!(
        "{}.{:02} points",
        grouped((points / 100).into()),
        points % 100
    );
    match change.basis_points() {
        0 => format!("did not change {at}"),
        1.. => format!("rose by {points} {to}"),
        _ => format!("fell by {points} {to}"),
    }
    .trim_end()
    .to_owned()
}
