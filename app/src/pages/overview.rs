//! `/`: the list of all repositories; above it, the repositories that need attention.

mod attention;
mod filters;
mod nothing;
#[cfg(test)]
mod tests;
mod wording;

use crate::{
    PublicUrl, SharedReadModel, Target,
    address::Address,
    components::{answered::answered, first_upload::FirstUpload, page_head::PageHead},
    islands::RepositoryTables,
    upload_command,
};
use attention::NeedsAttention;
use domain::{Overview, OverviewQuery};
use filters::Filters;
use leptos::prelude::*;
use nothing::NothingFound;

/// The overview; its address holds the search, the filters, the order and the page.
#[component]
pub(crate) fn OverviewPage() -> impl IntoView {
    let address = Address::current();
    let query = OverviewQuery::of(&|name| address.values(name));
    let model: SharedReadModel = expect_context();
    let Target(target) = expect_context();
    let answer = async move { model.overview(query, target).await };
    answered::<Overview, _>(answer, |overview| view! { <Content overview/> })
}

#[component]
fn Content(overview: Overview) -> impl IntoView {
    let Target(target) = expect_context();
    let first_upload = overview.is_new.then(|| {
        let PublicUrl(url) = expect_context();
        view! { <FirstUpload command=upload_command(&url, "$COVERAGE_TOKEN")/> }
    });
    let has_list = !overview.is_new;
    let counted = wording::counted(&overview, target);
    let Overview {
        now,
        query,
        choices,
        attention,
        ..
    } = overview.clone();
    let is_empty = has_list && overview.rows.is_empty();
    view! {
        <PageHead title="Overview" description="Code coverage of all repositories."/>
        <div class="hero">
            <h1>"Overview"</h1>
            <span class="muted small" role="status">{counted}</span>
        </div>
        {first_upload}
        {has_list.then(|| view! { <Filters query=query.clone() choices target/> })}
        {attention.map(|attention| view! { <NeedsAttention attention query=query.clone() now target/> })}
        {is_empty.then(|| view! { <NothingFound query=query.clone() target/> })}
        {(!is_empty && has_list).then(|| view! { <RepositoryTables overview/> })}
    }
}
