//! The view that a page shows, with a link that leaves it, and a list to choose one.

use super::form::{hidden, list, option};
use crate::links;
use domain::{Repository, ViewName, ViewsQuery};
use leptos::prelude::*;

/// The view that a page shows. `without` is the address of the page for all files.
pub(crate) fn shown_view(of: &Repository, view: &ViewName, without: String) -> AnyView {
    let name = view.to_string();
    let label = format!("Count all files instead of {name}");
    let query = ViewsQuery {
        kind: Some(view.kind()),
        ..ViewsQuery::default()
    };
    let all = links::views(of, &query);
    view! {
        <div class="compared" data-testid="view">
            "Only the files of "
            <a class="chip removable" href=without aria-label=label>
                <bdi>{name}</bdi>
                <span aria-hidden="true">" ×"</span>
            </a>
            <a class="link small" href=all>{format!("All {}", view.kind().label().to_lowercase())}</a>
        </div>
    }
    .into_any()
}

/// A list of views; `None` if there is nothing to choose. `shown` may be a folder, which is not among `views`.
pub(crate) fn view_list(views: &[ViewName], shown: Option<&ViewName>) -> Option<AnyView> {
    let other = shown.filter(|shown| !views.contains(shown));
    let options = other.into_iter().chain(views);
    let options: Vec<_> = options
        .map(|view| option(view.to_string(), Some(view) == shown, view.to_string()))
        .collect();
    (!options.is_empty()).then(|| list("Files counted", None, "view", "all files", options))
}

/// A form with a list of views. `kept` are the other choices of the page at `action`.
pub(crate) fn view_form(
    action: String,
    kept: Vec<(&'static str, String)>,
    list: AnyView,
) -> AnyView {
    view! {
        <form method="get" action=action class="controls" data-testid="views-form">
            {hidden(kept, &["view"])}
            {list}
            <button class="btn unscripted" type="submit">"Show"</button>
        </form>
    }
    .into_any()
}
