//! The pull requests, and the results of each repository and of each interval, as tables.

use super::chart;
use crate::{
    components::{
        card::{aside, card, note, number as cell},
        form::{choice, choices},
        name::Name,
        pull_requests::{changed, counts, rank, rate, share, with_reasons},
        sortable::{Column, RowFilter, Sortable, number, percentage, text},
        time::days,
    },
    links,
    numbers::{counted, grouped},
    pages::views::as_csv,
    tables::Key,
};
use domain::{
    Count, Day, GateCounts, GateHistory, GateInterval, GateResult, GateRow, GatesQuery, Percentage,
    Repository,
};
use leptos::prelude::*;
use std::collections::BTreeSet;

/// The most repositories that are shown.
const MOST_SHOWN: usize = 200;

/// So few rows need no order.
const FEW_ROWS: usize = 3;

/// A table whose rows become blocks on phones, with headings that sort.
fn table<R>(sortable: &Sortable<R>, id: &'static str, rows: Vec<impl IntoView>) -> AnyView {
    view! {
        <table class="stored stacked" aria-labelledby=id data-testid=id data-sortable=id>
            {sortable.head()}
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}

/// A row for each pull request and language, with its newest result.
pub(super) fn pulls(query: &GatesQuery, history: &GateHistory) -> Option<AnyView> {
    let pulls = &history.pulls;
    if pulls.rows.is_empty() {
        return None;
    }
    let columns = vec![
        Column::new("name", "Pull request", "", |row: &GateResult| {
            text(format!(
                "{} {:>20}",
                row.repository,
                row.pull_request.to_string()
            ))
        }),
        Column::new("gate", "Gate", "c-verdict", |row| {
            number(row.verdict.map(rank))
        }),
        Column::new(
            "changed",
            "Changed lines covered",
            "num c-of",
            |row: &GateResult| share_of(row.changed),
        ),
        Column::largest_first("uploaded", "Uploaded", "num c-time", |row| {
            number(Some(row.updated_at.0))
        }),
    ];
    let sortable = Sortable::new("pulls", columns)
        .given_in("uploaded", true)
        .only_if(pulls.more == 0 && pulls.rows.len() > FEW_ROWS);
    let is_of_one = history.repository.is_some();
    let languages: BTreeSet<_> = pulls.rows.iter().map(|row| &row.language).collect();
    let has_languages = languages.len() > 1;
    let rows = sortable.rows(&pulls.rows, |keys, row| {
        pull(keys, row, is_of_one, has_languages)
    });
    let more = (pulls.more > 0).then(|| {
        let more = counted(pulls.more, "older result is", "older results are");
        note(format!(
            "{more} not shown. Choose a repository or other days."
        ))
    });
    let rows_of = pulls.rows.iter();
    let about = counts(rows_of.map(|row| ((&row.repository, &row.pull_request), row.verdict)));
    let about = match pulls.more {
        0 => about,
        _ => format!("the newest {about}"),
    };
    let beside = view! {
        {aside(about)}
        <span class="grow"></span>
        <RowFilter table="pulls" rows=pulls.rows.len() what="pull requests"/>
        {as_csv(links::gates_csv(query), "Gates")}
    };
    let table = table(&sortable, "pulls", rows);
    Some(card("pulls", "Pull requests", beside, (table, more)))
}

fn pull(keys: String, row: &GateResult, is_of_one: bool, has_languages: bool) -> AnyView {
    let href = links::pull_request(&row.repository, &row.pull_request);
    let number = format!("#{}", row.pull_request);
    let name = match is_of_one {
        true => number,
        false => format!("{} {number}", row.repository),
    };
    let language = has_languages.then(|| {
        view! { " "<span class="chip">{row.language.to_string()}</span> }
    });
    view! {
        <tr data-keys=keys>
            <th scope="row">
                <a class="link" href=href><Name text=name/></a>{language}
                <div class="muted small"><Name text=row.branch.to_string() class="mono"/></div>
            </th>
            <td data-label="Gate">{with_reasons(row.verdict, &row.reasons)}</td>
            {cell("Changed lines", changed(row.changed))}
            <td class="num small when" data-label="Uploaded" title=row.updated_at.long()>{Day::of(row.updated_at).long()}</td>
        </tr>
    }
    .into_any()
}

fn share_of(count: Option<Count>) -> Key {
    percentage(count.and_then(Percentage::of))
}

/// A row for each interval with results, the newest first. `None` for one interval of the usual length,
/// because the figures state its results.
pub(super) fn intervals(query: &GatesQuery, history: &GateHistory) -> Option<AnyView> {
    let rows = history.rows.iter().rev();
    let rows: Vec<_> = rows.filter(|row| row.counts.results > 0).collect();
    if rows.len() < 2 && query.by == GateInterval::default() {
        return None;
    }
    let first = Column::largest_first("interval", "Interval", "", |row: &GateRow| {
        number(Some(row.days.from.0))
    });
    let shape = Shape::of(rows.iter().map(|row| &row.counts));
    let sortable = Sortable::new("intervals", columns(first, shape))
        .given_in("interval", true)
        .only_if(rows.len() > FEW_ROWS);
    let rows = sortable.rows(rows, |keys, row| {
        let name = days(row.days);
        view! { <tr data-keys=keys><th scope="row">{name}</th>{cells(&row.counts, shape)}</tr> }
    });
    let lengths = GateInterval::ALL.iter().map(|&by| {
        let href = links::gates(&GatesQuery {
            by,
            ..query.clone()
        });
        choice(href, by == query.by, by.label())
    });
    let beside = view! {
        {choices("Interval", lengths)}
        <span class="grow"></span>
        <span class="legend">
            {[("pass", "passed"), ("fail", "failed")].map(|(class, word)| view! {
                <span><svg width="10" height="10" aria-hidden="true"><rect class=class width="10" height="10"></rect></svg>" "{word}</span>
            })}
        </span>
    };
    let table = table(&sortable, "intervals", rows);
    let content = (chart::columns(history), table);
    Some(card("intervals", "Results", beside, content))
}

/// A row for each repository, the lowest share of passed gates first; `None` if the results are about one repository.
pub(super) fn repositories(query: &GatesQuery, history: &GateHistory) -> Option<AnyView> {
    if history.repository.is_some() || history.repositories.len() < 2 {
        return None;
    }
    let first = Column::new(
        "name",
        "Repository",
        "",
        |row: &(Repository, GateCounts)| text(&row.0),
    );
    let others = history.repositories.len().saturating_sub(MOST_SHOWN);
    let shape = Shape::of(history.repositories.iter().map(|(_, counts)| counts));
    let sortable = Sortable::new("repositories", columns(first, shape))
        .given_in("passed", false)
        .only_if(others == 0);
    let rows = history.repositories.iter().take(MOST_SHOWN);
    let rows = sortable.rows(rows, |keys, (repository, counts)| {
        let href = links::gates(&GatesQuery {
            org: Some(repository.org.clone()),
            repo: Some(repository.repo.clone()),
            ..query.clone()
        });
        let name = repository.to_string();
        view! { <tr data-keys=keys><th scope="row"><a href=href><Name text=name/></a></th>{cells(counts, shape)}</tr> }
    });
    let table = table(&sortable, "repositories", rows);
    let others = (others > 0).then(|| {
        let others = grouped(others as u64);
        note(format!("{others} more are not shown."))
    });
    let title = "Results by repository";
    Some(card("repositories", title, (), (table, others)))
}

/// A row with counts.
trait Counted {
    fn counts(&self) -> &GateCounts;
}

impl Counted for GateRow {
    fn counts(&self) -> &GateCounts {
        &self.counts
    }
}

impl Counted for (Repository, GateCounts) {
    fn counts(&self) -> &GateCounts {
        &self.1
    }
}

/// Whether a table has results that are neither passed nor failed: without them, the shares say how many results there are.
#[derive(Clone, Copy)]
struct Shape {
    has_open: bool,
    has_without: bool,
}

impl Shape {
    fn of<'a>(rows: impl Iterator<Item = &'a GateCounts> + Clone) -> Self {
        let is_open = |counts: &GateCounts| counts.unknown + counts.incomplete > 0;
        Self {
            has_open: rows.clone().any(is_open),
            has_without: rows.clone().any(|counts| counts.without > 0),
        }
    }

    fn has_results(self) -> bool {
        self.has_open || self.has_without
    }
}

