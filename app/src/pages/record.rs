//! `/records/{id}`: the result of one upload, its change, its files and its HTML report.

mod badge;
mod changed;
mod facts;
mod files;
mod gate;
mod header;
mod html_report;
mod map;
mod moved;
mod numbers;
mod parts;
mod paths;

use crate::{
    AppError, SharedReadModel,
    address::Address,
    components::{answered::answered, page_head::PageHead},
    links::{self, ReportLinks},
};
use domain::{Change, RecordDetail, RecordQuery};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

/// The maximum length of a folder or a file search in bytes: no path is longer.
const MOST_PATH_BYTES: usize = 4_096;

/// A record; its address holds the comparison and the files to show.
#[component]
pub(crate) fn RecordPage() -> impl IntoView {
    let id = use_params_map()
        .read_untracked()
        .get("id")
        .unwrap_or_default();
    let query = query_of(&id, &Address::current());
    let model: SharedReadModel = expect_context();
    let answer = async move {
        let missing = || AppError::NotFound(format!("There is no record {id}."));
        let query = query.ok_or_else(missing)?;
        let detail = model.record(&query).await?.ok_or_else(missing)?;
        Ok((query, detail))
    };
    answered(answer, |(query, detail)| content(&query, &detail))
}

/// Reads the query; `None` if the id is not a number.
fn query_of(id: &str, address: &Address) -> Option<RecordQuery> {
    let values = |name: &str| {
        let mut values = address.values(name);
        for text in &mut values {
            text.truncate(text.floor_char_boundary(MOST_PATH_BYTES));
        }
        values
    };
    let mut query = RecordQuery::of(id.parse().ok()?, &values);
    // The name of a folder may begin or end with a space.
    let folder = values("dir").pop().unwrap_or_default();
    query.files.folder = folder.trim_end_matches('/').to_owned();
    Some(query)
}

fn content(query: &RecordQuery, detail: &RecordDetail) -> impl IntoView + use<> {
    let reports: ReportLinks = expect_context();
    let title = format!("{} · {}", detail.commit.short(), detail.repository);
    let change = detail.base.as_ref().map(|base| {
        let change = Change::between(base.record.percentage, detail.percentage);
        format!(" ({change} against {})", base.name(&detail.branch))
    });
    let description = format!(
        "{} %{} coverage in {}: commit {} of {}, branch {}, by {}.",
        detail.percentage,
        change.unwrap_or_default(),
        detail.language,
        detail.commit.short(),
        detail.repository,
        detail.branch,
        detail.author,
    );
    view! {
        <PageHead title description image=links::preview_of_record(detail.id)/>
        {header::header(detail)}
        {numbers::numbers(detail)}
        {detail.gate.as_ref().map(gate::gate)}
        {parts::parts(detail, &reports, Some(Address::current().get("refused")).filter(|code| !code.is_empty()))}
        {warnings(&detail.warnings)}
        {detail.paths.as_ref().and_then(paths::unmatched)}
        {changed::changed(detail)}
        {moved::moved(query, detail)}
        {files::files(query, detail)}
        {html_report::html_report(detail, &reports)}
        <div class="pair">
            {facts::record(detail)}
            {facts::upload(detail)}
        </div>
        {badge::badge(detail)}
    }
}

/// Inconsistencies in the coverage file.
fn warnings(warnings: &[String]) -> Option<impl IntoView + use<>> {
    let rows: Vec<_> = warnings
        .iter()
        .map(|warning| view! { <li>{warning.clone()}</li> })
        .collect();
    (!rows.is_empty()).then(|| {
        view! {
            <section class="card message" aria-labelledby="warnings">
                <h2 id="warnings">"Warnings about the coverage file"</h2>
                <ul>{rows}</ul>
            </section>
        }
    })
}

#[cfg(test)]
mod tests;
