//! The change between two records, split by its reasons or by file; the parts add up.

use super::{
    change::Change,
    line_links::line_links,
    measures::files_in_words,
    name::Name,
    sortable::{Column, RowFilter, Sortable, change, number, text},
};
use crate::{
    links,
    numbers::{grouped, signed},
};
use domain::{
    Change as Points, ChangeCause, ChangeGroup, Count, Explained, LineRange, Moved, MovedFile,
    MovedGroup, MovedKind, plural,
};
use leptos::prelude::*;

/// The heading of a card with this explanation.
pub(crate) const WHY: &str = "Why the coverage changed";

/// How many groups, and how many ranges of lines of a file, are shown.
const SHOWN_GROUPS: usize = 50;
const SHOWN_RANGES: usize = 5;

/// Shows the change to the record `head` as a sentence and a table. If the change is explained, the rows are the groups of lines
/// with the largest effect, otherwise files. If both are `None`, a note says why.
pub(crate) fn what_moved(
    head: i64,
    change: Points,
    explained: Option<&Explained>,
    moved: Option<&Moved>,
) -> AnyView {
    let (sentence, table) = match (explained, moved) {
        (Some(explained), _) => (
            explained.sentence.clone(),
            by_reason(head, change, explained),
        ),
        (None, Some(moved)) => (sentence(change, moved), by_file(head, change, moved)),
        (None, None) => {
            return view! {
                <p class="note muted">
                    "No per-file comparison is available: the files of one of the two records are not known, or the two coverage files count different things."
                </p>
            }
            .into_any();
        }
    };
    view! {
        <p class="note">{sentence}</p>
        {table}
    }
    .into_any()
}

/// A table: its rows, the effect of the others and of rounding, and the whole change; `None` without rows. `rows_are` says what its rows are.
fn table<R, V: IntoView + 'static>(
    [class, label, rows_are]: [&'static str; 3],
    columns: u8,
    sortable: &Sortable<R>,
    rows: Vec<V>,
    others: Option<(String, Points)>,
    rounding: Option<Points>,
    change: Points,
) -> Option<AnyView> {
    let names = (columns - 1).to_string();
    let others = others.map(|(name, effect)| {
        view! {
            <tr>
                <th scope="row" colspan=names.clone() class="muted">{name}</th>
                <td class="num c-share"><Change change=Some(effect)/></td>
            </tr>
        }
    });
    let count = rows.len();
    // One row is the whole change.
    let has_sum = count > 1 || others.is_some() || rounding.is_some();
    let sum = has_sum.then(|| {
        let rounding = rounding.map(|of| {
            view! { <span class="muted small">{format!(", with {of} of rounding")}</span> }
        });
        view! {
            <tr class="sum">
                <th scope="row" colspan=names.clone()>"Total"{rounding}</th>
                <td class="num c-share"><Change change=Some(change)/></td>
            </tr>
        }
    });
    let table = view! {
        <RowFilter table="moved" rows=count what=rows_are/>
        <table class=class aria-label=label data-sortable="moved">
            {sortable.head()}
            <tbody>
                {rows}
                {others}
                {sum}
            </tbody>
        </table>
    };
    (count > 0).then(|| table.into_any())
}

struct Row<'a> {
    group: &'a ChangeGroup,
    reason: String,
    /// The gained or lost lines of the group, or its added lines that did not run, if they are known.
    lines: &'a [LineRange],
    effect: Points,
}

fn reason(group: &ChangeGroup) -> String {
    let flickering = match group.flickering {
        0 => String::new(),
        count => format!(", {count} known to flicker"),
    };
    let reason = group.reason(str::to_owned);
    match group.cause {
        ChangeCause::Gained | ChangeCause::Lost => format!("{reason}{flickering}"),
        _ => reason,
    }
}

fn lost<'a>(group: &ChangeGroup, explained: &'a Explained) -> Option<&'a [LineRange]> {
    let is_lost = group.cause == ChangeCause::Lost;
    let path = group.path.as_ref().filter(|_| is_lost)?;
    let files = &explained.lost.as_ref()?.files;
    let (_, ranges) = files.iter().find(|(of, _)| of == path)?;
    Some(ranges)
}

fn by_reason(head: i64, change: Points, explained: &Explained) -> Option<AnyView> {
    let groups = &explained.explanation.groups;
    let shown = groups.iter().take(SHOWN_GROUPS);
    let explanation = &explained.explanation;
    let shown = shown.map(|group| Row {
        group,
        reason: reason(group),
        lines: lost(group, explained).unwrap_or(&group.lines),
        effect: explanation.points(explanation.share(group)),
    });
    let rows: Vec<_> = shown.collect();
    let effects = rows.iter().map(|row| row.effect.basis_points());
    let rest = Points::from_basis_points(change.basis_points() - effects.sum::<i32>());
    let has_order = groups.len() == rows.len() && rows.len() > 1;
    let others = match groups.len() - rows.len() {
        0 => None,
        1 => Some("1 other group, and rounding".to_owned()),
        others => Some(format!("{others} other groups, and rounding")),
    };
    // A change of covered lines alone has no column of lines.
    let has_lines = rows.iter().any(|row| row.group.total != 0);
    let sortable = Sortable::new("moved", reasons(has_lines)).only_if(has_order);
    let shown = sortable.rows(&rows, |keys, group| group_row(keys, head, group, has_lines));
    let rounding = Some(rest).filter(|rest| others.is_none() && rest.basis_points() != 0);
    let others = others.map(|name| (name, rest));
    let about = ["moved why", "Why the percentage changed", "groups of lines"];
    let columns = if has_lines { 5 } else { 4 };
    table(about, columns, &sortable, shown, others, rounding, change)
}

