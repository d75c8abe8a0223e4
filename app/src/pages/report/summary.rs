//! The sentences with which a report opens: what a reader may quote.

use super::shown;
use crate::numbers::{counted, covered_of, grouped};
use domain::{Change, Day, Percentage, PeriodReport, ReportQuery};

pub(super) fn summary(report: &PeriodReport) -> String {
    let (ends, moves) = (&report.ends, &report.moved_repositories);
    let whole = ends.lines.and_then(Percentage::of);
    let of = match &report.owner {
        Some(owner) => format!("{} in {}", shown(owner), report.org),
        None => report.org.to_string(),
    };
    let period = period(report);
    let came = report.came.len() as u64;
    let new = counted(came, "repository is", "repositories are");
    let opening = match came {
        0 => format!("{period}, the"),
        _ => format!("{period}, {new} new in {}. The", report.org),
    };
    let period = match came {
        0 => period,
        _ => format!(
            "{period}, {new} new in {}. From beginning to end",
            report.org
        ),
    };
    let coverage = match (ends.change, whole) {
        (Some(change), Some(whole)) if ends.end == Some(whole) => {
            format!(
                "{period}, the coverage of {of} {} {whole}\u{202f}%.",
                moved(change, "to", "at")
            )
        }
        (Some(change), Some(whole)) => {
            let moved = moved(change, "", "");
            let throughout = counted(ends.repositories, "repository", "repositories");
            format!(
                "{period}, the coverage of {of} {moved} in the {throughout} measured throughout; of all repositories it is {whole}\u{202f}%."
            )
        }
        (_, Some(whole)) => {
            let [rose, fell] =
                [&moves.gains, &moves.losses].map(|moves| moves.rows.len() as u64 + moves.more);
            let rose = counted(rose, "repository", "repositories");
            let fell = match fell {
                0 => "none".to_owned(),
                fell => grouped(fell),
            };
            format!(
                "{opening} coverage of {of} came to {whole}\u{202f}%. Most of its lines had no record at the beginning; since then or their first record, {rose} rose and {fell} fell."
            )
        }
        (_, None) => format!("{opening} coverage of {of} is not known."),
    };
    let lines = report.new.lines.lines;
    let new = Percentage::of(lines).map(|percentage| {
        let lines = covered_of(lines);
        format!(" Tests ran {lines} new lines ({percentage}\u{202f}%).")
    });
    let failed: u64 = report.gates.rows.iter().map(|gate| gate.failed).sum();
    let gates = (failed > 0).then(|| match report.gates.more {
        0 => {
            let judged = report.gates.rows.iter().map(|gate| gate.judged).sum();
            let records = counted(judged, "judged record", "judged records");
            format!(" Gates failed {} of {records}.", grouped(failed))
        }
        _ => format!(
            " Gates failed at least {}.",
            counted(failed, "record", "records")
        ),
    });
    [Some(coverage), new, gates].into_iter().flatten().collect()
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
