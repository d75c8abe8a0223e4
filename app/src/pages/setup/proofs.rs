//! The second step: how a job authenticates with this service.

use crate::{
    Listed, ServiceFacts,
    components::copy_button::CopyButton,
    recipe::{Proof, Upload},
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

/// The three ways to authenticate, and which of them are set up here.
pub(super) fn proofs(
    upload: &Upload<'_>,
    repository: Option<&Repository>,
) -> impl IntoView + use<> {
    let facts: ServiceFacts = expect_context();
    let (org, repo) = (upload.org, upload.repo);
    // The real URL may contain a password or a local path. The placeholder opens no database.
    let command = format!(
        "DATABASE_URL=\"…\" coverage-dashboard token create --name \"ci of {repo}\" --org {org} --repo {repo}"
    );
    let of_example = repository
        .is_none()
        .then_some(" (here for an example repository)");
    view! {
        <section class="card" aria-labelledby="proofs">
            <div class="head"><h2 id="proofs">"2. Authorise the job"</h2></div>
            <div class="step">
                <h3>"A token of this service"</h3>
                <div class="recipe">
                    <p class="small">"For a first try, use the token that the service printed at its first start. The operator creates other tokens on the service's machine"{of_example}", with the "<code>"DATABASE_URL"</code>" that the service has, such as "<code>"sqlite://data/coverage.db"</code>". Store it in the CI's secrets: it is shown only once. The command prints which database it opened."</p>
                    <CopyButton text=command.clone() label="the command that creates a token".to_owned()/>
                    <pre tabindex="0" aria-label="the command that creates a token">{command}</pre>
                </div>
            </div>
            <div class="step">
                <h3>"An identity token of the CI system (OIDC)"</h3>
                {listed(&facts.issuers, facts.is_reading_protected, "OIDC_ISSUERS", "issuers")}
            </div>
            <div class="step">
                <h3>"A token of GitHub, GitLab or Gitea"</h3>
                {listed(&facts.apis, facts.is_reading_protected, "VCS_API_URLS", "APIs")}
            </div>
        </section>
    }
}

/// The listed issuers or APIs. Only a protected service shows their addresses: they may reveal an internal network.
fn listed(
    listed: &[Listed],
    is_protected: bool,
    variable: &'static str,
    what: &'static str,
) -> impl IntoView + use<> {
    if listed.is_empty() {
        return view! { <p class="small"><span aria-hidden="true">"○ "</span>"Not set up yet: the operator lists "{what}" in "<code>{variable}</code>"."</p> }
            .into_any();
    }
    let mut names: Vec<String> = listed
        .iter()
        .map(|listed| {
            if is_protected {
                format!("{} ({})", title(listed.kind), listed.address)
            } else {
                title(listed.kind).to_owned()
            }
        })
        .collect();
    names.dedup();
    view! { <p class="small"><span class="outcome taken" aria-hidden="true">"✓ "</span>"Set up for "{names.join(", ")}"."</p> }
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