fn columns<R: Counted>(first: Column<R>, shape: Shape) -> Vec<Column<R>> {
    let results = Column::largest_first("results", "Results", "num", |row: &R| {
        number(Some(row.counts().results))
    });
    let passed = Column::new("passed", "Gates passed", "num c-of", |row: &R| {
        share_of(Some(row.counts().judged()))
    });
    let open = Column::largest_first("open", "Unknown or waiting", "num", |row: &R| {
        number(Some(row.counts().unknown + row.counts().incomplete))
    });
    let without = Column::largest_first("without", "No gate", "num", |row: &R| {
        number(Some(row.counts().without))
    });
    let changed = Column::new("changed", "Changed lines covered", "num c-of", |row: &R| {
        share_of(Some(row.counts().changed))
    });
    let columns = [
        Some(first),
        shape.has_results().then_some(results),
        Some(passed),
        shape.has_open.then_some(open),
        shape.has_without.then_some(without),
        Some(changed),
    ];
    columns.into_iter().flatten().collect()
}

fn cells(counts: &GateCounts, shape: Shape) -> impl IntoView + use<> {
    let open = match (counts.unknown, counts.incomplete) {
        (unknown, 0) => grouped(unknown),
        (unknown, waiting) => format!("{} and {}", grouped(unknown), grouped(waiting)),
    };
    let unknown = (counts.changes_unknown > 0).then(|| {
        let unknown = format!("{} not known", grouped(counts.changes_unknown));
        view! { " "<span class="share"><span class="muted small">{unknown}</span></span> }
    });
    let changed = view! { {share(counts.changed, "none")}{unknown} };
    let results = shape
        .has_results()
        .then(|| cell("Results", grouped(counts.results)));
    let without = shape
        .has_without
        .then(|| cell("No gate", grouped(counts.without)));
    view! {
        {results}
        {cell("Passed", rate(counts.judged(), "none"))}
        {shape.has_open.then(|| cell("Unknown", open))}
        {without}
        {cell("Changed lines", changed)}
    }
}
