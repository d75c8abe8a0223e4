//! A table of views, or of owners: coverage, change, trend, new code, lines.

use crate::{
    charts::sparkline,
    components::{
        card::number as cell,
        change::Change,
        coverage::{Coverage, Percent},
        measures::files_in_words,
        name::Name,
        sortable::{Column, RowFilter, Sortable, change, number, percentage, text},
    },
    numbers::{covered_of, grouped},
};
use domain::{Change as Points, Day, DayPoint, NewCount, Percentage, Timestamp, ViewCounts};
use leptos::prelude::*;
use std::cmp::Reverse;

/// A row of the table.
#[derive(Clone, Default)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) href: Option<String>,
    /// The address of its trend.
    pub(crate) trend: Option<String>,
    /// The address of its files.
    pub(crate) files: Option<String>,
    pub(crate) counts: ViewCounts,
    pub(crate) points: Vec<DayPoint>,
    /// The number of repositories in which the view has files, if the table is about several repositories.
    pub(crate) repositories: Option<u64>,
    /// The change of a row of several repositories, if not from its counts.
    pub(crate) alike: Option<Alike>,
}

/// The change of the repositories that have a value at the beginning.
#[derive(Clone, Copy)]
pub(crate) struct Alike {
    pub(crate) change: Option<Points>,
    /// The number of repositories without a value at the beginning, and of all.
    pub(crate) new: u64,
    pub(crate) all: u64,
}

impl Alike {
    /// Whether half of the repositories have a value at the beginning, as where the page of an org begins to compare.
    fn is_comparable(&self) -> bool {
        2 * self.new <= self.all
    }
}

impl Row {
    /// The change in the period. If the view began in the period: the change since the first point of the view, and the day of
    /// this point.
    fn change(&self) -> (Option<Points>, Option<Day>) {
        if let Some(alike) = self.alike {
            return (alike.change.filter(|_| alike.is_comparable()), None);
        }
        let first = self.points.first();
        match (self.counts.delta(), first, self.counts.percentage()) {
            (None, Some(first), Some(now)) => {
                let change = Points::between(first.percentage, now);
                (Some(change), Some(Day::of(first.at)))
            }
            (change, ..) => (change, None),
        }
    }
}

/// A table with a row for each view, and last rows with totals. `name` is the name of the table in addresses
/// and in the markup.
pub(crate) fn table(
    name: &'static str,
    what: &'static str,
    rows: Vec<Row>,
    totals: impl IntoIterator<Item = Row>,
    period: (Timestamp, Timestamp),
) -> AnyView {
    let has_trends = rows.iter().any(|row| !row.points.is_empty());
    let has_repositories = rows.iter().any(|row| row.repositories.is_some());
    let mut sortable = Sortable::new(name, columns(what, has_trends, has_repositories));
    let named = rows.iter().filter(|row| row.href.is_some());
    let missed = |row: &Row| Reverse(row.counts.now.lines.uncovered());
    if rows.is_sorted_by_key(missed) {
        sortable = sortable.given_in("missed", true);
    } else if named.is_sorted_by_key(|row| row.name.to_lowercase()) {
        sortable = sortable.given_in("name", false);
    }
    let count = rows.len();
    let shape = (has_trends, has_repositories);
    let shown = sortable.rows(&rows, |keys, own| row(Some(keys), own, shape, period));
    let totals = totals.into_iter();
    let totals: Vec<_> = totals.map(|own| row(None, &own, shape, period)).collect();
    let totals = (!totals.is_empty()).then(|| view! { <tfoot>{totals}</tfoot> });
    view! {
        <RowFilter table=name rows=count what="rows"/>
        <table class="groups views" aria-labelledby=name data-testid=name data-sortable=name>
            {sortable.head()}
            <tbody>{shown}</tbody>
            {totals}
        </table>
    }
    .into_any()
}

