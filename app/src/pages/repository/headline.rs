//! The large numbers of the chosen branch.

use super::{Page, branch_table::download_label};
use crate::{
    Target,
    components::{
        change::Change,
        coverage::{Percent, level},
        measures::new_code_in_words,
        time::Age,
    },
    links::{self, ReportLinks},
    numbers::{covered_of, whole},
};
use domain::{
    BranchRow, Change as Points, CompareQuery, RepositoryDetail, RepositoryTab, TrendRange,
};
use leptos::prelude::*;

/// On the first tab one figure for each language of the branch; a sentence if the branch is no longer active.
pub(super) fn headline(page: &Page) -> impl IntoView + use<> {
    let reports: ReportLinks = expect_context();
    let target = use_context::<Target>();
    let several = page.detail.languages.len() > 1;
    let is_retired = page.shown().next().is_none();
    let has_figures = page.query.tab == RepositoryTab::Files && !is_retired;
    let figures = has_figures.then(|| {
        let figures = page.shown();
        let figures = figures.map(|row| figure(row, page, several, target, &reports));
        view! { <div class="figures" data-testid="headline">{figures.collect_view()}</div> }
    });
    view! {
        {figures}
        {is_retired.then(|| retired(page))}
    }
}

impl Page {
    /// The current records of the branch, in the chosen language or in all languages.
    pub(super) fn shown(&self) -> impl Iterator<Item = &BranchRow> {
        let chosen = self.query.language.as_ref();
        self.detail.shown(chosen)
    }
}

fn retired(page: &Page) -> impl IntoView + use<> {
    let branch = page.detail.branch.to_string();
    let language = page.query.language.as_ref();
    let of_language = language.filter(|_| !page.detail.current.is_empty());
    let of_language = of_language.map(|language| format!(" in {language}"));
    let all = page.link(|query| {
        *query = page.in_tab(RepositoryTab::History);
        (query.range, query.from, query.to) = (TrendRange::All, None, None);
    });
    view! {
        <p>"The branch "<bdi class="mono">{branch}</bdi>" is no longer active"{of_language}". "<a class="link" href=all>"Its history"</a>" stays."</p>
    }
}

fn figure(
    row: &BranchRow,
    page: &Page,
    names_language: bool,
    target: Option<Target>,
    reports: &ReportLinks,
) -> impl IntoView + use<> {
    let lines = row
        .record
        .lines
        .map(|lines| format!("{} lines", covered_of(lines)));
    let detail = &page.detail;
    let against_base = row.against_base.map(|(base, change)| {
        let href = links::compare(&CompareQuery::between(base, row.record.record_id));
        let label = format!("its base: compare {} with it", row.branch);
        view! { <span><Change change=Some(change)/>" against "<a class="link" href=href aria-label=label>"its base"</a></span>" · " }
    });
    let language = row.record.language.to_string();
    let (author, author_page) = (
        row.record.author.to_string(),
        links::author(&row.record.author),
    );
    let report = row.record.has_report.then(|| {
        let label = format!("HTML report of {}, {}", row.branch, row.record.language);
        view! { <a class="btn" rel="external" href=reports.report(row.record.record_id) aria-label=label>"HTML report ↗"</a> }
    });
    let download = row.record.has_report.then(|| {
        let label = download_label(row);
        view! { <a class="btn" rel="external" href=reports.download(row.record.record_id) aria-label=label title="Download the HTML report">"zip ↓"</a> }
    });
    let record = format!("Commit {}", row.record.commit.short());
    let files = links::record_view(row.record.record_id, page.query.view.as_ref());
    view! {
        <div class="hero">
            <div class=format!("figure {}", level(row.record.percentage))>{row.record.percentage.to_string()}<small><Percent/></small></div>
            <div class="about">
                <p>
                    {lines.map(|lines| view! { <span>{lines}</span>" · " })}
                    {names_language.then(|| view! { <span class="chip">{language}</span>" · " })}
                    <bdi class="mono">{row.branch.to_string()}</bdi>
                    " · uploaded "<Age at=row.record.updated_at now=detail.now/>" by "<a class="link" href=author_page><bdi>{author}</bdi></a>
                </p>
                <p>
                    {row.record.change.map(|change| view! { <span><Change change=Some(change)/>" since the previous record"</span>" · " })}
                    {against_base}
                    {target.map(|Target(target)| {
                        let change = Points::between(target, row.record.percentage);
                        view! { <span><Change change=Some(change)/>" against the target of "{whole(target)}</span> }
                    })}
                </p>
                {new_code(row, detail)}
            </div>
            <div class="actions">
                <a class="btn" href=files>{record}</a>
                {report}
                {download}
            </div>
        </div>
    }
}

/// The new code of a record.
fn new_code(row: &BranchRow, detail: &RepositoryDetail) -> Option<impl IntoView + use<>> {
    let mut new = detail.new_code.iter();
    let new = new.find(|new| new.record_id == row.record.record_id)?;
    let sentence = new_code_in_words(new)?;
    Some(view! { <p data-testid="new-code">{sentence}</p> })
}
