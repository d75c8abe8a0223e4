//! The heading of a pull request: its branch, its newest commit, and its pages on the forge.

use crate::{
    components::{
        card::message,
        crumbs::Crumbs,
        name::Name,
        on_forge::{forge_pages, on_forge, out},
        time::Age,
    },
    links,
    pages::pull_requests::steps,
};
use domain::{PullRequestDetail, RecordDetail};
use http::StatusCode;
use leptos::prelude::*;
use leptos_axum::ResponseOptions;

pub(super) fn header(detail: &PullRequestDetail) -> impl IntoView + use<> {
    let newest = detail.records.first();
    view! {
        <div class="record-head">
            <Crumbs steps=steps(&detail.repository)/>
            <h1>{format!("Pull request #{}", detail.number)}</h1>
            {newest.map(|record| about(detail, record))}
            {on_its_forge(detail, newest)}
        </div>
    }
}

fn about(detail: &PullRequestDetail, newest: &RecordDetail) -> impl IntoView + use<> {
    let record = &newest.record;
    view! {
        <p class="muted">
            "Newest commit "
            <a class="mono" href=links::record(record.id)>{record.commit.short().to_owned()}</a>
            " of "
            <a href=links::branch(&detail.repository, &record.branch)><Name text=record.branch.to_string() class="mono"/></a>
            " by "
            <a href=links::author(&record.author)><bdi>{record.author.to_string()}</bdi></a>
            ", uploaded "
            <Age at=record.updated_at now=detail.now/>
        </p>
    }
}

/// Links to the pull request and its newest commit on the forge, and to its CI run.
fn on_its_forge(
    detail: &PullRequestDetail,
    newest: Option<&RecordDetail>,
) -> Option<impl IntoView + use<>> {
    let upload = newest.and_then(|record| record.upload.as_ref());
    let run = upload.and_then(|upload| upload.run_url.as_ref());
    let pages = forge_pages(&detail.repository, detail.forge.as_deref(), run)?;
    let number = &detail.number;
    let request = out(pages.pull_request(number), format!("pull request {number}"));
    let commit = newest.and_then(|record| pages.commit(&record.record.commit));
    let found = [
        Some(request),
        commit.map(|href| out(href, "newest commit")),
        run.map(|url| out(url.to_string(), format!("CI run at {}", url.host()))),
    ];
    on_forge(pages.name(), found.into_iter().flatten().collect())
}

/// In place of results: the status is 404, but the page may fill soon.
pub(super) fn nothing(detail: &PullRequestDetail) -> AnyView {
    if let Some(response) = use_context::<ResponseOptions>() {
        response.set_status(StatusCode::NOT_FOUND);
    }
    let number = &detail.number;
    let sentence = format!(
        "No upload of pull request {number} has arrived yet. This page shows its results as soon as its CI job has sent them with this number."
    );
    let way_on = (links::setup_of(&detail.repository), "How to upload");
    message("No results yet", sentence, Some(way_on))
}
