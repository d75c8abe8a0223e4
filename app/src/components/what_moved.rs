//! The change between two records, split by file; the parts add up.

use super::{
    change::Change,
    measures::files_in_words,
    name::Name,
    sortable::{Column, RowFilter, Sortable, change, number, text},
};
use crate::{
    links,
    numbers::{grouped, signed},
};
use domain::{
    Change as Points, Count, Moved, MovedFile, MovedGroup, MovedKind, RecordQuery, plural,
};
use leptos::prelude::*;

/// The change between two records in a sentence, and a table of the files with the largest effect. File names link to the
/// pages of the files in the later record.
#[component]
pub(crate) fn WhatMoved(
    /// The later record.
    head: RecordQuery,
    change: Points,
    /// `None` if no per-file comparison is available.
    moved: Option<Moved>,
) -> impl IntoView {
    let Some(moved) = moved else {
        return view! {
            <p class="note muted">
                "No per-file comparison is available: the files of one of the two records are not known, or the two coverage files count different things."
            </p>
        }
        .into_any();
    };
    let table = (!moved.files.is_empty()).then(|| table(&head, change, &moved));
    view! {
        <p class="note">{sentence(change, &moved)}</p>
        {table}
    }
    .into_any()
}

fn sentence(change: Points, moved: &Moved) -> String {
    let groups = [
        (moved.added, "added"),
        (moved.removed, "removed"),
        (moved.changed, "changed"),
    ];
    let parts: Vec<_> = groups
        .into_iter()
        .filter(|(group, _)| group.files > 0)
        .map(|(MovedGroup { files, change }, word)| {
            let files = files_in_words(u64::from(files));
            format!("{files} {word} ({change})")
        })
        .collect();
    if parts.is_empty() {
        return "No file's counts have changed.".to_owned();
    }
    let rest = match moved.outside_groups.basis_points() {
        0 => String::new(),
        _ => format!(
            ", and {} from rounding or from counts outside the files",
            moved.outside_groups
        ),
    };
    let lines = plural(&moved.counter);
    let uncovered = match moved.uncovered {
        0 => format!("The number of uncovered {lines} is unchanged."),
        more @ 1.. => format!(
            "{} more {lines} are uncovered.",
            grouped(more.unsigned_abs())
        ),
        fewer => format!(
            "{} fewer {lines} are uncovered.",
            grouped(fewer.unsigned_abs())
        ),
    };
    format!("{} points: {}{rest}. {uncovered}", change, parts.join(", "))
}

fn table(head: &RecordQuery, change: Points, moved: &Moved) -> impl IntoView + use<> {
    let sortable = Sortable::new("moved", columns()).only_if(moved.other_files == 0);
    let rows = sortable.sorted(&moved.files).into_iter();
    let rows = rows
        .map(|(keys, file)| row(keys, head, file))
        .collect_view();
    let others = match moved.other_files {
        0 => (moved.outside_files.basis_points() != 0).then(|| {
            format!(
                "Rounding, and {} that belong to no file",
                plural(&moved.counter)
            )
        }),
        1 => Some("1 other file, and rounding".to_owned()),
        files => Some(format!(
            "{} other files, and rounding",
            grouped(u64::from(files))
        )),
    };
    let others = others.map(|name| {
        view! {
            <tr>
                <th scope="row" colspan="4" class="muted">{name}</th>
                <td class="num c-share"><Change change=Some(moved.outside_files)/></td>
            </tr>
        }
    });
    view! {
        <RowFilter table="moved" rows=moved.files.len() what="files that moved"/>
        <table class="moved" aria-label="What moved, by file" data-sortable="moved">
            {sortable.head()}
            <tbody>
                {rows}
                {others}
                <tr class="sum">
                    <th scope="row" colspan="4">"Total"</th>
                    <td class="num c-share"><Change change=Some(change)/></td>
                </tr>
            </tbody>
        </table>
    }
}

fn columns() -> Vec<Column<MovedFile>> {
    vec![
        Column::new("name", "File", "", |file| text(&file.path)),
        Column::new("status", "Status", "c-kind", |file| text(file.kind.word())),
        Column::largest_first("uncovered", "Uncovered", "num c-more", |file| {
            number(Some(file.uncovered()))
        }),
        Column::fixed("Covered of total, before and after", "num c-counts"),
        Column::new("effect", "Effect in points", "num c-share", |file| {
            change(Some(file.change))
        }),
    ]
}

fn row(keys: String, head: &RecordQuery, file: &MovedFile) -> impl IntoView + use<> {
    let name = if file.path.is_empty() {
        "a file without a name".to_owned()
    } else {
        file.path.clone()
    };
    let name = view! { <Name text=name class="mono"/> };
    let name = match file.kind {
        MovedKind::Removed => name.into_any(),
        _ if file.path.is_empty() => name.into_any(),
        MovedKind::Added | MovedKind::Changed => {
            let href = links::source(head.id, &file.path);
            view! { <a href=href>{name}</a> }.into_any()
        }
    };
    let of = |count: Count| match count.total {
        0 => "–".to_owned(),
        _ => format!("{}/{}", grouped(count.covered), grouped(count.total)),
    };
    let counts = format!("{} → {}", of(file.before), of(file.after));
    view! {
        <tr data-keys=keys>
            <th scope="row">{name}</th>
            <td class="c-kind">{file.kind.word()}</td>
            <td class="num c-more">{signed(file.uncovered())}<span class="what">" uncovered"</span></td>
            <td class="num c-counts">{counts}</td>
            <td class="num c-share"><Change change=Some(file.change)/></td>
        </tr>
    }
}
