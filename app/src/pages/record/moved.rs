//! What moved the percentage since another record, file by file: it adds up.

use super::{files_in_words, short};
use crate::{
    components::{change::Change, coverage::grouped, name::Name},
    domain::{
        Against, Comparison, Count, FileView, FilesQuery, Moved, MovedFile, MovedGroup, MovedKind,
        RecordDetail, RecordQuery, plural,
    },
    links,
};
use leptos::prelude::*;

/// A card that explains the change; none where there is nothing to compare with.
pub(super) fn moved(query: &RecordQuery, detail: &RecordDetail) -> Option<impl IntoView + use<>> {
    let comparison = detail.comparison.as_ref()?;
    let body = match &comparison.moved {
        Some(moved) => explained(query, comparison, moved).into_any(),
        None => view! {
            <p class="note muted">
                "The files of one of the two records are not known, so what moved cannot be told file by file. Records that are uploaded from now on keep them where their report lists any."
            </p>
        }
        .into_any(),
    };
    Some(view! {
        <section class="card" id="moved" aria-labelledby="moved-title">
            <div class="head">
                <h2 id="moved-title">"What moved"</h2>
                <span class="muted small">
                    "since commit "
                    <a class="link mono" href=links::record(comparison.base.id)>{short(comparison.base.commit.as_str())}</a>
                    {format!(" with {} %", comparison.base.percentage)}
                </span>
                <span class="grow"></span>
                {choice(query, detail, comparison.against)}
            </div>
            {body}
        </section>
    })
}

/// Which of the two records to compare with, where there are two.
fn choice(
    query: &RecordQuery,
    detail: &RecordDetail,
    shown: Against,
) -> Option<impl IntoView + use<>> {
    detail.older.as_ref().zip(detail.of_main.as_ref())?;
    let link = |against: Against, name: String| {
        let asked = RecordQuery {
            against,
            ..query.clone()
        };
        let href = format!("{}#moved", links::record_page(&asked));
        let current = (against == shown).then_some("true");
        view! { <a href=href aria-current=current><bdi>{name}</bdi></a> }
    };
    Some(view! {
        <nav class="seg" aria-label="Compare with">
            {link(Against::Before, "the record before".to_owned())}
            {link(Against::Main, detail.main_branch.to_string())}
        </nav>
    })
}

fn explained(query: &RecordQuery, comparison: &Comparison, moved: &Moved) -> impl IntoView + use<> {
    let sentence = sentence(comparison, moved);
    let table = (!moved.files.is_empty()).then(|| table(query, comparison, moved));
    view! {
        <p class="note">{sentence}</p>
        {table}
    }
}

/// The change in one sentence.
fn sentence(comparison: &Comparison, moved: &Moved) -> String {
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
        return "No file has other counts than before.".to_owned();
    }
    let rest = match moved.beside_groups.basis_points() {
        0 => String::new(),
        _ => format!(
            ", and {} by rounding or by what the reports count beside their files",
            moved.beside_groups
        ),
    };
    let lines = plural(&moved.counter);
    let uncovered = match moved.uncovered {
        0 => format!("As many {lines} are uncovered as before."),
        more @ 1.. => format!(
            "{} more {lines} are uncovered.",
            grouped(more.unsigned_abs())
        ),
        fewer => format!(
            "{} fewer {lines} are uncovered.",
            grouped(fewer.unsigned_abs())
        ),
    };
    format!(
        "{} points: {}{rest}. {uncovered}",
        comparison.change,
        parts.join(", ")
    )
}

fn table(query: &RecordQuery, comparison: &Comparison, moved: &Moved) -> impl IntoView + use<> {
    let rows = moved
        .files
        .iter()
        .map(|file| row(query, file))
        .collect_view();
    let others = match moved.other_files {
        0 => (moved.beside_files.basis_points() != 0)
            .then(|| "Rounding, and what the reports count beside their files".to_owned()),
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
                <td class="num c-share"><Change change=Some(moved.beside_files)/></td>
            </tr>
        }
    });
    view! {
        <table class="moved">
            <thead>
                <tr>
                    <th scope="col">"File"</th>
                    <th scope="col" class="c-kind">"It was"</th>
                    <th scope="col" class="num c-more">"Uncovered"</th>
                    <th scope="col" class="num c-counts">"Covered of all, before and after"</th>
                    <th scope="col" class="num c-share">"Its share in points"</th>
                </tr>
            </thead>
            <tbody>
                {rows}
                {others}
                <tr class="sum">
                    <th scope="row" colspan="4">"Together"</th>
                    <td class="num c-share"><Change change=Some(comparison.change)/></td>
                </tr>
            </tbody>
        </table>
    }
}

fn row(query: &RecordQuery, file: &MovedFile) -> impl IntoView + use<> {
    let name = match file.path.is_empty() {
        true => "a file without a name".to_owned(),
        false => file.path.clone(),
    };
    let name = view! { <Name text=name class="mono"/> };
    let name = match file.kind {
        MovedKind::Removed => name.into_any(),
        MovedKind::Added | MovedKind::Changed => {
            let asked = RecordQuery {
                files: FilesQuery {
                    view: FileView::Flat,
                    keyword: file.path.clone(),
                    ..FilesQuery::default()
                },
                ..query.clone()
            };
            let href = format!("{}#files", links::record_page(&asked));
            view! { <a href=href>{name}</a> }.into_any()
        }
    };
    let of = |count: Count| match count.total {
        0 => "–".to_owned(),
        _ => format!("{}/{}", grouped(count.covered), grouped(count.total)),
    };
    let counts = format!("{} → {}", of(file.before), of(file.after));
    view! {
        <tr>
            <th scope="row">{name}</th>
            <td class="c-kind">{file.kind.word()}</td>
            <td class="num c-more">{signed(file.uncovered())}<span class="what">" uncovered"</span></td>
            <td class="num c-counts">{counts}</td>
            <td class="num c-share"><Change change=Some(file.change)/></td>
        </tr>
    }
}

/// A number of lines with its sign.
fn signed(lines: i64) -> String {
    let sign = match lines {
        0 => "",
        1.. => "+",
        _ => "\u{2212}",
    };
    format!("{sign}{}", grouped(lines.unsigned_abs()))
}
