//! The second step: the file that tests and uploads; and the gate.

use super::{
    authorise::{in_order, is_set_up},
    measure::{chosen, everything},
};
use crate::{
    ServiceFacts,
    components::{
        card::{aside, card, recipe as to_copy, with_code},
        form::{choice, choices},
    },
    links,
    recipe::{CI_SYSTEMS, CiSystem, Proof, Recipe, Tool, ToolLanguage, Upload},
};
use domain::SetupQuery;
use leptos::prelude::*;

/// The rules of a gate that a repository begins with.
const GATE: &str = "[gate]\nchanged = 80 # percent of the changed lines";

/// The second step: the file for the chosen CI system, or the files for all, filled in for this service and with the commands of
/// the tool.
pub(super) fn steps(
    number: &'static str,
    query: &SetupQuery,
    upload: &Upload<'_>,
    system: Option<&'static CiSystem>,
    tool: Option<(&'static ToolLanguage, &'static Tool)>,
) -> impl IntoView + use<> {
    let recipes = match system {
        Some(system) => {
            let is_named = !number.is_empty() && system.has_file();
            of_system(upload, system, is_named).into_any()
        }
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
                        {of_system(upload, system, false)}
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
    let is_in_file = system.is_some_and(CiSystem::has_file);
    let of_tool = tool.map_or_else(
        || "pytest (or the tests of the language that you choose above)".to_owned(),
        |(_, tool)| tool.name.to_string(),
    );
    let about = is_in_file.then(|| {
        let about = format!(
            "The file is complete: it checks out the whole history, runs {of_tool}, uploads, and fails if the gate fails."
        );
        view! { <p>{about}</p> }
    });
    let (first, last) = match tool {
        Some((language, tool)) => (Some(chosen(query, language, tool, is_in_file)), None),
        None => (None, Some(everything())),
    };
    let content = view! {
        {(first.is_some() || about.is_some()).then(|| view! { <div class="step">{about}{first}</div> })}
        {recipes}
        {last}
    };
    let needs = view! { "the "<a class="link" href=links::UPLOADER rel="external">"script"</a>" needs a POSIX shell, curl, tar and git" };
    card(
        "upload",
        view! { {number}"Upload the coverage"{name} },
        aside(needs),
        content,
    )
}

/// The rules of a gate, which are optional.
pub(super) fn gate() -> AnyView {
    let about = view! { <p class="small">"The rules are in "<code>"coverage-dashboard.toml"</code>", at the top of the repository. Without this file every upload passes."</p> };
    let rules = to_copy(about, GATE, "the rules of the gate");
    let content = view! { <div class="step">{rules}</div> };
    card(
        "gate",
        "Let a gate judge pull requests",
        aside("optional"),
        content,
    )
}

/// `is_named` says that the step before has named the way to authenticate of the first recipe.
fn of_system(
    upload: &Upload<'_>,
    system: &'static CiSystem,
    is_named: bool,
) -> impl IntoView + use<> {
    let facts: ServiceFacts = expect_context();
    let recipes = in_order(system, &facts).into_iter().enumerate();
    let mut recipes = recipes.map(|(index, recipe)| {
        let is_ready = is_set_up(recipe.proof, &system.key, &facts);
        one(upload, system, recipe, is_ready, is_named && index == 0)
    });
    let (first, of_first) = recipes.next().unzip();
    let rest = recipes.collect_view();
    view! {
        {first}
        <details class="step">
            <summary>"Other ways to upload"</summary>
            {of_first}
            {rest}
        </details>
    }
}

/// A recipe, and what replaces its last step for readers who do not want to run the script.
fn one(
    upload: &Upload<'_>,
    system: &'static CiSystem,
    recipe: &'static Recipe,
    is_set_up: bool,
    is_named: bool,
) -> (AnyView, AnyView) {
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
            <div class="step">
                <h3>"As an Action"</h3>
                {to_copy(about, text, format!("the Action {label}"))}
            </div>
        }
    });
    // For people who do not want to run the script.
    let curl = recipe.with_curl(upload).map(|text| {
        let label = format!("the recipe with curl alone {label}");
        view! {
            <div class="step">
                <h3>"With curl alone, 7.87 or newer"</h3>
                {to_copy(None::<()>, text, label)}
            </div>
        }
    });
    let outage = "If the service does not answer the script, the job goes on; `--fail-on all` makes it fail.";
    let note = format!("{outage} {}", recipe.note);
    let way = (!is_named).then(|| {
        let state = state.map(|(class, mark, word)| view! {
            " "<span class=format!("small {class}")><span aria-hidden="true">{mark}" "</span>{word}</span>
        });
        view! {
            <h3>{heading}{state}</h3>
            <p class="small">{with_code(&recipe.before)}</p>
        }
    });
    let content = view! {
        <div class=if is_named { "step next" } else { "step" }>
            {way}
            {to_copy(file, recipe.text(upload), format!("the recipe {label}"))}
            <p class="small muted">{with_code(note.trim_end())}</p>
        </div>
    };
    (content.into_any(), view! { {action}{curl} }.into_any())
}
