//! The records of an author. If one page has all of them, the browser sorts its rows.

use crate::{
    components::{
        card::card,
        change::Change,
        coverage::Coverage,
        name::{Name, repository_link},
        sortable::{Column, RowFilter, Sortable, change, number, percentage, text, words},
        time::Age,
    },
    links::{self, ReportLinks},
    numbers::{counted, grouped},
};
use domain::{AuthorDetail, AuthorRecord, Language, Repository, Timestamp};
use leptos::prelude::*;
use std::cmp::Reverse;

/// A card with a row for each record, newest first, and `pager` below it.
pub(super) fn records(mut detail: AuthorDetail, pager: Option<AnyView>) -> AnyView {
    // Only all records are grouped: the order of a part of them goes over all repositories.
    let has_groups = detail.is_whole && detail.summary.repositories.len() > 1;
    let mut sortable = Sortable::new("records", columns(has_groups)).given_in("uploaded", true);
    let order = if detail.is_whole {
        // The table's own order, which decides between rows with the same value.
        detail
            .records
            .sort_by_key(|row| Reverse((row.record.updated_at, row.record.record_id)));
        // The headings show the order.
        detail.query.order = None;
        String::new()
    } else {
        sortable = sortable.in_parts(detail.query.order.as_ref(), &["after"]);
        match &detail.query.order {
            Some(order) => format!("the first {} by {}", detail.records.len(), words(order)),
            None => "newest first".to_owned(),
        }
    };
    let count = detail.records.len();
    let mut groups: Vec<(&Repository, Vec<&AuthorRecord>)> = Vec::new();
    for record in &detail.records {
        let is_of = |of: &&Repository| !has_groups || **of == record.repository;
        match groups.iter_mut().find(|(of, _)| is_of(of)) {
            Some((_, records)) => records.push(record),
            None => groups.push((&record.repository, vec![record])),
        }
    }
    let bodies = groups.into_iter().map(|(repository, records)| {
        let heading = has_groups.then(|| group(repository, &records));
        let mut languages = records.iter().map(|row| &row.record.language);
        let first = languages.next();
        let is_one = has_groups && languages.all(|language| Some(language) == first);
        let rows = sortable.rows(records, |keys, record| {
            row(keys, record, (has_groups, is_one), detail.now)
        });
        view! { <tbody>{heading}{rows}</tbody> }
    });
    let bodies = bodies.collect_view();
    let beside = view! {
        <span class="muted small" role="status">{order}</span>
        <span class="grow"></span>
        <RowFilter table="records" rows=count what="records"/>
    };
    let content = view! {
        <table class="by-author" aria-labelledby="records" data-sortable="records">
            {sortable.head()}
            {bodies}
        </table>
        {pager}
    };
    card("records", "Records", beside, content)
}

/// How records moved the coverage of their branches. A first record moves nothing.
#[derive(Default)]
pub(super) struct Moves {
    pub(super) raised: u64,
    pub(super) lowered: u64,
    /// How many records have a change.
    pub(super) known: u64,
}

impl Moves {
    pub(super) fn of<'a>(records: impl IntoIterator<Item = &'a AuthorRecord>) -> Self {
        let changes = records.into_iter().filter_map(|row| row.record.change);
        changes.fold(Self::default(), |sum, change| {
            let points = change.basis_points();
            Self {
                raised: sum.raised + u64::from(points > 0),
                lowered: sum.lowered + u64::from(points < 0),
                known: sum.known + 1,
            }
        })
    }
}

fn chip(language: &Language) -> AnyView {
    view! { <span class="chip">{language.to_string()}</span>" " }.into_any()
}

/// The heading of the records of a repository: their languages, and how many of them raised and lowered the coverage of their branch.
fn group(repository: &Repository, records: &[&AuthorRecord]) -> impl IntoView + use<> {
    let moves = Moves::of(records.iter().copied());
    let count = counted(records.len() as u64, "record", "records");
    let mut languages: Vec<_> = records.iter().map(|row| &row.record.language).collect();
    languages.sort_unstable();
    languages.dedup();
    let languages: Vec<_> = languages.into_iter().map(chip).collect();
    let moved = (moves.known > 0).then(|| {
        let (rose, fell) = (grouped(moves.raised), grouped(moves.lowered));
        view! {
            <span class="muted small">": "</span>
            <span class="delta up">{rose}" raised"</span>
            <span class="muted small">", "</span>
            <span class="delta down">{fell}" lowered"</span>
        }
    });
    view! {
        <tr class="group">
            <th scope="rowgroup" colspan="5">
                {repository_link(repository, true)}
                " "
                {languages}
                <span class="muted small">{count}</span>
                {moved}
            </th>
        </tr>
    }
}

/// A row with its `data-keys`. In a group, the heading names the repository, and the language if there is only one.
fn row(
    keys: String,
    record: &AuthorRecord,
    (in_group, is_one_language): (bool, bool),
    now: Timestamp,
) -> impl IntoView + use<> {
    let reports: ReportLinks = expect_context();
    let AuthorRecord {
        repository,
        branch,
        record,
    } = record;
    let (id, commit, language) = (record.record_id, &record.commit, &record.language);
    let of = format!("of {repository}, {branch}, {language}, commit {commit}");
    let report = record.has_report.then(|| {
        let label = format!("HTML report {of}");
        view! { <a href=reports.report(id) rel="external" aria-label=label>"HTML ↗"</a> }
    });
    let named = (!in_group).then(|| view! { {repository_link(repository, true)}" " });
    view! {
        <tr data-keys=keys>
            <th scope="row">
                {named}
                <a class="name mono small" href=links::record(id) title=format!("Record {of}")>{commit.short().to_owned()}</a>
                " "
                <span class="of-branch mono"><a href=links::branch(repository, branch)><Name text=branch.to_string()/></a></span>
                " "
                {(!is_one_language).then(|| chip(language))}
            </th>
            <td class="c-cov"><Coverage percentage=record.percentage lines=record.lines/></td>
            <td class="c-change num"><Change change=record.change/></td>
            <td class="c-time"><Age at=record.updated_at now/></td>
            <td class="c-link num small">{report}</td>
        </tr>
    }
}

fn columns(has_groups: bool) -> Vec<Column<AuthorRecord>> {
    let name = match has_groups {
        true => "Commit and branch",
        false => "Repository, commit and branch",
    };
    vec![
        Column::new("name", name, "", |row: &AuthorRecord| {
            text(format!(
                "{} {} {}",
                row.repository, row.branch, row.record.language
            ))
        }),
        Column::new("coverage", "Coverage", "c-cov", |row| {
            percentage(Some(row.record.percentage))
        }),
        Column::new("change", "Change on its branch", "c-change num", |row| {
            change(row.record.change)
        }),
        Column::largest_first("uploaded", "Uploaded", "c-time", |row| {
            number(Some(row.record.updated_at.0))
        }),
        Column::fixed("Report", "c-link").unseen(),
    ]
}
