//! Names from clients, of any length and text direction.

use crate::{escaped::escaped, links};
use domain::Repository;
use leptos::prelude::*;

/// The name, isolated from the direction of the text around it. It is cut if space is short; the tooltip shows all of it.
#[component]
pub(crate) fn Name(text: String, #[prop(optional)] class: &'static str) -> impl IntoView {
    let title = text.clone();
    view! { <bdi class=class title=title>{text}</bdi> }
}

/// A path, the name of a test or a value, which is shown whole: it may break after each `/`, `_` and comma.
pub(crate) fn whole_name(text: &str) -> AnyView {
    let markup = escaped(text)
        .replace('/', "/<wbr>")
        .replace('_', "_<wbr>")
        .replace(',', ",<wbr>");
    view! { <bdi class="mono" inner_html=markup></bdi> }.into_any()
}

/// A link to the repository; if space is short, the org is cut first.
pub(crate) fn repository_link(repository: &Repository, has_org: bool) -> impl IntoView + use<> {
    let org = has_org.then(|| repository.org.to_string());
    let title = match has_org {
        true => repository.to_string(),
        false => repository.repo.to_string(),
    };
    // Screen readers would read two adjacent elements as two words.
    let label = has_org.then(|| title.clone());
    view! {
        <a class="name slug" href=links::repository(repository) title=title aria-label=label>
            {slug(org, repository.repo.to_string())}
        </a>
    }
}

/// The content of an element of the class `slug`.
pub(crate) fn slug(org: Option<String>, repo: String) -> impl IntoView {
    view! {
        {org.map(|org| view! { <bdi class="org">{org}"/"</bdi> })}
        <bdi>{repo}</bdi>
    }
}