fn columns(what: &str, has_trends: bool, has_repositories: bool) -> Vec<Column<Row>> {
    let mut columns = vec![
        Column::new("name", what, "", |row: &Row| text(&row.name)),
        Column::new("coverage", "Coverage", "c-cov", |row| {
            percentage(row.counts.percentage())
        }),
        Column::new("change", "Change", "num", |row: &Row| {
            change(row.change().0)
        }),
    ];
    if has_trends {
        columns.push(Column::fixed("Trend", "c-trend"));
    }
    if has_repositories {
        columns.push(Column::largest_first(
            "repositories",
            "Repositories",
            "num c-repositories",
            |row: &Row| number(row.repositories),
        ));
    }
    columns.extend([
        Column::new("new", "New code", "num", |row: &Row| {
            percentage(row.counts.new.and_then(|new| Percentage::of(new.lines)))
        }),
        Column::largest_first("missed", "Missed lines", "num", |row| {
            number(Some(row.counts.now.lines.uncovered()))
        }),
        Column::largest_first("files", "Files", "num", |row| {
            number(Some(row.counts.now.files))
        }),
    ]);
    columns
}

fn row(
    keys: Option<String>,
    row: &Row,
    (has_trends, has_repositories): (bool, bool),
    period: (Timestamp, Timestamp),
) -> AnyView {
    let counts = &row.counts;
    let name = match &row.href {
        Some(href) => {
            view! { <a class="name link" href=href.clone()><Name text=row.name.clone()/></a> }
                .into_any()
        }
        None => view! { <Name text=row.name.clone()/> }.into_any(),
    };
    let coverage = match counts.percentage() {
        Some(percentage) => {
            view! { <Coverage percentage lines=Some(counts.now.lines)/> }.into_any()
        }
        None => view! { <span class="muted">"no lines"</span> }.into_any(),
    };
    let trend = has_trends.then(|| {
        let drawn = sparkline(&row.points, period, false);
        let label = format!("Trend of {}", row.name);
        let shown = match &row.trend {
            Some(href) => view! { <a href=href.clone() aria-label=label>{drawn}</a> }.into_any(),
            None => drawn.into_any(),
        };
        view! { <td class="c-trend">{shown}</td> }
    });
    let files = grouped(counts.now.files);
    let files = match row.files.as_ref().filter(|_| counts.now.files > 0) {
        Some(href) => {
            let label = format!("{} of {}", files_in_words(counts.now.files), row.name);
            view! { <a class="link" href=href.clone() aria-label=label>{files}</a> }.into_any()
        }
        None => files.into_any(),
    };
    let alike = row.alike;
    let some = alike.filter(|alike| alike.new > 0).map(|alike| {
        let (kept, all) = (grouped(alike.all - alike.new), grouped(alike.all));
        let (some, title) = match alike.is_comparable() {
            true => (
                format!("change of {kept} of {all}"),
                "the repositories that have a value at the beginning of the period",
            ),
            false => (
                format!("{} of {all} new", grouped(alike.new)),
                "too many have no value at the beginning of the period, so there is no change",
            ),
        };
        view! { " "<span class="muted small" title=title>{some}</span> }
    });
    let (change, first) = row.change();
    let first = first.map(|day| {
        let began = format!("since its first record on {}", day.long());
        view! { " "<span class="chip" title=began>"new"</span> }
    });
    let changed = view! { <Change change/>{first} };
    let repositories = row.repositories.map_or(String::new(), grouped);
    let repositories = has_repositories.then(|| cell("Repositories", repositories));
    view! {
        <tr data-keys=keys>
            <th scope="row">{name}{some}</th>
            <td class="c-cov">{coverage}</td>
            {cell("Change", changed)}
            {trend}
            {repositories}
            {cell("New code", new_code(counts.new))}
            {cell("Missed lines", grouped(counts.now.lines.uncovered()))}
            {cell("Files", files)}
        </tr>
    }
    .into_any()
}

/// The percentage of the new lines that are covered. The tooltip has the numbers of lines.
fn new_code(new: Option<NewCount>) -> AnyView {
    let Some(new) = new else {
        return view! { <span class="muted" title="it is not known when the lines were added">"–"</span> }.into_any();
    };
    let unknown = match new.unknown {
        0 => String::new(),
        lines => format!("; {} more may be new", grouped(lines)),
    };
    let title = format!("{} new lines covered{unknown}", covered_of(new.lines));
    match Percentage::of(new.lines) {
        Some(percentage) => {
            view! { <span title=title>{percentage.to_string()}<Percent/></span> }.into_any()
        }
        None => view! { <span class="muted" title=title>"–"</span> }.into_any(),
    }
}
