//! `/setup`: how to upload to this service, and whether an upload has arrived.

mod arrivals;
mod choice;
mod measure;
mod proofs;
mod upload;

use crate::{
    PublicUrl, SharedReadModel,
    address::Address,
    components::{answered::answered, page_head::PageHead},
    recipe::{CiSystem, PLACEHOLDER, ToolLanguage, Upload},
};
use arrivals::ArrivalsCard;
use choice::Choice;
use domain::{Arrivals, SetupQuery};
use leptos::prelude::*;
use measure::Measure;

/// The recipes; the address holds the choices.
#[component]
pub(crate) fn SetupPage() -> impl IntoView {
    let address = Address::current();
    let query = SetupQuery::of(&|name| address.values(name));
    let model: SharedReadModel = expect_context();
    let repository = query.repository();
    let answer = async move { model.arrivals(repository.as_ref()).await };
    answered::<Arrivals, _>(answer, |arrivals| view! { <Content arrivals query/> })
}

#[component]
fn Content(arrivals: Arrivals, query: SetupQuery) -> impl IntoView {
    let PublicUrl(public_url) = expect_context();
    let system = CiSystem::find(&query.ci);
    let language = ToolLanguage::find(&query.language);
    let tool = language.and_then(|language| language.tool(&query.tool));
    let repository = query.repository();
    let upload = Upload {
        public_url: &public_url,
        org: repository
            .as_ref()
            .map_or(PLACEHOLDER.org, |of| of.org.as_str()),
        repo: repository
            .as_ref()
            .map_or(PLACEHOLDER.repo, |of| of.repo.as_str()),
        language: language.map_or(PLACEHOLDER.language, |language| language.key),
        packed: tool.map_or(PLACEHOLDER.packed, |tool| tool.packed),
        report: tool.map_or(PLACEHOLDER.report, |tool| tool.report),
    };
    view! {
        <PageHead title="Set up uploads" description="How a CI job uploads code coverage to this service."/>
        <div>
            <h1>"Set up uploads"</h1>
            <p class="muted">"A CI job runs a script of this service after its tests. The script finds the coverage file and the HTML report, and posts them to "<code>{format!("{public_url}/coverages-api")}</code>"."</p>
        </div>
        <Choice query=query.clone()/>
        <ArrivalsCard arrivals repository=query.repository()/>
        <Measure query=query.clone() language tool/>
        {proofs::proofs(&upload, repository.as_ref())}
        {upload::steps(&upload, system)}
    }
}

#[cfg(test)]
mod tests;
