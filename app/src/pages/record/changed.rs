//! What changed: the changed lines of a record and which of them are covered, and the change since the base record.

use crate::{
    components::{
        card::{self, number, stacked, target},
        code::excerpts,
        coverage::Percent,
        form::{choice, choices},
        line_links::line_links,
        measures::files_in_words,
        name::Name,
        what_moved::{WHY, what_moved},
    },
    links,
    numbers::{counted, covered_of, grouped},
};
use domain::{
    Against, ChangeCause, ChangeGroup, ChangedFile, ChangedLines, CompareQuery, Count, Excerpt,
    LineRange, RecordChanges, RecordDetail, RecordQuery, WantedLines,
};
use leptos::prelude::*;
use std::cmp::Reverse;

/// How many files, and how many ranges of lines of each, are named.
const NAMED_FILES: usize = 100;
const NAMED_RANGES: usize = 20;

/// A card about the changed lines; `None` if no upload sent changes and no forge was queried, or if a push changes no measured file.
pub(super) fn changed(detail: &RecordDetail) -> Option<AnyView> {
    let is_push = detail.pull_request.is_none() && detail.view.is_none() && detail.knows_lost_lines;
    let body = match &detail.changes {
        RecordChanges::NotSent => return None,
        RecordChanges::Known(changed) if is_push && changed.names_nothing() => return None,
        RecordChanges::NoLines => view! {
            <p class="note muted">
                "The lines of this record are not kept, so the coverage of its changed lines is not known."
            </p>
        }
        .into_any(),
        RecordChanges::Unknown(_) => detail.changes.unknown().map(note).into_any(),
        RecordChanges::Known(changed) => view! {
            {detail.changes.unknown().map(note)}
            {known(detail, changed)}
        }
        .into_any(),
    };
    let lost = (!detail.knows_lost_lines).then(|| note("Lost lines: unknown.".to_owned()));
    Some(target(
        "changes",
        "Changed lines",
        since(detail),
        (body, lost),
    ))
}

/// The code of changed lines that did not run. Nothing if no text is stored.
pub(super) fn code(code: &[Excerpt], id: i64) -> Option<AnyView> {
    let about = "changed lines that did not run in full";
    excerpts(of_changes(code, id))
        .map(|code| target("code", "Code to cover", card::aside(about), code))
}

/// How many files show the code of changed lines. The other files of a page show lost lines.
const SHOWN_FILES: usize = 6;

/// The code of the changed lines of a record.
pub(crate) fn of_changes(code: &[Excerpt], id: i64) -> impl Iterator<Item = &Excerpt> {
    of_record(code, id).filter(|excerpt| excerpt.wanted.marks_changes)
}

/// The code of the lost lines of a record.
pub(crate) fn of_lost(code: &[Excerpt], id: i64) -> impl Iterator<Item = &Excerpt> {
    of_record(code, id).filter(|excerpt| !excerpt.wanted.marks_changes)
}

fn of_record(code: &[Excerpt], id: i64) -> impl Iterator<Item = &Excerpt> {
    let is_of_record = move |excerpt: &&Excerpt| excerpt.wanted.record_id == id;
    code.iter().filter(is_of_record)
}

/// The lines whose code the page of a record shows: changed lines that are not covered, and lost lines.
pub(crate) fn wanted(detail: &RecordDetail) -> Vec<WantedLines> {
    let comparison = detail.comparison.as_ref();
    let explained = comparison.and_then(|comparison| comparison.explained.as_ref());
    let lost = explained.and_then(|explained| explained.lost.as_ref());
    let mut lost: Vec<_> = lost.iter().flat_map(|lost| &lost.files).collect();
    let groups = explained.map_or(&[][..], |explained| &explained.explanation.groups);
    // In the order of the table that explains the change: the largest effect first.
    lost.sort_by_cached_key(|(path, _)| {
        let is_of_file = |group: &ChangeGroup| {
            group.cause == ChangeCause::Lost && group.path.as_ref() == Some(path)
        };
        groups.iter().position(is_of_file).unwrap_or(groups.len())
    });
    let lost = lost.into_iter().map(|(path, lines)| WantedLines {
        record_id: detail.record.id,
        path: path.clone(),
        lines: lines.clone(),
        lost: lines.clone(),
        ..WantedLines::default()
    });
    let mut wanted = uncovered(detail);
    wanted.extend(lost.take(Excerpt::MOST_FILES - wanted.len()));
    wanted
}

