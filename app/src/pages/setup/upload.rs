//! The second and the third step: how a job authenticates with this service, and the files that test and upload.

use crate::{
    AuditAccess, Listed, ServiceFacts,
    components::{
        card::{aside, card, recipe as to_copy, with_code},
        form::{choice, choices},
    },
    links,
    recipe::{CI_SYSTEMS, CiSystem, Proof, Recipe, Tool, Upload},
};
use domain::{Repository, SetupQuery};
use leptos::prelude::*;

/// Whether the operator has set up what a recipe for a CI system needs.
fn is_set_up(proof: Proof, system: &str, facts: &ServiceFacts) -> bool {
    // Gitea's identity tokens have the same claims as GitHub's and are listed as the same kind.
    let lists = |listed: &[Listed]| listed.iter().any(|listed| listed.kind == system);
    match proof {
        Proof::Token => true,
        Proof::Identity => lists(&facts.issuers),
        Proof::ForgeToken => lists(&facts.apis),
    }
}

/// The second step: the three ways to authenticate, and which of them are set up here. The job reads the token from `secret`.
pub(super) fn proofs(
    secret: &'static str,
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
    let form = match repository {
        Some(repository) => links::new_token_of(repository),
        None => links::SETTINGS.to_owned(),
    };
    let public_url = upload.public_url;
    let request = format!(
        "Please make a token with which the CI jobs of {org}/{repo} upload their coverage: {public_url}{form}"
    );
    let asking = view! {
        <p class="small">"Others ask an administrator, for example with these words"{of_example}":"</p>
    };
    let introduction = view! {
        <p class="small">"This command makes a token"", with the "<code>"DATABASE_URL"</code>" of the service, such as "<code>"sqlite://data/coverage.db"</code>". A token is shown only once: store it in the CI's secrets."</p>
    };
    let is_protected = facts.is_reading_protected;
    let is_admin = use_context::<AuditAccess>().is_some_and(|access| access.0.is_some());
    let ways = view! {
        <div class="step">
            <h3>"A token of this service"</h3>
            <p class="small">"An administrator makes it in the browser. It is shown once: store it as "<code>{secret}</code>" in the secrets of the CI system. For a first try, use the token that the service printed at its first start."</p>
            <p><a class="btn primary" href=form>"Make a token"</a></p>
            {(!is_admin).then(|| view! { <div class="prose">{to_copy(asking, request, "the request for a token")}</div> })}
            <details>
                <summary class="small">"With a shell on the service's machine"</summary>
                {to_copy(introduction, command, "the command that creates a token")}
            </details>
        </div>
        {listed("An identity token of the CI system (OIDC)", &facts.issuers, is_protected, "OIDC_ISSUERS", "issuers")}
        {listed("A token of GitHub, GitLab or Gitea", &facts.apis, is_protected, "VCS_API_URLS", "APIs")}
    };
    card("proofs", "2. Authorise the job", None::<()>, ways)
}

