//! `/repos/{org}/{repo}/pulls`: all pull requests of a repository, a part at a time.

#[cfg(test)]
mod tests;

use crate::{
    components::{
        card::{aside, card, message, note},
        crumbs::Crumb,
        on_forge::forge_pages,
        page_head::PageHead,
        pull_requests::{counts, table},
        repository_head::{Tab, repository_head},
        sortable::RowFilter,
    },
    links,
};
use domain::{GatesQuery, PullRequestList, Repository};
use leptos::prelude::*;

/// The steps to a page about pull requests of a repository.
pub(super) fn steps(repository: &Repository) -> Vec<Crumb> {
    let mut steps = Crumb::to_repository(repository);
    let all = links::pull_requests(repository);
    steps.push(Crumb::fixed("Pull requests", all));
    steps
}

pub(super) fn content(list: &PullRequestList, is_first: bool) -> impl IntoView + use<> {
    let repository = &list.repository;
    let description =
        format!("The coverage of the changed lines of pull requests of {repository}.");
    view! {
        <PageHead title=format!("Pull requests · {repository}") description/>
        {repository_head(repository, Some(Tab::PullRequests), "Pull requests", ())}
        {found(list, is_first)}
    }
}

fn found(list: &PullRequestList, is_first: bool) -> AnyView {
    let repository = &list.repository;
    let run = list.run_url.as_ref();
    let pages = forge_pages(repository, list.forge.as_deref(), run);
    let older = list.before.map(|place| {
        let href = links::pull_requests_before(repository, place);
        view! { <a class="btn" href=href rel="next">"Older →"</a> }
    });
    let newest = (!is_first).then(|| {
        let href = links::pull_requests(repository);
        view! { <a class="btn" href=href>"← Newest"</a> }
    });
    let nothing = match (list.rows.is_empty(), list.before) {
        (false, _) => None,
        (true, Some(_)) => Some("None of the newest records here is of a pull request."),
        (true, None) if is_first => {
            let sentence = "No upload named a pull request. The upload script reads its number from the CI system; its option --pull-request names another one.";
            let way_on = (links::setup_of(repository), "Set up uploads");
            return message("No pull requests", sentence, Some(way_on));
        }
        (true, None) => Some("There are no older pull requests."),
    };
    let is_whole = is_first && list.before.is_none();
    let content = match nothing {
        Some(sentence) => view! { <p class="note muted">{sentence}</p> }.into_any(),
        None => table(repository, &list.rows, is_whole, list.now, pages.as_ref()),
    };
    let pager = (older.is_some() || newest.is_some()).then(|| {
        view! { <nav class="pager" aria-label="Older and newer pull requests">{newest}{older}</nav> }
    });
    let gates = links::gates(&GatesQuery {
        org: Some(repository.org.clone()),
        repo: Some(repository.repo.clone()),
        ..GatesQuery::default()
    });
    let filter = is_whole.then(|| {
        view! { <RowFilter table="pull-requests" rows=list.rows.len() what="pull requests"/> }
    });
    let about = counts(list.rows.iter().map(|row| (&row.number, row.verdict)));
    let about = match is_whole {
        true => about,
        false => format!("on this page: {about}"),
    };
    let definition = nothing.is_none().then(|| {
        note("The newest record of each pull request and language. The change is against its base, in percentage points. Reasons use today's rules.")
    });
    let beside = view! {
        {nothing.is_none().then(|| aside(about))}
        <span class="grow"></span>
        {filter}
        <a class="link small" href=gates>"Gates over time"</a>
    };
    let content = (content, definition, pager);
    card("pull-requests", "Pull requests", beside, content)
}
