//! The current record of every branch and language. If one page has all of them, the browser sorts its rows.

use super::{Page, history_table::limits};
use crate::{
    components::{
        card::card,
        change::Change,
        coverage::Coverage,
        form::hidden,
        name::Name,
        pager::pager,
        pull_requests::{gate_cell, request_link},
        sortable::{Column, RowFilter, Sortable, change, number, percentage, text},
        time::Age,
    },
    links::{self, ReportLinks},
    numbers::counted,
};
use domain::{BranchRow, CompareQuery, Percentage, RepositoryTab};
use leptos::prelude::*;
use std::cmp::Reverse;

/// A card with a row for each branch and language; a branch's name links to the page for that branch.
pub(super) fn branches(page: &Page) -> AnyView {
    let mut rows: Vec<_> = page.detail.branches.rows.iter().collect();
    let has_gate = rows.iter().any(|row| row.verdict.is_some());
    let has_reports = rows.iter().any(|row| row.record.has_report);
    let mut sortable = Sortable::new("branches", columns(has_gate, has_reports));
    let is_whole = page.detail.branches.pages == 1;
    if is_whole {
        // The table's own order, which decides between rows with the same value.
        rows.sort_by_key(|row| {
            let is_other = row.branch != page.detail.main_branch;
            (
                is_other,
                Reverse((row.record.updated_at, row.record.record_id)),
            )
        });
    } else {
        sortable = sortable.in_parts(page.query.branches.as_ref(), &["p"]);
    }
    if is_whole || page.query.branches.is_none() {
        sortable = sortable.given_in("uploaded", true);
    }
    let count = rows.len();
    let sorted = sortable.rows(rows, |keys, row| {
        row_of(keys, row, page, (has_gate, has_reports))
    });
    let filter = if is_whole && page.query.keyword.is_empty() {
        view! { <RowFilter table="branches" rows=count what="branches"/> }.into_any()
    } else {
        filter(page).into_any()
    };
    let branches = &page.detail.branches;
    let keyword = page.query.keyword.clone();
    let to = |number| page.link(|query| query.page = number);
    let beside = view! {
        <span class="muted small" role="status">{described(page)}</span>
        <span class="grow"></span>
        {filter}
    };
    let content = view! {
        {(count == 0).then(|| view! { <p class="muted note">"No active branch has “"<bdi>{keyword}</bdi>"” in its name."</p> })}
        <table class="branches" aria-labelledby="branches" data-sortable="branches" hidden=count == 0>
            {sortable.head()}
            <tbody>{sorted}</tbody>
        </table>
        {(count > 0).then(|| limits(&page.detail.repository, has_gate))}
        {pager("pager", "Pages of branches", (branches.page, branches.pages), to)}
        {main_branch_hint(page)}
    };
    card("branches", "Branches", beside, content)
}

/// Whether the rows differ in their languages.
fn has_languages(page: &Page) -> bool {
    let rows = page.detail.branches.rows.iter();
    let mut languages = rows.map(|row| &row.record.language);
    let first = languages.next();
    languages.any(|language| Some(language) != first)
}

fn described(page: &Page) -> String {
    let count = page.detail.branches.matching;
    // Other pages may have other languages.
    let may_have_languages = page.detail.branches.pages > 1 || has_languages(page);
    let rows = match may_have_languages {
        true => counted(
            count.into(),
            "branch and language",
            "branches and languages",
        ),
        false => counted(count.into(), "branch", "branches"),
    };
    match page.query.keyword.as_str() {
        "" => rows,
        keyword => format!("{rows} with “{keyword}”"),
    }
}

/// A form that filters the branches of all pages by name.
fn filter(page: &Page) -> impl IntoView + use<> {
    let query = &page.query;
    view! {
        <form method="get" action=links::repository(&page.detail.repository) class="controls">
            {hidden(query.parameters(), &["keyword", "p"])}
            <input
                type="search"
                name="keyword"
                id="find-branch"
                placeholder="Filter branches"
                aria-label="Filter branches"
                autocomplete="off"
                dir="auto"
                value=query.keyword.clone()
                data-submit=""
            />
            <button class="btn unscripted" type="submit">"Filter"</button>
        </form>
    }
}

