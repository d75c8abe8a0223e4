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
use domain::{AuthorDetail, AuthorRecord, Repository, Timestamp};
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
        let rows = sortable.rows(records, |keys, record| {
            row(keys, record, has_groups, detail.now)
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

/// The heading of the records of a repository: how many of them raised and lowered the coverage of their branch.
fn group(repository: &Repository, records: &[&AuthorRecord]) -> impl IntoView + use<> {
    let changes = records.iter().filter_map(|row| row.record.change);
    let directions: Vec<_> = changes
        .map(|change| change.basis_points().signum())
        .collect();
    let of = |sign| {
        directions
            .iter()
            .filter(|direction| **direction == sign)
            .count() as u64
    };
    let count = counted(records.len() as u64, "record", "records");
    // A first record raises nothing and lowers nothing.
    let moved = (!directions.is_empty()).then(|| {
        let (rose, fell) = (grouped(of(1)), grouped(of(-1)));
        view! {
            ": "
            <span class="delta up">{rose}" raised"</span>
            <span class="muted small">", "</span>
            <span class="delta down">{fell}" lowered"</span>
            <span class="muted small">" the coverage of their branch"</span>
        }
    });
    view! {
        <tr class="group">
            <th scope="rowgroup" colspan="6">
                {repository_link(repository, true)}
                " "
                <span class="muted small">{count}</span>
                {moved}
            </th>
        </tr>
    }
}

/// A row with its `data-keys`. In a group, the heading names the repository.
fn row(
    keys: String,
    record: &AuthorRecord,
    in_group: bool,
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
                <span class="of-branch mono"><a href=links::branch(repository, branch)><Name text=branch.to_string()/></a></span>
                " "
                <span class="chip">{language.to_string()}</span>
            </th>
            <td class="c-commit mono"><a class="name" href=links::record(id) title=format!("Record {of}")>{commit.short().to_owned()}</a></td>
            <td class="c-cov"><Coverage percentage=record.percentage lines=record.lines/></td>
            <td class="c-change num"><Change change=record.change/></td>
            <td class="c-time"><Age at=record.updated_at now/></td>
            <td class="c-link num small">{report}</td>
        </tr>
    }
}

fn columns(has_groups: bool) -> Vec<Column<AuthorRecord>> {
    let name = match has_groups {
        true => "Branch",
        false => "Repository and branch",
    };
    vec![
        Column::new("name", name, "", |row: &AuthorRecord| {
            text(format!(
                "{} {} {}",
                row.repository, row.branch, row.record.language
            ))
        }),
        Column::fixed("Commit", "c-commit"),
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
