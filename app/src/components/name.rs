//! Names from clients, of any length and text direction.

use crate::links;
use domain::Repository;
use leptos::prelude::*;

/// The name, isolated from the direction of the text around it. It is cut if space is short; the tooltip shows all of it.
#[component]
pub(crate) fn Name(text: String, #[prop(optional)] class: &'static str) -> impl IntoView {
    let title = text.clone();
    view! { <bdi class=class title=title>{text}</bdi> }
}

/// A link to the repository; if space is short, the org is cut first.
pub(crate) fn repository_link(repository: &Repository, has_org: bool) -> impl IntoView + use<> {
    let org = has_org.then(|| view! { <bdi class="org">{repository.org.to_string()}"/"</bdi> });
    let title = if has_org {
        repository.to_string()
    } else {
        repository.repo.to_string()
    };
    // Screen readers would read two adjacent elements as two words.
    let label = has_org.then(|| title.clone());
    view! {
        <a class="name" href=links::repository(repository) title=title aria-label=label>
            {org}
            <bdi>{repository.repo.to_string()}</bdi>
        </a>
    }
}
