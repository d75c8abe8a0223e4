//! The lines of a digest for chats: at most six.

use domain::{KnownOwner, MovedRow, Percentage, PeriodReport, ViewName};
use std::fmt::Display;

/// The most names in a line.
const NAMES: usize = 3;

/// The lines; a line about nothing is left out.
pub(super) fn lines(report: &PeriodReport) -> Vec<String> {
    let lines = [
        Some(coverage(report)),
        new(report),
        untested(report),
        moved(report),
        silent(report),
        gates(report),
    ];
    lines.into_iter().flatten().collect()
}

fn coverage(report: &PeriodReport) -> String {
    let of = match &report.owner {
        Some(owner) => format!("{}, {}", report.org, name_of(owner)),
        None => report.org.to_string(),
    };
    let (from, to) = (report.period.from.long(), report.period.to.long());
    let ends = &report.ends;
    let whole = ends.lines.and_then(Percentage::of);
    let coverage = match (ends.start, ends.end, ends.change) {
        (Some(start), Some(end), Some(change)) if whole == Some(end) => {
            format!("coverage {start} % → {end} % ({change})")
        }
        // Repositories that are new in the period have no change.
        (Some(start), Some(end), Some(change)) => {
            let whole = whole.map_or("unknown".to_owned(), |whole| format!("{whole} %"));
            let repositories = match ends.repositories {
                1 => "1 repository that has".to_owned(),
                count => format!("{count} repositories that have"),
            };
            format!(
                "coverage {whole}; {start} % → {end} % ({change}) of the {repositories} both values"
            )
        }
        _ => match whole {
            Some(whole) => format!("coverage {whole} %"),
            None => "coverage unknown".to_owned(),
        },
    };
    format!("{of}, {from} to {to}: {coverage}")
}

fn new(report: &PeriodReport) -> Option<String> {
    let new = report.new.lines;
    let known = Percentage::of(new.lines).map(|percentage| {
        let (covered, total) = (new.lines.covered, new.lines.total);
        format!("{covered} of {total} lines ran ({percentage} %)")
    });
    let unknown = (new.unknown > 0).then(|| format!("{} lines may be new", new.unknown));
    let repositories = report.new.unknown_repositories;
    let repositories =
        (repositories > 0).then(|| format!("unknown in {repositories} repositories"));
    let parts: Vec<_> = [known, unknown, repositories]
        .into_iter()
        .flatten()
        .collect();
    (!parts.is_empty()).then(|| format!("New code: {}", parts.join("; ")))
}

fn untested(report: &PeriodReport) -> Option<String> {
    let owners = report.owners.rows.iter();
    let owners = owners.map(|row| (owner(&row.of), row.new_lines()));
    let repositories = report.repositories.rows.iter();
    let repositories = repositories.map(|row| (row.of.to_string(), row.new_lines()));
    // The report of an owner has no other owners.
    let rows: Vec<_> = match report.owner {
        Some(_) => repositories.collect(),
        None => owners.collect(),
    };
    let missed = rows.into_iter().filter_map(|(name, new)| {
        let missed = new?.lines.uncovered();
        (missed > 0).then(|| format!("{name} ({missed} lines)"))
    });
    some("New code that did not run", missed.take(NAMES), 0)
}

fn moved(report: &PeriodReport) -> Option<String> {
    let owners = report.moved_owners.largest().into_iter().take(NAMES);
    let owners = owners.map(|row| change(row, owner(&row.of)));
    let repositories = report.moved_repositories.largest().into_iter().take(NAMES);
    let repositories = repositories.map(|row| change(row, &row.of));
    let names: Vec<_> = owners.chain(repositories).collect();
    (!names.is_empty()).then(|| format!("Moved most: {}", names.join(", ")))
}

fn change<T>(row: &MovedRow<T>, name: impl Display) -> String {
    format!("{name} {}", row.change())
}

fn silent(report: &PeriodReport) -> Option<String> {
    let rows = report.silent.rows.iter();
    let names = rows.map(|(repository, last)| format!("{repository} (since {})", last.long()));
    some("No upload for 14 days", names, report.silent.more)
}

fn gates(report: &PeriodReport) -> Option<String> {
    let rows = report.gates.rows.iter();
    let gates = rows.map(|gate| format!("{} {} of {}", gate.repository, gate.failed, gate.judged));
    some("Gates that failed", gates, report.gates.more)
}

/// The first names, after what they are; `None` without names. `more` is how many there are besides.
fn some(what: &str, names: impl Iterator<Item = String>, more: u64) -> Option<String> {
    let names: Vec<_> = names.collect();
    let others = names.len().saturating_sub(NAMES) as u64 + more;
    let shown = names.iter().take(NAMES).map(String::as_str);
    let shown = shown.collect::<Vec<_>>().join(", ");
    match (names.is_empty(), others) {
        (true, _) => None,
        (false, 0) => Some(format!("{what}: {shown}")),
        (false, others) => Some(format!("{what}: {shown} and {others} more")),
    }
}

fn owner(owner: &KnownOwner) -> String {
    owner
        .as_ref()
        .map_or_else(|| "no owners known".to_owned(), name_of)
}

fn name_of(owner: &ViewName) -> String {
    match owner {
        ViewName::NoOwner => "no owner".to_owned(),
        owner => owner.name().to_owned(),
    }
}
