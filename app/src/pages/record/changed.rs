//! The changed lines of a record: which of them are covered, by file.

use crate::{
    components::{coverage::Percent, measures::files_in_words, name::Name},
    links,
    numbers::grouped,
};
use domain::{ChangedFile, ChangedLines, LineRange, RecordChanges, RecordDetail, lines_in_words};
use leptos::prelude::*;
use std::cmp::Reverse;

/// How many files, and how many ranges of lines of each, are named.
const NAMED_FILES: usize = 100;
const NAMED_RANGES: usize = 20;

/// A card about the changed lines; `None` if no upload sent changes and no forge was queried.
pub(super) fn changed(detail: &RecordDetail) -> Option<impl IntoView + use<>> {
    let body = match &detail.changes {
        RecordChanges::NotSent => return None,
        RecordChanges::NoLines => view! {
            <p class="note muted">
                "The lines of this record are not kept, so the coverage of its changed lines is not known."
            </p>
        }
        .into_any(),
        RecordChanges::Unknown(_) => detail.changes.unknown().map(note).into_any(),
        RecordChanges::Known(changed) => view! {
            {detail.changes.unknown().map(note)}
            {known(detail.id, changed)}
        }
        .into_any(),
    };
    let lost = (!detail.knows_lost_lines).then(|| note("Lost lines: unknown.".to_owned()));
    Some(view! {
        <section class="card" id="changes" aria-labelledby="changes-title">
            <div class="head">
                <h2 id="changes-title">"Changed lines"</h2>
                {since(detail)}
            </div>
            {body}
            {lost}
        </section>
    })
}

fn note(sentence: String) -> impl IntoView {
    view! { <p class="note">{sentence}</p> }
}

/// The base commit and the pull request of the changes.
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
        let comma = if base.is_some() { ", " } else { "" };
        format!("{comma}pull request {number}")
    });
    view! { <span class="muted small">{base}{request}</span> }
}

fn known(id: i64, changed: &ChangedLines) -> impl IntoView + use<> {
    let mut files: Vec<_> = changed.files.iter().collect();
    files.retain(|file| file.coverable > 0);
    files.sort_by_key(|file| Reverse(file.missed_lines()));
    let others = files.len().saturating_sub(NAMED_FILES);
    let rest = changed.files.len() - files.len();
    let rows = files.iter().take(NAMED_FILES);
    let rows = rows.map(|file| row(id, file)).collect_view();
    let table = (!files.is_empty()).then(|| {
        view! {
            <table class="stored stacked" aria-labelledby="changes-title" data-testid="changes">
                <thead>
                    <tr>
                        <th scope="col">"File"</th>
                        <th scope="col" class="num">"Coverage"</th>
                        <th scope="col" class="num">"Changed lines"</th>
                        <th scope="col">"Missed"</th>
                        <th scope="col">"Partial"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        }
    });
    let others = (others > 0).then(|| {
        let others = files_in_words(others as u64);
        view! {
            <p class="note muted small">
                {format!("And {others} with fewer missed lines. ")}
                <a class="link" rel="external" href=links::changes(id)>"All changed files as JSON"</a>
            </p>
        }
    });
    let rest = (rest > 0).then(|| {
        let rest = files_in_words(rest as u64);
        view! { <p class="note muted small">{format!("{rest} changed without a coverable line.")}</p> }
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
    let (covered, coverable) = (changed.covered, changed.coverable);
    match changed.percentage() {
        None if changed.unknown.is_some() => {
            "No coverable line changed in the files whose changes are known.".to_owned()
        }
        None => "No coverable line changed.".to_owned(),
        Some(percentage) => format!(
            "{} of {} changed {} covered: {percentage} %.",
            grouped(covered),
            grouped(coverable),
            if coverable == 1 {
                "line is"
            } else {
                "lines are"
            }
        ),
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
            <td class="num" data-label="Coverage">{file.percentage().map(|percentage| percentage.to_string())}<Percent/></td>
            <td class="num" data-label="Changed lines">
                {format!("{} of {}", grouped(file.covered), grouped(file.coverable))}
            </td>
            <td class="mono" data-label="Missed">{ranges(id, file, &file.missed)}</td>
            <td class="mono" data-label="Partial">{ranges(id, file, &file.partial)}</td>
        </tr>
    }
}

/// Ranges of lines, such as `41–42, 50`, each with a link to its first line in the HTML report.
fn ranges(id: i64, file: &ChangedFile, ranges: &[LineRange]) -> AnyView {
    if ranges.is_empty() {
        return view! { <span class="muted">"none"</span> }.into_any();
    }
    let link = |(index, range): (usize, &LineRange)| {
        let href = links::source_line(id, &file.path, Some(range.0));
        let comma = (index > 0).then_some(", ");
        view! { {comma}<a class="link" href=href>{lines_in_words(*range)}</a> }
    };
    let named = ranges.iter().take(NAMED_RANGES).enumerate();
    let named = named.map(link).collect_view();
    let others = match ranges.len().saturating_sub(NAMED_RANGES) {
        0 => String::new(),
        others => format!(" and {} more", grouped(others as u64)),
    };
    view! { {named}{others} }.into_any()
}

/// Changed files that the coverage file does not have.
fn unmeasured(paths: &[String]) -> Option<impl IntoView + use<>> {
    let rows = paths.iter().take(NAMED_FILES);
    let rows = rows
        .map(|path| view! { <li><Name text=path.clone() class="mono"/></li> })
        .collect_view();
    let others = paths.len().saturating_sub(NAMED_FILES);
    let others = (others > 0)
        .then(|| view! { <li class="muted">{format!("and {} more", grouped(others as u64))}</li> });
    let title = match paths.len() {
        1 => "1 changed file is not measured".to_owned(),
        files => format!("{} changed files are not measured", grouped(files as u64)),
    };
    (!paths.is_empty()).then(|| {
        view! {
            <details class="note" open=paths.len() <= 10>
                <summary>{title}</summary>
                <p class="muted small">
                    "The record has no lines of these files, although it has other files with the same extension: no test loads them, or the tool leaves them out."
                </p>
                <ul>{rows}{others}</ul>
            </details>
        }
    })
}
