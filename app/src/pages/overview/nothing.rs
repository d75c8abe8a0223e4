//! The empty state of the overview: the filters, and a link to remove them.

use super::wording;
use crate::links;
use domain::{OverviewQuery, Percentage};
use leptos::prelude::*;

/// Explains why the list is empty.
#[component]
pub(super) fn NothingFound(query: OverviewQuery, target: Percentage) -> impl IntoView {
    if !query.is_filtered() {
        return view! {
            <section class="card message">
                <h2>"No current records"</h2>
                <p>"No branch has a current record: all branches were retired. The next upload appears here."</p>
            </section>
        }
        .into_any();
    }
    let keyword = (!query.keyword.is_empty())
        .then(|| view! { <li>"with “"<bdi>{query.keyword.clone()}</bdi>"” in its name or its org’s"</li> });
    let conditions = wording::conditions(&query, target)
        .into_iter()
        .map(|condition| view! { <li><bdi>{condition}</bdi></li> })
        .collect_view();
    let all = links::overview(&OverviewQuery {
        sort: query.sort,
        ..OverviewQuery::default()
    });
    view! {
        <section class="card message">
            <h2>"Nothing found"</h2>
            <p>"There is no repository"</p>
            <ul>{keyword}{conditions}</ul>
            <p><a href=all class="btn">"Show all"</a></p>
        </section>
    }
    .into_any()
}
