//! `/setup`: how to upload to this service, and whether an upload has arrived.

mod arrivals;
mod authorise;
mod measure;
mod moving;
mod upload;
mod words;

use crate::{
    PublicUrl, SharedReadModel,
    address::Address,
    components::{
        answered::answered,
        card::{aside, card},
        form::{list, option},
        page_head::PageHead,
    },
    links,
    recipe::{CI_SYSTEMS, CiSystem, LANGUAGES, PLACEHOLDER, Tool, ToolLanguage, Upload},
};
use arrivals::arrivals_card;
use domain::{Arrivals, FormerService, SetupQuery};
use leptos::prelude::*;

/// The recipes; the address holds the choices.
#[component]
pub(crate) fn SetupPage() -> impl IntoView {
    let address = Address::current();
    let mut query = SetupQuery::of(&|name| address.values(name));
    // Most jobs of the other services run on GitHub.
    if query.from.is_some() && query.ci.is_empty() {
        "github".clone_into(&mut query.ci);
    }
    let model: SharedReadModel = expect_context();
    let repository = query.repository();
    let answer = async move { model.arrivals(repository.as_ref()).await };
    answered(answer, move |arrivals| content(arrivals, &query))
}

fn content(arrivals: Arrivals, query: &SetupQuery) -> impl IntoView + use<> {
    let PublicUrl(public_url) = expect_context();
    let system = CiSystem::find(&query.ci);
    let language = ToolLanguage::find(&query.language);
    let tool = language.and_then(|language| language.tool(&query.tool));
    let tests = tool.map(Tool::tests).unwrap_or_default();
    let repository = query.repository();
    let mut upload = Upload {
        public_url: &public_url,
        ..PLACEHOLDER
    };
    if let Some(repository) = &repository {
        (upload.org, upload.repo) = (repository.org.as_str(), repository.repo.as_str());
    }
    if let Some(language) = language {
        upload.language = &language.key;
    }
    if let Some(tool) = tool {
        (upload.packed, upload.report, upload.files) = (&tool.packed, &tool.report, &tool.files);
        (upload.tests, upload.image) = (&tests, &tool.runtime.image);
        (upload.prepare, upload.setup) = (&tool.runtime.prepare, &tool.runtime.setup);
    }
    let check = arrivals_card(arrivals, repository.as_ref());
    let secret = query.from.map_or("COVERAGE_TOKEN", moving::secret);
    let token = authorise::proofs(secret, &upload, repository.as_ref(), system);
    // Beside the client of another service the file is no step.
    let number = query.from.map_or("2. ", |_| "");
    let file = upload::steps(number, query, &upload, system, language.zip(tool));
    let (title, change, rest) = match query.from {
        None => ("Set up uploads", file.into_any(), None),
        Some(service) => (
            moving::title(service),
            moving::moving(
                service,
                &upload,
                repository.as_ref(),
                system,
                file.into_any(),
            )
            .into_any(),
            Some(moving::rest(service, &upload)),
        ),
    };
    let about = match query.from {
        None => {
            "A CI job runs a script of this service after its tests. The script finds the coverage file and the HTML report, and posts them to "
        }
        Some(_) => "The job keeps its commands and its client. Its uploads go to ",
    };
    let address = match query.from {
        None => format!("{public_url}/coverages-api"),
        Some(_) => public_url.to_string(),
    };
    // Help is a page of its own: most readers of the steps do not need it.
    let words = (*query == SetupQuery::default()).then(words::words);
    view! {
        <PageHead title description="How a CI job uploads code coverage to this service."/>
        <div>
            <h1>{title}</h1>
            <p class="muted">{about}<code>{address}</code>"."</p>
        </div>
        {authorise::only_here(&public_url)}
        {card("choice", "What do you use?", aside("the steps below are filled in"), choices(query))}
        {token}
        {change}
        {check}
        {rest}
        {upload::gate()}
        {words}
    }
}

fn choices(query: &SetupQuery) -> impl IntoView + use<> {
    let systems = CI_SYSTEMS
        .iter()
        .map(|system| option(&system.key, system.key == query.ci, &system.name));
    let languages = LANGUAGES.iter().map(|language| {
        let is_chosen = language.key == query.language;
        option(&language.key, is_chosen, &language.name)
    });
    let services = FormerService::ALL.iter();
    let services = services.map(|service| {
        option(
            service.word(),
            query.from == Some(*service),
            service.label(),
        )
    });
    let mistakes = query.mistakes().into_iter();
    let mistakes: Vec<_> = mistakes
        .map(|(name, error)| format!("{name} {error}."))
        .collect();
    let is_wrong = !mistakes.is_empty();
    let name = |label: &'static str, name: &'static str, value: &str, example: &'static str| {
        let (id, value) = (format!("for-{name}"), value.to_owned());
        let invalid = is_wrong.then_some("true");
        let described_by = is_wrong.then_some("names-hint");
        view! {
            <label>{label}
                <input id=id type="text" name=name value=value placeholder=example autocomplete="off" spellcheck="false" aria-invalid=invalid aria-describedby=described_by data-submit/>
            </label>
        }
    };
    let is_chosen = *query != SetupQuery::default();
    view! {
        <form class="controls step" method="get" action=links::SETUP>
            {list("CI system", Some("for-ci"), "ci", "Not chosen", systems)}
            {list("Language", Some("for-language"), "language", "Not chosen", languages)}
            {name("Org", "org_name", &query.org, "acme")}
            {name("Repository", "repo_name", &query.repo, "payments")}
            {list("Uploads now to", Some("for-from"), "from", "No other service", services)}
            <button class="btn unscripted" type="submit">"Fill in"</button>
            {is_chosen.then(|| view! { <a class="btn" href=links::SETUP>"Clear"</a> })}
        </form>
        {is_wrong.then(|| view! { <p class="note small outcome refused" id="names-hint">{mistakes.join(" ")}</p> })}
    }
}

#[cfg(test)]
mod tests;