/// A way to authenticate, with the listed issuers or APIs; folded if none are listed. Only a protected service shows their
/// addresses: they may reveal an internal network.
fn listed(
    heading: &'static str,
    listed: &[Listed],
    is_protected: bool,
    variable: &'static str,
    what: &'static str,
) -> AnyView {
    if listed.is_empty() {
        return view! {
            <details class="step">
                <summary>{heading}" "<span class="small muted"><span aria-hidden="true">"○ "</span>"not set up yet"</span></summary>
                <p class="small">"The operator lists "{what}" in "<code>{variable}</code>"."</p>
            </details>
        }
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
    view! {
        <div class="step">
            <h3>{heading}</h3>
            <p class="small"><span class="outcome taken" aria-hidden="true">"✓ "</span>"Set up for "{names.join(", ")}"."</p>
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

/// The rules of a gate that a repository begins with.
const GATE: &str = "[gate]\nchanged = 80 # percent of the changed lines";

/// The files for the chosen CI system, or for all, filled in for this service and with the commands of the tool.
pub(super) fn steps(
    number: &'static str,
    query: &SetupQuery,
    upload: &Upload<'_>,
    system: Option<&'static CiSystem>,
    tool: Option<&'static Tool>,
) -> impl IntoView + use<> {
    let recipes = match system {
        Some(system) => of_system(upload, system).into_any(),
        None => {
            let systems = CI_SYSTEMS.iter().map(|system| {
                let href = links::setup(&SetupQuery {
                    ci: system.key.clone(),
                    ..query.clone()
                });
                choice(href, false, system.name.as_str())
            });
            let all = CI_SYSTEMS.iter().map(|system| {
                view! {
                    <details class="step">
                        <summary>{system.name.as_str()}</summary>
                        {of_system(upload, system)}
                    </details>
                }
            });
            view! {
                <div class="step">
                    <h3>"Choose your CI system"</h3>
                    {choices("CI systems", systems)}
                </div>
                <details class="step">
                    <summary>"All recipes on one page"</summary>
                    {all.collect_view()}
                </details>
            }
            .into_any()
        }
    };
    let name = system.map(|system| format!(" from {}", system.name));
    let of_tool = tool.map_or_else(
        || "pytest (or the tests of the language that you choose above)".to_owned(),
        |tool| tool.name.to_string(),
    );
    let about = match system {
        Some(system) if !system.has_file() => String::new(),
        _ => format!(
            "Each file is complete: it checks out the whole history, runs {of_tool}, uploads, and fails if the gate fails. "
        ),
    };
    let outage = with_code(
        "If the service does not answer the script, the job goes on; `--fail-on all` makes it fail.",
    );
    let content = view! {
        <div class="step small"><p>{about}{outage}</p></div>
        {recipes}
    };
    let needs = view! { "the "<a class="link" href=links::UPLOADER rel="external">"script"</a>" needs a POSIX shell, curl, tar and git" };
    card(
        "upload",
        view! { {number}"Upload the coverage"{name} },
        aside(needs),
        content,
    )
}

/// The fourth step, which is optional.
pub(super) fn gate() -> AnyView {
    let about = view! { <p class="small">"The rules are in "<code>"coverage-dashboard.toml"</code>", at the top of the repository. Without this file every upload passes."</p> };
    let rules = to_copy(about, GATE, "the rules of the gate");
    let content = view! { <div class="step">{rules}</div> };
    card(
        "gate",
        "4. Let a gate judge pull requests",
        aside("optional"),
        content,
    )
}

/// A warning if no CI system can reach the address.
pub(super) fn only_here(public_url: &str) -> Option<impl IntoView + use<>> {
    is_only_here(public_url).then(|| {
        view! {
            <p class="note card outcome refused">
                "Only this machine can reach this address. Set "<code>"PUBLIC_URL"</code>" before you copy lines of this page into a CI system."
            </p>
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

fn of_system(upload: &Upload<'_>, system: &'static CiSystem) -> impl IntoView + use<> {
    let facts: ServiceFacts = expect_context();
    let is_set_up = |recipe: &Recipe| is_set_up(recipe.proof, &system.key, &facts);
    // Recipes that work without further setup come first.
    let (ready, others): (Vec<_>, Vec<_>) =
        system.recipes.iter().partition(|recipe| is_set_up(recipe));
    let recipes = ready.into_iter().chain(others).enumerate();
    recipes
        .map(|(index, recipe)| one(upload, system, recipe, (index == 0, is_set_up(recipe))))
        .collect_view()
}

fn one(
    upload: &Upload<'_>,
    system: &'static CiSystem,
    recipe: &'static Recipe,
    (is_first, is_set_up): (bool, bool),
) -> AnyView {
    let heading = match recipe.proof {
        Proof::Identity => "Without a secret, with an identity token",
        Proof::Token => "With a token of this service",
        Proof::ForgeToken => "With a token of the forge",
    };
    let state = match recipe.proof {
        Proof::Token => None,
        _ if is_set_up => Some(("outcome taken", "✓", "set up on this service")),
        _ => Some(("muted", "○", "not set up on this service yet")),
    };
    let label = format!("for {}, {}", system.name, heading.to_lowercase());
    let file = match system.has_file() {
        true => format!("In `{}`:", system.file.replace(", or ", "`, or `")),
        false => format!("In {}:", system.file),
    };
    let file = view! { <p class="small muted">{with_code(&file)}</p> };
    let action = recipe.as_action(upload).map(|text| {
        let about = view! { <p class="small muted">"Instead of the last step, if this service's repository has a copy on the forge, here acme/coverage-dashboard:"</p> };
        view! {
            <details>
                <summary class="small">"As an Action"</summary>
                {to_copy(about, text, format!("the Action {label}"))}
            </details>
        }
    });
    // For people who do not want to run the script.
    let curl = recipe.with_curl(upload).map(|text| {
        let label = format!("the recipe with curl alone {label}");
        view! {
            <details>
                <summary class="small">"With curl alone, 7.87 or newer"</summary>
                {to_copy(None::<()>, text, label)}
            </details>
        }
    });
    let heading = view! {
        {heading}
        {state.map(|(class, mark, word)| view! {
            " "<span class=format!("small {class}")><span aria-hidden="true">{mark}" "</span>{word}</span>
        })}
    };
    let content = view! {
        <p class="small">{with_code(&recipe.before)}</p>
        {to_copy(file, recipe.text(upload), format!("the recipe {label}"))}
        {(!recipe.note.is_empty()).then(|| view! { <p class="small muted">{with_code(&recipe.note)}</p> })}
        {action}
        {curl}
    };
    match is_first {
        true => view! { <div class="step"><h3>{heading}</h3>{content}</div> }.into_any(),
        false => view! {
            <details class="step"><summary>{heading}</summary><div class="step">{content}</div></details>
        }
        .into_any(),
    }
}