/// The changed lines that did not run, or not with all their branches: the files with the most of them first.
fn uncovered(detail: &RecordDetail) -> Vec<WantedLines> {
    let RecordChanges::Known(changed) = &detail.changes else {
        return Vec::new();
    };
    let mut files: Vec<_> = changed.files.iter().collect();
    files.retain(|file| !file.missed.is_empty() || !file.partial.is_empty());
    files.sort_by_key(|file| Reverse(file.missed_lines()));
    let wanted = files.into_iter().take(SHOWN_FILES).map(|file| {
        let mut lines = [file.missed.as_slice(), &file.partial].concat();
        lines.sort_unstable();
        WantedLines {
            record_id: detail.record.id,
            path: file.path.clone(),
            lines,
            marks_changes: true,
            ..WantedLines::default()
        }
    });
    wanted.collect()
}

fn note(sentence: String) -> impl IntoView {
    view! { <p class="note">{sentence}</p> }
}

fn since(detail: &RecordDetail) -> impl IntoView + use<> {
    let base = match &detail.changes {
        RecordChanges::Known(changed) => changed.base_commit.as_ref(),
        RecordChanges::Unknown(_) | RecordChanges::NotSent | RecordChanges::NoLines => None,
    };
    let base = base.map(|base| {
        let commit = base.short().to_owned();
        view! { "since commit "<bdi class="mono">{commit}</bdi> }
    });
    let request = detail.pull_request.as_ref().map(|number| {
        let comma = base.is_some().then_some(", ");
        let href = links::pull_request(&detail.record.repository, number);
        view! { {comma}<a class="link" href=href>{format!("pull request {number}")}</a> }
    });
    view! { <span class="muted small">{base}{request}</span> }
}

fn known(detail: &RecordDetail, changed: &ChangedLines) -> impl IntoView + use<> {
    let id = detail.record.id;
    let view = detail.view.as_ref().map(|view| &view.name);
    let mut files: Vec<_> = changed.files.iter().collect();
    files.retain(|file| file.coverable > 0);
    files.sort_by_key(|file| Reverse(file.missed_lines()));
    let others = files.len().saturating_sub(NAMED_FILES);
    let rest = changed.files.len() - files.len();
    let rows = files.iter().take(NAMED_FILES);
    let rows = rows.map(|file| row(id, file)).collect_view();
    let columns = [
        ("File", ""),
        ("Coverage", "num"),
        ("Changed lines", "num"),
        ("Missed", ""),
        ("Partial", ""),
    ];
    let table = (!files.is_empty()).then(|| stacked("changes-title", "changes", columns, rows));
    let others = (others > 0).then(|| {
        let others = files_in_words(others as u64);
        card::note(view! {
            {format!("And {others} with fewer missed lines. ")}
            <a class="link" rel="external" href=links::changes(id, view)>"All changed files as JSON"</a>
        })
    });
    let rest = (rest > 0).then(|| {
        let rest = files_in_words(rest as u64);
        card::note(format!("And {rest} without a changed coverable line."))
    });
    view! {
        <p class="note">{sentence(changed)}</p>
        {table}
        {others}
        {rest}
        {unmeasured(&changed.unmeasured)}
    }
}

fn sentence(changed: &ChangedLines) -> String {
    match changed.percentage() {
        None if changed.unknown.is_some() => {
            "No coverable line changed in the files whose changes are known.".to_owned()
        }
        None => "No coverable line changed.".to_owned(),
        Some(percentage) => {
            let covered = grouped(changed.covered);
            let changed = counted(changed.coverable, "changed line is", "changed lines are");
            format!("{covered} of {changed} covered: {percentage} %.")
        }
    }
}

