//! The tabs of the page: each part has an address of its own, which keeps the choices that hold for every part.

use super::Page;
use crate::components::repository_head::{self, Tab};
use domain::{RepositoryQuery, RepositoryTab};
use leptos::prelude::*;

pub(super) fn tabs(page: &Page) -> AnyView {
    let current = Some(Tab::Part(page.query.tab));
    let part = |tab| page.link(|query| *query = page.in_tab(tab));
    repository_head::tabs(&page.detail.repository, current, part)
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
