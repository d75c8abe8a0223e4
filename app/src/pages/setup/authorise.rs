//! The first step: how a job authenticates with this service.

use crate::{
    AuditAccess, Listed, ServiceFacts,
    components::card::{card, recipe as to_copy, with_code},
    links,
    recipe::{CiSystem, Proof, Recipe, Upload},
};
use domain::Repository;
use leptos::prelude::*;

/// Whether the operator has set up what a recipe for a CI system needs.
pub(super) fn is_set_up(proof: Proof, system: &str, facts: &ServiceFacts) -> bool {
    // Gitea's identity tokens have the same claims as GitHub's and are listed as the same kind.
    let lists = |listed: &[Listed]| listed.iter().any(|listed| listed.kind == system);
    match proof {
        Proof::Token => true,
        Proof::Identity => lists(&facts.issuers),
        Proof::ForgeToken => lists(&facts.apis),
    }
}

/// The recipe to show first: recipes that work without further setup come before the others.
pub(super) fn in_order(system: &'static CiSystem, facts: &ServiceFacts) -> Vec<&'static Recipe> {
    let is_ready = |recipe: &&Recipe| is_set_up(recipe.proof, &system.key, facts);
    let (ready, others): (Vec<_>, Vec<_>) = system.recipes.iter().partition(is_ready);
    ready.into_iter().chain(others).collect()
}

/// The first step: the way to authenticate that works here. The others are folded. The job reads the token from `secret`.
pub(super) fn proofs(
    secret: &'static str,
    upload: &Upload<'_>,
    repository: Option<&Repository>,
    system: Option<&'static CiSystem>,
) -> impl IntoView + use<> {
    let facts: ServiceFacts = expect_context();
    let is_protected = facts.is_reading_protected;
    let identity = |is_shown| {
        let heading = "An identity token of the CI system (OIDC)";
        listed(
            heading,
            &facts.issuers,
            is_protected,
            "OIDC_ISSUERS",
            is_shown,
        )
    };
    let of_forge = |is_shown| {
        let heading = "A token of GitHub, GitLab or Gitea";
        listed(heading, &facts.apis, is_protected, "VCS_API_URLS", is_shown)
    };
    let first = system.and_then(|system| in_order(system, &facts).into_iter().next());
    let before = first.filter(|_| system.is_some_and(CiSystem::has_file));
    let (title, shown, others) = match first.map_or(Proof::Token, |first| first.proof) {
        Proof::Identity => (
            "1. Authorise the job: no secret is needed",
            identity(before),
            (by_hand(secret, None, upload, repository), of_forge(None)).into_any(),
        ),
        Proof::ForgeToken => (
            "1. Store a token of the forge",
            of_forge(before),
            (by_hand(secret, None, upload, repository), identity(None)).into_any(),
        ),
        Proof::Token => {
            // The client of another service reads a secret of its own.
            let before = before.filter(|_| secret == "COVERAGE_TOKEN");
            (
                "1. Store a token as a secret",
                by_hand(secret, Some(before), upload, repository),
                (identity(None), of_forge(None)).into_any(),
            )
        }
    };
    let content = view! {
        {shown}
        <details class="step">
            <summary>"Other ways to authorise the job"</summary>
            {in_shell(upload)}
            {others}
        </details>
    };
    card("proofs", title, None::<()>, content)
}

/// A token that an administrator makes. `step` is the recipe that says where to store it, if this is the way of the step.
fn by_hand(
    secret: &'static str,
    step: Option<Option<&'static Recipe>>,
    upload: &Upload<'_>,
    repository: Option<&Repository>,
) -> AnyView {
    let form = match repository {
        Some(repository) => links::new_token_of(repository),
        None => links::SETTINGS.to_owned(),
    };
    let Upload {
        org,
        repo,
        public_url,
        ..
    } = upload;
    let request = format!(
        "Please make a token with which the CI jobs of {org}/{repo} upload their coverage: {public_url}{form}"
    );
    let asking =
        view! { <p class="small">"You are no administrator? Send this request to one:"</p> };
    let is_admin = use_context::<AuditAccess>().is_some_and(|access| access.0.is_some());
    let asked = (!is_admin).then(|| {
        view! { <div class="prose">{to_copy(asking, request, "the request for a token")}</div> }
    });
    let store = match step.flatten() {
        Some(recipe) => with_code(&recipe.before),
        None => with_code(&format!(
            "Store it as `{secret}` in the secrets of the CI system."
        )),
    };
    let maker = match is_admin {
        true => "The token is shown once. ",
        false => "An administrator makes the token, which is shown once. ",
    };
    let class = if step.is_some() { "btn primary" } else { "btn" };
    view! {
        <div class="step">
            {step.is_none().then(|| view! { <h3>"A token of this service"</h3> })}
            <p>{maker}{store}</p>
            <p><a class=class href=form>"Make a token"</a></p>
            {asked}
        </div>
    }
    .into_any()
}

/// How an operator makes a token, and where the first one is.
fn in_shell(upload: &Upload<'_>) -> impl IntoView + use<> {
    let Upload { org, repo, .. } = upload;
    // The real URL may contain a password or a local path. The placeholder opens no database.
    let command = format!(
        "DATABASE_URL=\"…\" coverage-dashboard token create --name \"ci of {repo}\" --org {org} --repo {repo}"
    );
    let introduction = view! {
        <p class="small">"Set "<code>"DATABASE_URL"</code>" as for the service, such as "<code>"sqlite://data/coverage.db"</code>". For a first try, the service printed a token at its first start."</p>
    };
    view! {
        <div class="step">
            <h3>"With a shell on the service's machine"</h3>
            {to_copy(introduction, command, "the command that creates a token")}
        </div>
    }
}

/// A way to authenticate, with the listed issuers or APIs. `step` is the recipe that says what to do, if this is the way of the
/// step. Only a protected service shows the addresses: they may reveal an internal network.
fn listed(
    heading: &'static str,
    listed: &[Listed],
    is_protected: bool,
    variable: &'static str,
    step: Option<&'static Recipe>,
) -> AnyView {
    let named = listed.iter().map(|listed| match is_protected {
        true => format!("{} ({})", title(listed.kind), listed.address),
        false => title(listed.kind).to_owned(),
    });
    let mut names: Vec<String> = named.collect();
    names.dedup();
    let state = if names.is_empty() {
        let needed = format!("not set up yet: the operator sets `{variable}`.");
        view! { <p class="small muted"><span aria-hidden="true">"○ "</span>{with_code(&needed)}</p> }
            .into_any()
    } else {
        view! {
            <p class="small"><span class="outcome taken" aria-hidden="true">"✓ "</span>"Set up for "{names.join(", ")}"."</p>
        }
        .into_any()
    };
    view! {
        <div class="step">
            <h3>{heading}</h3>
            {step.map(|recipe| view! { <p>{with_code(&recipe.before)}</p> })}
            {state}
        </div>
    }
    .into_any()
}

fn title(kind: &'static str) -> &'static str {
    match kind {
        "github" => "GitHub",
        "gitlab" => "GitLab",
        "gitea" => "Gitea and Forgejo",
        _ => "another CI system",
    }
}

/// A warning if no CI system can reach the address.
pub(super) fn only_here(public_url: &str) -> Option<impl IntoView + use<>> {
    is_only_here(public_url).then(|| {
        let configuration = format!("{}#configuration", links::SETTINGS);
        view! {
            <section class="card message gate failed" aria-labelledby="only-here">
                <h2 class="verdict failed" id="only-here">"Only this machine can reach this address"</h2>
                <p>"CI jobs with the lines below fail until the operator sets "<code>"PUBLIC_URL"</code>" to an address that the jobs reach."</p>
                <p><a class="btn" href=configuration>"Open the configuration"</a></p>
            </section>
        }
    })
}

fn is_only_here(public_url: &str) -> bool {
    let host = public_url.split_once("://").map_or("", |(_, rest)| rest);
    let host = host.trim_start_matches('[');
    ["127.", "localhost", "::1", "0.0.0.0"]
        .iter()
        .any(|start| host.starts_with(start))
}
