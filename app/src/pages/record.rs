//! `/records/{id}`: the result of one upload, its change and its files, and the tool's own HTML.

mod badge;
mod facts;
mod files;
mod header;
mod html_report;
mod map;
mod moved;
mod numbers;

use crate::{
    AppError, SharedReadModel,
    address::Address,
    components::{answered::answered, page_head::PageHead},
    links::ReportLinks,
};
use domain::{Against, FileSort, FileView, FilesQuery, RecordDetail, RecordQuery};
use leptos::prelude::*;
use leptos_router::{hooks::use_params_map, params::ParamsMap};

/// Bytes of a folder or of what files are searched for: no path is longer.
const MOST_PATH_BYTES: usize = 4_096;

/// A record; what it is compared with and which of its files are shown is in its address.
#[component]
pub(crate) fn RecordPage() -> impl IntoView {
    let id = use_params_map()
        .read_untracked()
        .get("id")
        .unwrap_or_default();
    let query = query_of(&id, &Address::asked().parameters());
    let model: SharedReadModel = expect_context();
    let ask = async move {
        let missing = || AppError::NotFound(format!("There is no record {id}."));
        let query = query.ok_or_else(missing)?;
        let detail = model.record(&query).await?.ok_or_else(missing)?;
        Ok((query, detail))
    };
    answered(ask, |(query, detail)| content(&query, &detail))
}

/// None where the number of a record is none.
fn query_of(id: &str, parameters: &ParamsMap) -> Option<RecordQuery> {
    let text = |name| {
        let text = parameters.get(name).unwrap_or_default();
        let end = text.floor_char_boundary(MOST_PATH_BYTES);
        text[..end].to_owned()
    };
    Some(RecordQuery {
        id: id.parse().ok()?,
        against: match text("against").as_str() {
            "main" => Against::Main,
            _ => Against::Before,
        },
        files: FilesQuery {
            view: FileView::of_parameter(&text("view")),
            folder: text("dir").trim_end_matches('/').to_owned(),
            keyword: text("file").trim().to_owned(),
            sort: FileSort::of_parameter(&text("sort")),
            page: text("p").parse().unwrap_or(1),
        },
    })
}

fn content(query: &RecordQuery, detail: &RecordDetail) -> impl IntoView + use<> {
    let reports: ReportLinks = expect_context();
    let title = format!("{} · {}", detail.commit.short(), detail.repository);
    let description = format!(
        "Commit {} of {}, branch {}, by {}: {} % coverage in {}.",
        detail.commit.short(),
        detail.repository,
        detail.branch,
        detail.author,
        detail.percentage,
        detail.language
    );
    view! {
        <PageHead title description/>
        {header::header(detail)}
        {numbers::numbers(detail)}
        {warnings(&detail.warnings)}
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

/// What does not add up in the report.
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
