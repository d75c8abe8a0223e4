//! The current record of every branch and language.

use super::{Page, headline::download_label};
use crate::{
    components::{
        change::Change,
        coverage::Coverage,
        name::Name,
        sortable::{Column, RowFilter, Sortable, change, number, percentage, text},
        time::Age,
    },
    links::{self, ReportLinks},
};
use domain::{BranchRow, CompareQuery, HistoryPlace, TrendRange};
use leptos::prelude::*;

/// A card with a row for each branch and language; a branch's name links to the page for that branch.
#[component]
pub(super) fn BranchTable(page: Page) -> impl IntoView {
    let reports: ReportLinks = expect_context();
    let detail = &page.detail;
    let branches = &detail.branches;
    let is_whole = branches.pages == 1;
    let sortable = Sortable::new("branches", columns()).only_if(is_whole);
    let rows = sortable.sorted(&branches.rows).into_iter();
    let rows = rows.map(|(keys, row)| table_row(keys, row, &page, &reports));
    let is_empty = branches.rows.is_empty();
    let keyword = page.query.keyword.clone();
    let needs_filter = branches.pages > 1 || !keyword.is_empty();
    view! {
        <section class="card" aria-labelledby="branches">
            <div class="head">
                <h2 id="branches">"Branches"</h2>
                <span class="muted small" role="status">{counted(&page)}</span>
                <span class="grow"></span>
                {needs_filter.then(|| filter(&page))}
                {(!needs_filter).then(|| view! { <RowFilter table="branches" rows=branches.rows.len() what="branches"/> })}
            </div>
            {is_empty.then(|| view! { <p class="muted note">"No active branch has “"<bdi>{keyword}</bdi>"” in its name."</p> })}
            <table class="branches" aria-labelledby="branches" data-sortable="branches" hidden=is_empty>
                {sortable.head()}
                <tbody>{rows.collect_view()}</tbody>
            </table>
            {pager(&page)}
            {main_branch_hint(&page)}
        </section>
    }
}

fn columns() -> Vec<Column<BranchRow>> {
    vec![
        Column::new("name", "Branch", "", |row| {
            text(format!("{} {}", row.branch, row.language))
        }),
        Column::new("coverage", "Coverage", "c-cov", |row| {
            percentage(Some(row.percentage))
        }),
        Column::new("change", "Against base", "c-change num", |row| {
            change(row.against_base.map(|(_, change)| change))
        }),
        Column::fixed("Commit", "c-commit"),
        Column::new("author", "Author", "c-author", |row| text(&row.author)),
        Column::largest_first("uploaded", "Uploaded", "c-time", |row| {
            number(Some(row.updated_at.0))
        }),
        Column::fixed("Report", "c-link").unseen(),
    ]
}

fn counted(page: &Page) -> String {
    let branches = &page.detail.branches;
    let rows = if branches.matching == 1 {
        "row"
    } else {
        "rows"
    };
    match page.query.keyword.as_str() {
        "" => format!(
            "{} {rows}, one for each branch and language",
            branches.matching
        ),
        keyword => format!("{} {rows} with “{keyword}”", branches.matching),
    }
}

fn filter(page: &Page) -> impl IntoView + use<> {
    let query = &page.query;
    let branch = query.branch.as_ref().map(ToString::to_string);
    let language = query.language.as_ref().map(ToString::to_string);
    let range = (query.range != TrendRange::default()).then(|| query.range.word());
    view! {
        <form method="get" action=links::repository(&page.detail.repository) class="controls">
            {branch.map(|branch| view! { <input type="hidden" name="branch" value=branch/> })}
            {language.map(|language| view! { <input type="hidden" name="language" value=language/> })}
            {range.map(|range| view! { <input type="hidden" name="range" value=range/> })}
            <input
                type="search"
                name="find"
                id="find-branch"
                placeholder="Filter branches"
                aria-label="Filter branches"
                autocomplete="off"
                dir="auto"
                value=query.keyword.clone()
                data-submit
            />
            <button class="btn unscripted" type="submit">"Filter"</button>
        </form>
    }
}

fn table_row(
    keys: String,
    row: &BranchRow,
    page: &Page,
    reports: &ReportLinks,
) -> impl IntoView + use<> {
    let detail = &page.detail;
    let branch_page = page.link(|query| {
        query.branch = (row.branch != detail.main_branch).then(|| row.branch.clone());
        query.place = HistoryPlace::Newest;
    });
    let is_chosen = (row.branch == detail.branch).then_some("true");
    let is_main = row.branch == detail.main_branch;
    let (percentage, lines, at, now) = (row.percentage, row.lines, row.updated_at, detail.now);
    let commit = row.commit.to_string();
    let report = row.has_report.then(|| {
        let label = format!("HTML report of {}, {}", row.branch, row.language);
        view! {
            <a class="small" rel="external" href=reports.report(row.record_id) aria-label=label>"HTML ↗"</a>
            <a class="small" rel="external" href=reports.download(row.record_id) aria-label=download_label(row)>"zip ↓"</a>
        }
    });
    let against_base = match row.against_base {
        _ if is_main => view! { <span class="muted small">"main branch"</span> }.into_any(),
        Some((base, change)) => {
            let title = format!("Compare {} with its base", row.branch);
            let href = links::compare(&CompareQuery::between(base, row.record_id));
            view! { <a href=href title=title><Change change=Some(change)/></a> }.into_any()
        }
        None => view! { <Change change=None/> }.into_any(),
    };
    view! {
        <tr aria-current=is_chosen data-keys=keys>
            <th scope="row">
                <a href=branch_page class="name mono"><Name text=row.branch.to_string()/></a>
                <span class="chip">{row.language.to_string()}</span>
            </th>
            <td class="c-cov"><Coverage percentage lines/></td>
            <td class="c-change num">{against_base}</td>
            <td class="c-commit mono"><a href=links::record(row.record_id) title=commit.clone()>{row.commit.short().to_owned()}</a></td>
            <td class="c-author"><a href=links::author(&row.author)><Name text=row.author.to_string()/></a></td>
            <td class="c-time"><Age at now/></td>
            <td class="c-link num">{report}</td>
        </tr>
    }
}

fn pager(page: &Page) -> Option<impl IntoView + use<>> {
    let (number, pages) = (page.detail.branches.page, page.detail.branches.pages);
    (pages > 1).then(|| {
        let before = (number > 1).then(|| page.link(|query| query.page = number - 1));
        let after = (number < pages).then(|| page.link(|query| query.page = number + 1));
        view! {
            <nav class="pager" aria-label="Pages of branches">
                {before.map(|href| view! { <a href=href class="btn" rel="prev">"← Previous"</a> })}
                <span class="muted small">"Page " {number} " of " {pages}</span>
                {after.map(|href| view! { <a href=href class="btn" rel="next">"Next →"</a> })}
            </nav>
        }
    })
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
            <summary>"Is "<bdi class="mono">{main}</bdi>" not the main branch?"</summary>
            <p class="muted">
                "The main branch is the one called main, master, develop or trunk, or else the one with the most records. \
                 The operator of this server can set another one: "
            </p>
            <pre tabindex="0">{command}</pre>
        </details>
    }
}
