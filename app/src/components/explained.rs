//! Why a percentage changed: the sentence, and a table of groups of lines whose effects add up.

use super::{
    change::Change,
    name::Name,
    sortable::{Column, RowFilter, Sortable, change, number, text},
};
use crate::{links, numbers::signed};
use domain::{Change as Points, ChangeCause, ChangeGroup, Explained, LineRange, lines_in_words};
use leptos::prelude::*;

/// How many groups, and how many ranges of lost lines of a file, are shown.
const SHOWN_GROUPS: usize = 50;
const SHOWN_RANGES: usize = 5;

/// The change between two records in a sentence, and a table of the groups of lines with the largest effect.
#[component]
pub(crate) fn WhyItMoved(
    /// The later record.
    head: i64,
    change: Points,
    explained: Explained,
) -> impl IntoView {
    let explanation = &explained.explanation;
    let shown = explanation.groups().iter().take(SHOWN_GROUPS);
    let rows: Vec<Row> = shown.map(|group| Row::new(group, &explained)).collect();
    let rest = rows.iter().fold(change.basis_points(), |rest, row| {
        rest - row.effect.basis_points()
    });
    let others = explanation.groups().len() - rows.len();
    let table = (!rows.is_empty()).then(|| table(head, change, &rows, (others, rest)));
    view! {
        <p class="note">{explained.sentence.clone()}</p>
        {table}
    }
}

/// A group as a row.
struct Row {
    path: Option<String>,
    /// Whether the head has the file.
    is_there: bool,
    reason: String,
    covered: i64,
    total: i64,
    effect: Points,
}

impl Row {
    fn new(group: &ChangeGroup, explained: &Explained) -> Self {
        let is_gone = matches!(group.cause, ChangeCause::Removed | ChangeCause::Vanished)
            && (group.is_whole_file || group.cause == ChangeCause::Removed);
        Self {
            path: group.path.clone(),
            is_there: !is_gone,
            reason: reason(group, explained),
            covered: group.covered,
            total: group.total,
            effect: explained
                .explanation
                .points(explained.explanation.share(group)),
        }
    }
}

fn reason(group: &ChangeGroup, explained: &Explained) -> String {
    let whole = if group.is_whole_file { "file" } else { "lines" };
    let flickering = match group.flickering {
        0 => String::new(),
        count => format!(", {count} known to flicker"),
    };
    match group.cause {
        ChangeCause::Added => "new lines".to_owned(),
        ChangeCause::Removed => "removed lines".to_owned(),
        ChangeCause::Gained => format!("unchanged lines, now run{flickering}"),
        ChangeCause::Lost => {
            let ranges = group.path.as_ref().and_then(|path| lost(path, explained));
            let ranges = ranges.map(|ranges| format!(": {ranges}"));
            format!(
                "unchanged lines, no longer run{flickering}{}",
                ranges.unwrap_or_default()
            )
        }
        ChangeCause::Appeared => format!("{whole} now measured"),
        ChangeCause::Vanished => format!("{whole} no longer measured"),
        ChangeCause::PartAbsent => match group.part.as_ref().filter(|part| part.is_named()) {
            Some(part) => format!("lines of the absent part {part}"),
            None => "lines of the absent unnamed part".to_owned(),
        },
        ChangeCause::ChangedSince => "file changed since the base".to_owned(),
        ChangeCause::Other => "stated totals that differ from the sums of the lines".to_owned(),
    }
}

/// The lost lines of a file.
fn lost(path: &str, explained: &Explained) -> Option<String> {
    let files = &explained.lost.as_ref()?.files;
    let (_, ranges) = files.iter().find(|(of, _)| of == path)?;
    let shown: Vec<_> = ranges.iter().take(SHOWN_RANGES).copied().collect();
    let shown = shown
        .into_iter()
        .map(|range: LineRange| lines_in_words(range));
    let more = if ranges.len() > SHOWN_RANGES {
        ", …"
    } else {
        ""
    };
    Some(shown.collect::<Vec<_>>().join(", ") + more)
}

fn table(
    head: i64,
    change: Points,
    rows: &[Row],
    (others, rest): (usize, i32),
) -> impl IntoView + use<> {
    let sortable = Sortable::new("moved", columns()).only_if(others == 0);
    let shown = sortable.sorted(rows).into_iter();
    let shown = shown
        .map(|(keys, group)| row(keys, head, group))
        .collect_view();
    let others = match others {
        0 => (rest != 0).then(|| "Rounding".to_owned()),
        1 => Some("1 other group, and rounding".to_owned()),
        others => Some(format!("{others} other groups, and rounding")),
    };
    let others = others.map(|name| {
        view! {
            <tr>
                <th scope="row" colspan="4" class="muted">{name}</th>
                <td class="num c-share"><Change change=Some(Points::from_basis_points(rest))/></td>
            </tr>
        }
    });
    view! {
        <RowFilter table="moved" rows=rows.len() what="groups of lines"/>
        <table class="moved why" aria-label="Why the percentage changed" data-sortable="moved">
            {sortable.head()}
            <tbody>
                {shown}
                {others}
                <tr class="sum">
                    <th scope="row" colspan="4">"Total"</th>
                    <td class="num c-share"><Change change=Some(change)/></td>
                </tr>
            </tbody>
        </table>
    }
}

fn columns() -> Vec<Column<Row>> {
    vec![
        Column::new("name", "File", "", |row| {
            text(row.path.as_deref().unwrap_or_default())
        }),
        Column::new("reason", "Reason", "c-reason", |row| text(&row.reason)),
        Column::largest_first("covered", "Covered", "num c-more", |row| {
            number(Some(row.covered))
        }),
        Column::largest_first("lines", "Lines", "num c-more", |row| {
            number(Some(row.total))
        }),
        Column::new("effect", "Effect in points", "num c-share", |row| {
            self::change(Some(row.effect))
        }),
    ]
}

fn row(keys: String, head: i64, row: &Row) -> impl IntoView + use<> {
    let name = match row.path.clone().filter(|path| !path.is_empty()) {
        None => view! { <span class="muted">"–"</span> }.into_any(),
        Some(path) if row.is_there => {
            let href = links::source(head, &path);
            view! { <a href=href><Name text=path class="mono"/></a> }.into_any()
        }
        Some(path) => view! { <Name text=path class="mono"/> }.into_any(),
    };
    view! {
        <tr data-keys=keys>
            <th scope="row">{name}</th>
            <td class="c-reason">{row.reason.clone()}</td>
            <td class="num c-more">{signed(row.covered)}<span class="what">" covered"</span></td>
            <td class="num c-more">{signed(row.total)}<span class="what">" lines"</span></td>
            <td class="num c-share"><Change change=Some(row.effect)/></td>
        </tr>
    }
}