/// Explains how the main branch is found and how to set another one.
fn main_branch_hint(page: &Page) -> impl IntoView + use<> {
    let command = format!(
        "coverage-dashboard main-branch {} BRANCH",
        page.detail.repository
    );
    let main = page.detail.main_branch.to_string();
    view! {
        <details class="note small">
            <summary>"Change the main branch"</summary>
            <p class="muted">
                <bdi class="mono">{main}</bdi>" is the main branch. By default it is the one called main, master, develop or trunk, or else the one with the most records. \
                 The operator of this server can set another one: "
            </p>
            <pre tabindex="0">{command}</pre>
        </details>
    }
}

/// A row with its `data-keys`.
fn row_of(
    keys: String,
    row: &BranchRow,
    page: &Page,
    (has_gate, has_reports): (bool, bool),
) -> impl IntoView + use<> {
    let reports: ReportLinks = expect_context();
    let is_main = row.branch == page.detail.main_branch;
    let branch_page = page.link(|query| {
        *query = page.in_tab(RepositoryTab::Files);
        query.branch = (!is_main).then(|| row.branch.clone());
    });
    let is_chosen = (row.branch == page.detail.branch).then_some("true");
    let (percentage, lines, at, now) = (
        row.record.percentage,
        row.record.lines,
        row.record.updated_at,
        page.detail.now,
    );
    let commit = row.record.commit.to_string();
    let report = row.record.has_report.then(|| {
        let label = format!("HTML report of {}, {}", row.branch, row.record.language);
        view! {
            <a class="small" rel="external" href=reports.report(row.record.record_id) aria-label=label>"HTML ↗"</a>
            <a class="small" rel="external" href=reports.download(row.record.record_id) aria-label=download_label(row)>"zip ↓"</a>
        }
    });
    let against_base = match row.against_base {
        _ if is_main => view! { <span class="muted small">"main branch"</span> }.into_any(),
        Some((base, change)) => {
            let of_base = i32::from(percentage.basis_points()) - change.basis_points();
            let of_base = u16::try_from(of_base).ok();
            let of_base = of_base
                .map(|points| format!(": from {}\u{202f}%", Percentage::from_basis_points(points)));
            let title = format!(
                "Compare {} with its base{}",
                row.branch,
                of_base.unwrap_or_default()
            );
            let href = links::compare(&CompareQuery::between(base, row.record.record_id));
            view! { <a href=href title=title><Change change=Some(change)/></a> }.into_any()
        }
        None => view! { <Change change=None/> }.into_any(),
    };
    let request = row.pull_request.as_ref();
    let request = request.map(|number| request_link(&page.detail.repository, number));
    view! {
        <tr aria-current=is_chosen data-keys=keys>
            <th scope="row">
                <a href=branch_page class="name mono"><Name text=row.branch.to_string()/></a>
                {has_languages(page).then(|| view! { <span class="chip">{row.record.language.to_string()}</span> })}
                {request}
            </th>
            <td class="c-cov"><Coverage percentage lines/></td>
            <td class="c-change num">{against_base}</td>
            {has_gate.then(|| gate_cell(row.record.record_id, row.verdict))}
            <td class="c-commit mono"><a href=links::record(row.record.record_id) title=commit.clone()>{row.record.commit.short().to_owned()}</a></td>
            <td class="c-author"><a href=links::author(&row.record.author)><Name text=row.record.author.to_string()/></a></td>
            <td class="c-time"><Age at now/></td>
            {has_reports.then(|| view! { <td class="c-link num">{report}</td> })}
        </tr>
    }
}

/// The label of a link to the HTML report as a zip file.
pub(super) fn download_label(row: &BranchRow) -> String {
    format!(
        "Download zip of the report of {}, {}, commit {}",
        row.branch, row.record.language, row.record.commit
    )
}

fn columns(has_gate: bool, has_reports: bool) -> Vec<Column<BranchRow>> {
    let mut columns = vec![
        Column::new("name", "Branch", "", |row: &BranchRow| {
            text(format!("{} {}", row.branch, row.record.language))
        }),
        Column::new("coverage", "Coverage", "c-cov", |row| {
            percentage(Some(row.record.percentage))
        }),
        Column::new("change", "Against base", "c-change num", |row| {
            change(row.against_base.map(|(_, change)| change))
        }),
    ];
    columns.extend(has_gate.then(|| Column::fixed("Gate", "c-gate")));
    columns.extend([
        Column::fixed("Commit", "c-commit"),
        Column::new("author", "Author", "c-author", |row: &BranchRow| {
            text(&row.record.author)
        }),
        Column::largest_first("uploaded", "Uploaded", "c-time", |row| {
            number(Some(row.record.updated_at.0))
        }),
    ]);
    columns.extend(has_reports.then(|| Column::fixed("Report", "c-link").unseen()));
    columns
}
