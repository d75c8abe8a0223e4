//! The head of the pages of a repository: where the page is, its heading, and one row of tabs that is the same on all of them.

use super::crumbs::{Crumb, Crumbs};
use crate::links;
use domain::{ColdQuery, PullRequest, Repository, RepositoryQuery, RepositoryTab, ViewsQuery};
use leptos::prelude::*;

/// A page of a repository that has a tab.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tab {
    /// A part of the repository's own page.
    Part(RepositoryTab),
    PullRequests,
    Views,
    Cold,
    Flicker,
}

impl Tab {
    const ALL: [Self; 8] = [
        Self::Part(RepositoryTab::Files),
        Self::Part(RepositoryTab::Branches),
        Self::Part(RepositoryTab::History),
        Self::PullRequests,
        Self::Views,
        Self::Cold,
        Self::Flicker,
        Self::Part(RepositoryTab::Badge),
    ];

    fn label(self) -> &'static str {
        match self {
            Self::Part(part) => part.label(),
            Self::PullRequests => "Pull requests",
            Self::Views => "Folders and owners",
            Self::Cold => "Cold code",
            Self::Flicker => "Flickering lines",
        }
    }
}

/// The head of a page beside the repository's own. `about` follows the tabs; with `None`, a page without a tab has no row of tabs.
pub(crate) fn repository_head(
    of: &Repository,
    current: Option<Tab>,
    heading: &'static str,
    about: impl IntoView,
) -> AnyView {
    match current {
        Some(_) => {
            let part = |tab| {
                let query = RepositoryQuery {
                    tab,
                    ..RepositoryQuery::default()
                };
                links::repository_page(of, &query)
            };
            let name = of.repo.to_string();
            let heading =
                view! { <h1><bdi>{name}</bdi><span class="unseen">": "{heading}</span></h1> };
            view! { {with_tabs(steps_to_repository(of), heading, tabs(of, current, part), ())}{about} }.into_any()
        }
        None => view! {
            <div class="record-head">
                <Crumbs steps=Crumb::to_repository(of)/>
                <h1>{heading}</h1>
                {about}
            </div>
        }
        .into_any(),
    }
}

/// The breadcrumbs of a page with a tab.
pub(crate) fn steps_to_repository(of: &Repository) -> Vec<Crumb> {
    vec![Crumb::overview(), Crumb::org(&of.org)]
}

/// The head of a page with a tab: the tabs are at the same place on all of them. `beside` chooses what the page is about.
pub(crate) fn with_tabs(
    steps: Vec<Crumb>,
    heading: impl IntoView,
    tabs: AnyView,
    beside: impl IntoView,
) -> AnyView {
    view! {
        <div class="repository-head">
            <div>
                <Crumbs steps/>
                {heading}
            </div>
            {tabs}
            {beside}
        </div>
    }
    .into_any()
}

/// The row of tabs. `part` returns the address of a part of the repository's own page.
pub(crate) fn tabs(
    of: &Repository,
    current: Option<Tab>,
    part: impl Fn(RepositoryTab) -> String,
) -> AnyView {
    let tabs = Tab::ALL.map(|tab| {
        let href = match tab {
            Tab::Part(tab) => part(tab),
            Tab::PullRequests => links::pull_requests(of),
            Tab::Views => links::views(of, &ViewsQuery::default()),
            Tab::Cold => links::cold(of, &ColdQuery::default()),
            Tab::Flicker => links::flicker(of),
        };
        (tab.label(), href, current == Some(tab))
    });
    tab_row("Pages of the repository", tabs)
}

/// A row of tabs, each with its label, its address, and whether it is the shown page.
pub(crate) fn tab_row(
    label: &'static str,
    tabs: impl IntoIterator<Item = (&'static str, String, bool)>,
) -> AnyView {
    let tabs = tabs.into_iter().map(|(label, href, is_current)| {
        let current = is_current.then_some("page");
        view! { <a href=href aria-current=current>{label}</a> }
    });
    view! { <nav class="seg tabs" aria-label=label>{tabs.collect_view()}</nav> }.into_any()
}

/// The breadcrumbs of a page about a record. They include the pull request of the record, if it has one.
pub(crate) fn steps_to_record(of: &Repository, request: Option<&PullRequest>) -> Vec<Crumb> {
    let mut steps = Crumb::to_repository(of);
    steps.extend(request.map(|number| {
        let href = links::pull_request(of, number);
        Crumb::named(format!("Pull request #{number}"), href)
    }));
    steps
}
