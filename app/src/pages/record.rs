//! `/records/{id}`: the result of one upload, its change, its files and its HTML report.

pub(super) mod changed;
mod facts;
mod files;
mod header;
mod html_report;
mod map;
mod parts;
mod view;

use crate::{
    AppError, SharedReadModel,
    address::{Address, cut, part},
    components::{
        answered::answered,
        card::{aside, simple},
        gate::gate,
        page_head::PageHead,
    },
    links::{self, ReportLinks},
};
use domain::{Change, Excerpt, RecordDetail, RecordQuery, no_view};
use leptos::prelude::*;

/// A record; its address holds the comparison and the files to show.
#[component]
pub(crate) fn RecordPage() -> impl IntoView {
    let id = part("id");
    let query = query_of(&id, &Address::current());
    let model: SharedReadModel = expect_context();
    let answer = async move {
        let missing = || AppError::NotFound(format!("There is no record {id}."));
        let query = query.ok_or_else(missing)?;
        let detail = model.record(&query).await?.ok_or_else(missing)?;
        if let (Some(view), None) = (&query.view, &detail.view) {
            return Err(AppError::NotFound(format!("{}.", no_view(view))));
        }
        let code = model.excerpts(changed::wanted(&detail)).await?;
        Ok((query, detail, code))
    };
    answered(answer, |(query, detail, code)| {
        content(&query, &detail, &code)
    })
}

/// Reads the query; `None` if the id is not a number.
fn query_of(id: &str, address: &Address) -> Option<RecordQuery> {
    let values = |name: &str| address.values(name).into_iter().map(cut).collect();
    let mut query = RecordQuery::of(id.parse().ok()?, &values);
    // The name of a folder may begin or end with a space.
    let folder = values("dir").pop().unwrap_or_default();
    query.files.folder = folder.trim_end_matches('/').to_owned();
    Some(query)
}

fn content(query: &RecordQuery, detail: &RecordDetail, code: &[Excerpt]) -> impl IntoView + use<> {
    let reports: ReportLinks = expect_context();
    let title = format!(
        "{} · {}",
        detail.record.commit.short(),
        detail.record.repository
    );
    let change = detail.base.as_ref().map(|base| {
        let change = Change::between(base.record.percentage, detail.record.percentage);
        format!(" ({change} against {})", base.name(&detail.record.branch))
    });
    let description = format!(
        "{} %{} coverage in {}: commit {} of {}, branch {}, by {}.",
        detail.record.percentage,
        change.unwrap_or_default(),
        detail.record.language,
        detail.record.commit.short(),
        detail.record.repository,
        detail.record.branch,
        detail.record.author,
    );
    let refused = Some(Address::current().get("refused")).filter(|code| !code.is_empty());
    // Missing parts, or a refusal, come before the numbers that they concern.
    let is_urgent = refused.is_some() || !detail.parts.missing().is_empty();
    let parts = parts::parts(detail, &reports, refused);
    let (first, last) = match is_urgent {
        true => (parts, None),
        false => (None, parts),
    };
    view! {
        <PageHead title description image=links::preview_of_record(detail.record.id)/>
        {header::header(query, detail)}
        {view::view(query, detail)}
        {match &detail.view {
            Some(view) => view::numbers(detail, view).into_any(),
            None => header::numbers(detail).into_any(),
        }}
        {detail.gate.as_ref().map(|found| gate("gate", found, detail.record.id, ()))}
        {first}
        {warnings(&detail.warnings)}
        {detail.paths.as_ref().and_then(facts::unmatched)}
        {changed::changed(detail)}
        {changed::code(code, detail.record.id)}
        {changed::moved(query, detail, code)}
        {files::files(query, detail)}
        {last}
        {html_report::html_report(detail, &reports)}
        <details class="card folded of-record" id="about">
            <summary><h2>"About this record"</h2>" "{aside("its facts, its upload and its badge")}</summary>
            <div class="pair">
                {facts::record(detail)}
                {facts::upload(detail)}
            </div>
            {html_report::badge(detail)}
        </details>
    }
}

/// Inconsistencies in the coverage file.
fn warnings(warnings: &[String]) -> Option<AnyView> {
    let rows = warnings.iter().cloned();
    let rows = rows
        .map(|warning| view! { <li>{warning}</li> })
        .collect_view();
    let title = "Warnings about the coverage file";
    (!warnings.is_empty()).then(|| simple("message", "warnings", title, view! { <ul>{rows}</ul> }))
}

#[cfg(test)]
pub(super) mod tests;
