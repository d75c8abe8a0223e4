//! `/orgs`: all orgs side by side over time.

#[cfg(test)]
mod tests;

use super::org::Content;
use crate::{
    SharedReadModel,
    address::Address,
    components::{answered::answered, page_head::PageHead},
    links,
};
use domain::OrgQuery;
use leptos::prelude::*;

/// All orgs; its address holds all choices.
#[component]
pub(crate) fn OrgsPage() -> impl IntoView {
    let address = Address::current();
    let model: SharedReadModel = expect_context();
    let answer = async move {
        let (query, wrong) = OrgQuery::read(None, |name| address.values(name).pop());
        let history = model.org(&query).await?;
        Ok((query, wrong, history))
    };
    answered(answer, |(query, wrong, history)| match history {
        Some(history) => view! { <Content query wrong history/> }.into_any(),
        None => view! { <Nothing/> }.into_any(),
    })
}

#[component]
fn Nothing() -> impl IntoView {
    view! {
        <PageHead title="Orgs" description="Code coverage of all orgs over time."/>
        <h1>"Orgs"</h1>
        <section class="card message">
            <h2>"No uploads yet"</h2>
            <p>"The first upload of a repository makes its org appear here."</p>
            <p><a class="btn" href=links::SETUP>"Set up uploads"</a></p>
        </section>
    }
}
