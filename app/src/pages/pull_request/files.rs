//! The changed files of a pull request, the most missed changed lines first, and where these lines are.

use super::language;
use crate::{
    components::{
        card::{self, number, stacked, target},
        code::excerpts,
        measures::files_in_words,
        name::Name,
    },
    links,
    numbers::{counted, covered_of},
    pages::record::changed::{self, ranges, unmeasured},
};
use domain::{
    ChangedFile, ChangedLines, Count, Excerpt, PullRequestDetail, RecordChanges, RecordDetail,
};
use leptos::prelude::*;
use std::cmp::Reverse;

/// How many files are named.
const NAMED_FILES: usize = 100;

/// A card with the changed files of all languages; `None` if the changes of no language are known.
pub(super) fn files(detail: &PullRequestDetail, code: &[Excerpt]) -> Option<AnyView> {
    let known: Vec<_> = detail.records.iter().filter_map(known).collect();
    if known.is_empty() {
        return None;
    }
    let changed = || {
        known
            .iter()
            .flat_map(|(record, changed)| changed.files.iter().map(move |file| (*record, file)))
    };
    let mut files: Vec<_> = changed().filter(|(_, file)| file.coverable > 0).collect();
    files.sort_by_key(|(_, file)| Reverse(file.missed_lines()));
    let missed: u64 = files.iter().map(|(_, file)| file.missed_lines()).sum();
    let has_partial = files.iter().any(|(_, file)| !file.partial.is_empty());
    let rows = files.iter().take(NAMED_FILES);
    let rows = rows.map(|(record, file)| row(detail, record, file, has_partial));
    let [name, covered] = [("File", "c-name"), ("Covered", "num")];
    let [missed_lines, partial] = [("Missed", ""), ("Partial", "")];
    let rows = rows.collect_view();
    let (heading, id) = ("changes-title", "changes");
    let table = match has_partial {
        true => stacked(heading, id, [name, covered, missed_lines, partial], rows),
        false => stacked(heading, id, [name, covered, missed_lines], rows),
    };
    let table = (!files.is_empty()).then_some(table);
    let others = files.len().saturating_sub(NAMED_FILES);
    let others = (others > 0).then(|| {
        let others = files_in_words(others as u64);
        card::note(format!(
            "And {others} with fewer missed lines, on the pages of the records."
        ))
    });
    let rest = changed().count() - files.len();
    let rest = (rest > 0).then(|| {
        let rest = files_in_words(rest as u64);
        card::note(format!("And {rest} without a changed coverable line."))
    });
    let beside = card::aside(match missed {
        0 if files.is_empty() => "no coverable line changed".to_owned(),
        0 => "every changed line is covered".to_owned(),
        missed => counted(
            missed,
            "changed line is not covered",
            "changed lines are not covered",
        ),
    });
    let unmeasured = known
        .iter()
        .map(|(_, changed)| unmeasured(&changed.unmeasured));
    let unmeasured = unmeasured.collect_view();
    let of_changes = known
        .iter()
        .flat_map(|(record, _)| changed::of_changes(code, record.record.id));
    let content = (table, others, rest, excerpts(of_changes), unmeasured);
    Some(target("changes", "Changed files", beside, content))
}

fn known(record: &RecordDetail) -> Option<(&RecordDetail, &ChangedLines)> {
    match &record.changes {
        RecordChanges::Known(changed) => Some((record, changed)),
        RecordChanges::Unknown(_) | RecordChanges::NotSent | RecordChanges::NoLines => None,
    }
}

fn row(
    detail: &PullRequestDetail,
    record: &RecordDetail,
    file: &ChangedFile,
    has_partial: bool,
) -> impl IntoView + use<> {
    let partial = has_partial.then(|| {
        let partial = ranges(record.record.id, file, &file.partial);
        view! { <td class="mono" data-label="Partial">{partial}</td> }
    });
    let id = record.record.id;
    let first = file.not_covered().first().copied();
    let href = links::source_lines(id, &file.path, first);
    let old = file.old_path.as_ref().filter(|old| **old != file.path);
    let old = old.map(|old| {
        view! { <span class="muted small">" was "<Name text=old.clone() class="mono"/></span> }
    });
    let covered = covered_of(Count {
        covered: file.covered,
        total: file.coverable,
    });
    view! {
        <tr>
            <th scope="row"><a href=href><Name text=file.path.clone() class="mono"/></a>{old}{language(detail, record)}</th>
            {number("Covered", covered)}
            <td class="mono" data-label="Missed">{ranges(id, file, &file.missed)}</td>
            {partial}
        </tr>
    }
}
