//! Links to the pages of a repository on its forge.

use crate::{ServiceFacts, links::ForgePages};
use domain::{Repository, RunUrl};
use leptos::prelude::*;

/// The pages of a repository on its forge, if the forge is known. `forge` is its name from an upload, `run` the page of a job.
pub(crate) fn forge_pages(
    repository: &Repository,
    forge: Option<&str>,
    run: Option<&RunUrl>,
) -> Option<ForgePages> {
    let facts: ServiceFacts = use_context()?;
    ForgePages::of(&facts.sites, repository, forge, run)
}

/// A link to another site.
pub(crate) fn out(href: String, text: impl Into<String>) -> AnyView {
    let text = format!("{} ↗", text.into());
    view! { <a class="link" rel="external" href=href>{text}</a> }.into_any()
}

/// A sentence with links, such as `On github.com: commit, branch`; `None` without links.
pub(crate) fn on_forge(name: &str, found: Vec<AnyView>) -> Option<impl IntoView + use<>> {
    let links = found.into_iter().enumerate().map(|(index, link)| {
        view! { {(index > 0).then_some(", ")}{link} }
    });
    let links: Vec<_> = links.collect();
    let name = name.to_owned();
    (!links.is_empty()).then(|| {
        view! { <p class="muted small" data-testid="on-forge">"On "<bdi>{name}</bdi>": "{links}</p> }
    })
}