fn row(id: i64, file: &ChangedFile) -> impl IntoView + use<> {
    let href = links::source(id, &file.path);
    let old = file.old_path.as_ref().filter(|old| **old != file.path);
    let old = old.map(|old| {
        view! { <span class="muted small">" was "<Name text=old.clone() class="mono"/></span> }
    });
    view! {
        <tr>
            <th scope="row"><a href=href><Name text=file.path.clone() class="mono"/></a>{old}</th>
            {number("Coverage", view! { {file.percentage().map(|percentage| percentage.to_string())}<Percent/> })}
            {number("Changed lines", covered_of(Count { covered: file.covered, total: file.coverable }))}
            <td class="mono" data-label="Missed">{ranges(id, file, &file.missed)}</td>
            <td class="mono" data-label="Partial">{ranges(id, file, &file.partial)}</td>
        </tr>
    }
}

/// Links to ranges of lines.
pub(crate) fn ranges(id: i64, file: &ChangedFile, ranges: &[LineRange]) -> AnyView {
    if ranges.is_empty() {
        return view! { <span class="muted">"none"</span> }.into_any();
    }
    line_links(id, &file.path, ranges, NAMED_RANGES)
}

/// Changed files that the coverage file does not have.
pub(crate) fn unmeasured(paths: &[String]) -> Option<impl IntoView + use<>> {
    let rows = paths.iter().take(NAMED_FILES);
    let rows = rows
        .map(|path| view! { <li><Name text=path.clone() class="mono"/></li> })
        .collect_view();
    let others = paths.len().saturating_sub(NAMED_FILES);
    let others = (others > 0)
        .then(|| view! { <li class="muted">{format!("and {} more", grouped(others as u64))}</li> });
    let title = counted(
        paths.len() as u64,
        "changed file is not measured",
        "changed files are not measured",
    );
    (!paths.is_empty()).then(|| {
        view! {
            <details class="note">
                <summary>{title}</summary>
                <p class="muted small">
                    "The record has no lines of these files, although it has other files with the same extension: no test loads them, or the tool leaves them out."
                </p>
                <ul>{rows}{others}</ul>
            </details>
        }
    })
}

/// A card that explains the change, with the code of lost lines; `None` if there is nothing to compare with.
pub(super) fn moved(
    query: &RecordQuery,
    detail: &RecordDetail,
    code: &[Excerpt],
) -> Option<AnyView> {
    let comparison = detail.comparison.as_ref()?;
    let (base, change) = (&comparison.base, comparison.change);
    let side_by_side = links::compare(&CompareQuery {
        view: query.view.clone(),
        ..CompareQuery::between(base.id, query.id)
    });
    let page = links::record_view(base.id, query.view.as_ref());
    let beside = view! {
        <span class="muted small">
            "since commit "
            <a class="link mono" href=page>{base.commit.short().to_owned()}</a>
            {format!(" with {} %", base.percentage)}
        </span>
        <span class="grow"></span>
        {bases(query, detail, comparison.against)}
        <a class="btn" href=side_by_side>"Compare…"</a>
    };
    let (explained, moved) = (comparison.explained.as_ref(), comparison.moved.as_ref());
    let why = what_moved(query.id, change, explained, moved);
    let lost = excerpts(of_lost(code, query.id));
    Some(target("moved", WHY, beside, (why, lost)))
}

/// Links to choose the base record, if there are two.
fn bases(query: &RecordQuery, detail: &RecordDetail, shown: Against) -> Option<AnyView> {
    let (older, base) = detail.older.as_ref().zip(detail.base.as_ref())?;
    if older.id == base.record.id {
        return None;
    }
    let link = |against: Against, name: String| {
        let query = RecordQuery {
            against,
            ..query.clone()
        };
        let href = format!("{}#moved", links::record_page(&query));
        choice(href, against == shown, view! { <bdi>{name}</bdi> })
    };
    let links = [
        link(
            Against::Base,
            format!("base: {}", base.name(&detail.record.branch)),
        ),
        link(Against::Before, "the previous record".to_owned()),
    ];
    Some(choices("Compare with", links))
}