fn reasons<'a>(has_lines: bool) -> Vec<Column<Row<'a>>> {
    let mut columns: Vec<Column<Row<'a>>> = vec![
        Column::new("name", "File", "", |row| {
            text(row.group.path.as_deref().unwrap_or_default())
        }),
        Column::new("reason", "Reason", "c-reason", |row| text(&row.reason)),
        Column::largest_first("covered", "Covered", "num c-more", |row| {
            number(Some(row.group.covered))
        }),
        Column::new("effect", "Effect in points", "num c-share", |row| {
            change(Some(row.effect))
        }),
    ];
    let lines = Column::largest_first("lines", "Lines", "num c-more", |row: &Row<'a>| {
        number(Some(row.group.total))
    });
    if has_lines {
        columns.insert(3, lines);
    }
    columns
}

fn group_row(keys: String, head: i64, row: &Row<'_>, has_lines: bool) -> impl IntoView + use<> {
    let group = row.group;
    // The head does not have the file.
    let is_gone = group.cause == ChangeCause::Removed
        || (group.cause == ChangeCause::Vanished && group.is_whole_file)
        || (group.cause == ChangeCause::Ignored && group.total < 0);
    let name = match group.path.clone().filter(|path| !path.is_empty()) {
        None => view! { <span class="muted">"–"</span> }.into_any(),
        Some(path) if !is_gone => {
            let href = links::source(head, &path);
            view! { <a href=href><Name text=path class="mono"/></a> }.into_any()
        }
        Some(path) => view! { <Name text=path class="mono"/> }.into_any(),
    };
    let path = group.path.as_deref().unwrap_or_default();
    let separator = match group.cause {
        ChangeCause::Added => "; not run: ",
        _ => ": ",
    };
    let lines = (!row.lines.is_empty()).then(|| {
        view! { {separator}{line_links(head, path, row.lines, SHOWN_RANGES)} }
    });
    let lines_more = (group.total != 0)
        .then(|| view! { {signed(group.total)}<span class="what">" lines"</span> });
    view! {
        <tr data-keys=keys>
            <th scope="row">{name}</th>
            <td class="c-reason">{row.reason.clone()}{lines}</td>
            <td class="num c-more">{signed(group.covered)}<span class="what">" covered"</span></td>
            {has_lines.then(|| view! { <td class="num c-more">{lines_more}</td> })}
            <td class="num c-share"><Change change=Some(row.effect)/></td>
        </tr>
    }
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
            format!("{} {word} ({change})", files_in_words(files.into()))
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
        0 => format!("The number of missed {lines} is unchanged."),
        difference => {
            let word = if difference > 0 { "more" } else { "fewer" };
            let number = grouped(difference.unsigned_abs());
            format!("{number} {word} {lines} are missed.")
        }
    };
    format!("{} points: {}{rest}. {uncovered}", change, parts.join(", "))
}

fn by_file(head: i64, change: Points, moved: &Moved) -> Option<AnyView> {
    let sortable = Sortable::new("moved", files()).only_if(moved.other_files == 0);
    let rows = sortable.rows(&moved.files, |keys, file| file_row(keys, head, file));
    let effect = moved.outside_files;
    let others = match moved.other_files {
        0 => (effect.basis_points() != 0).then(|| {
            let lines = plural(&moved.counter);
            format!("Rounding, and {lines} that belong to no file")
        }),
        1 => Some("1 other file, and rounding".to_owned()),
        files => Some(format!(
            "{} other files, and rounding",
            grouped(files.into())
        )),
    };
    let others = others.map(|name| (name, effect));
    let about = [
        "moved",
        "What changed, by file",
        "files whose counts changed",
    ];
    table(about, 5, &sortable, rows, others, None, change)
}

fn files() -> Vec<Column<MovedFile>> {
    vec![
        Column::new("name", "File", "", |file| text(&file.path)),
        Column::new("status", "Status", "c-kind", |file| text(file.kind.word())),
        Column::largest_first("uncovered", "Missed", "num c-more", |file| {
            number(Some(file.uncovered()))
        }),
        Column::fixed("Covered of total, before and after", "num c-counts"),
        Column::new("effect", "Effect in points", "num c-share", |file| {
            change(Some(file.change))
        }),
    ]
}

fn file_row(keys: String, head: i64, file: &MovedFile) -> impl IntoView + use<> {
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
            let href = links::source(head, &file.path);
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
            <td class="num c-more">{signed(file.uncovered())}<span class="what">" missed"</span></td>
            <td class="num c-counts">{counts}</td>
            <td class="num c-share"><Change change=Some(file.change)/></td>
        </tr>
    }
}
