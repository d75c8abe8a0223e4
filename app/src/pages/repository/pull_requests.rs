//! The pull requests of the last days, each with its newest record.

use crate::{
    components::{
        card::{aside, card},
        on_forge::forge_pages,
        pull_requests::table,
    },
    links,
};
use domain::{PullRequestRow, RepositoryDetail};
use leptos::prelude::*;

/// A card with a row for each pull request and language, and a link to older ones; nothing without pull requests.
pub(super) fn pull_requests(detail: &RepositoryDetail) -> Option<AnyView> {
    let repository = &detail.repository;
    let run = detail.run_url.as_ref();
    let pages = forge_pages(repository, detail.forge.as_deref(), run);
    let rows = &detail.pull_requests;
    let about = format!("uploaded in the last {} days", PullRequestRow::DAYS);
    let all = links::pull_requests(repository);
    let beside = view! {
        {aside(about)}
        <span class="grow"></span>
        <a class="btn" href=all>"All pull requests"</a>
    };
    let table = table(repository, rows, detail.now, pages.as_ref());
    (!rows.is_empty()).then(|| card("pull-requests", "Pull requests", beside, table))
}
