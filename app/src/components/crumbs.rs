//! Breadcrumbs from the overview to a repository.

use crate::links;
use domain::Repository;
use leptos::prelude::*;

/// The overview, the organisation and the repository, each a link.
#[component]
pub(crate) fn RepositoryCrumbs(
    /// The repository of the page.
    repository: Repository,
) -> impl IntoView {
    view! {
        <nav class="crumbs" aria-label="Where you are">
            <a href=links::HOME>"Overview"</a>
            <span aria-hidden="true">" / "</span>
            <a href=links::org(&repository.org)>{repository.org.to_string()}</a>
            <span aria-hidden="true">" / "</span>
            <a href=links::repository(&repository)>{repository.repo.to_string()}</a>
        </nav>
    }
}
