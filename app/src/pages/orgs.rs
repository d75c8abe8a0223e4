//! `/orgs`: all orgs side by side over time.

#[cfg(test)]
mod tests;

use super::org::content;
use crate::{
    SharedReadModel, Target,
    address::Address,
    components::{answered::answered, card::message, page_head::PageHead},
    links,
};
use domain::OrgQuery;
use leptos::prelude::*;

/// All orgs; its address holds all choices.
#[component]
pub(crate) fn OrgsPage() -> impl IntoView {
    let address = Address::current();
    let model: SharedReadModel = expect_context();
    let Target(target) = expect_context();
    let answer = async move {
        let (query, wrong) = OrgQuery::read(None, |name| address.values(name).pop());
        let history = model.org(&query, target).await?;
        Ok((query, wrong, history))
    };
    answered(answer, |(query, wrong, history)| match history {
        Some(history) => content(&query, wrong, &history).into_any(),
        None => {
            let way_on = Some((links::SETUP.to_owned(), "Set up uploads"));
            let sentence = "The first upload of a repository makes its org appear here.";
            view! {
                <PageHead title="Orgs" description="Code coverage of all orgs over time."/>
                <h1>"Orgs"</h1>
                {message("No uploads yet", sentence, way_on)}
            }
            .into_any()
        }
    })
}
