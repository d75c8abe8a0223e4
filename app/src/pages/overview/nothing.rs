//! The overview without repositories: before the first upload, or if the filters find nothing.

use super::wording;
use crate::{
    PublicUrl,
    components::{
        card::{Refresh, message, recipe, simple},
        form::without,
    },
    links, upload_command,
};
use domain::{OverviewQuery, Percentage};
use leptos::prelude::*;

/// Interval between checks for the first upload, in seconds.
const SECONDS: u32 = 5;

/// How to upload, with a command for this server. The page reloads until the first upload has arrived.
pub(super) fn first_upload() -> AnyView {
    let PublicUrl(url) = expect_context();
    let command = upload_command(&url, "$COVERAGE_TOKEN");
    let introduction = view! {
        <p class="small">"Or try it from a shell, in the folder of a project whose tests ran with coverage, and with the token that the server printed at its first start:"</p>
    };
    let content = view! {
        <p>"A CI job runs the tests, and then a script of this service. The complete file for your CI system and language is here:"</p>
        <p class="actions"><a class="btn primary" href=links::SETUP>"Set up uploads"</a></p>
        {recipe(introduction, command, "the upload command")}
        <p class="small"><a class="link" href=links::UPLOADS>"See what was refused"</a></p>
        <Refresh seconds=SECONDS/>
    };
    simple(
        "message",
        "first-upload",
        "Waiting for the first upload",
        content,
    )
}

/// Explains why the list is empty, with links that remove a filter, or all.
pub(super) fn nothing_found(query: &OverviewQuery, target: Percentage) -> AnyView {
    if !query.is_filtered() {
        let sentence = "The records wait for parts or are unconfirmed, or all branches were retired. The next complete upload appears here.";
        return message("No current records", sentence, None);
    }
    let keyword = Some(query.keyword.clone()).filter(|keyword| !keyword.is_empty());
    let keyword = keyword.map(|keyword| {
        let href = links::overview(&OverviewQuery {
            keyword: String::new(),
            page: 1,
            ..query.clone()
        });
        let name = view! { "with “"<bdi>{keyword}</bdi>"”" };
        view! { <li>{without(name, href)}" in its name or its org’s"</li> }
    });
    let conditions = wording::conditions(query, target).into_iter();
    let conditions = conditions.map(|(condition, other)| {
        let name = view! { <bdi>{condition}</bdi> };
        view! { <li>{without(name, links::overview(&other))}</li> }
    });
    let all = links::overview(&OverviewQuery {
        sort: query.sort,
        metric: query.metric,
        ..OverviewQuery::default()
    });
    view! {
        <section class="card message">
            <h2>"Nothing found"</h2>
            <p>"There is no repository"</p>
            <ul>{keyword}{conditions.collect_view()}</ul>
            <p><a href=all class="btn">"Show all"</a></p>
        </section>
    }
    .into_any()
}
