//! The parts of the page, each with an address of its own, and links to other pages of the repository.

use super::Page;
use crate::{
    components::form::{choice, choices},
    links,
};
use domain::{ColdQuery, RepositoryDetail, RepositoryQuery, RepositoryTab, ViewKind, ViewsQuery};
use leptos::prelude::*;

/// Links to the parts of the page, and to its pull requests.
pub(super) fn tabs(page: &Page) -> AnyView {
    let tabs = RepositoryTab::ALL.iter().map(|&tab| {
        let href = page.link(|query| *query = page.in_tab(tab));
        choice(href, tab == page.query.tab, tab.label())
    });
    let pulls = links::pull_requests(&page.detail.repository);
    let pulls = choice(pulls, false, "Pull requests");
    view! { <div class="controls tabs">{choices("Parts of the repository", tabs.chain([pulls]))}</div> }
        .into_any()
}

impl Page {
    /// The choices that hold for every part of the page.
    pub(super) fn in_tab(&self, tab: RepositoryTab) -> RepositoryQuery {
        RepositoryQuery {
            tab,
            branch: self.query.branch.clone(),
            language: self.query.language.clone(),
            compared: self.query.compared.clone(),
            view: self.query.view.clone(),
            metric: self.query.metric,
            since: self.query.since.clone(),
            ..self.period()
        }
    }
}

/// Links to the views of the repository, and to its lines that nothing runs or that flicker.
pub(super) fn more(detail: &RepositoryDetail) -> AnyView {
    let views = ViewKind::ALL.iter().map(|&kind| {
        let query = ViewsQuery {
            kind: Some(kind),
            ..ViewsQuery::default()
        };
        (links::views(&detail.repository, &query), kind.label())
    });
    let lines = [
        (
            links::cold(&detail.repository, &ColdQuery::default()),
            "Cold code",
        ),
        (links::flicker(&detail.repository), "Flickering lines"),
    ];
    let links = views.chain(lines).enumerate().map(|(place, (href, name))| {
        let separator = (place > 0).then_some(" · ");
        view! { {separator}<a class="link" href=href>{name}</a> }
    });
    view! { <nav class="small" aria-label="More about the repository">{links.collect_view()}</nav> }
        .into_any()
}
