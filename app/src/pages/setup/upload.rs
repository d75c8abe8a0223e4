//! The third step: recipes that upload.

use super::proofs::is_set_up;
use crate::{
    ServiceFacts,
    components::copy_button::CopyButton,
    links,
    recipe::{CI_SYSTEMS, CiSystem, Proof, Recipe, Upload},
};
use leptos::prelude::*;

/// The recipes for the chosen CI system, or for all, filled in for this service.
pub(super) fn steps(
    upload: &Upload<'_>,
    system: Option<&'static CiSystem>,
) -> impl IntoView + use<> {
    let recipes = match system {
        Some(system) => of_system(upload, system).into_any(),
        None => CI_SYSTEMS
            .iter()
            .map(|system| {
                view! {
                    <details class="step">
                        <summary>{system.name}</summary>
                        {of_system(upload, system)}
                    </details>
                }
            })
            .collect_view()
            .into_any(),
    };
    let name = system.map(|system| format!(" from {}", system.name));
    view! {
        <section class="card" aria-labelledby="upload">
            <div class="head">
                <h2 id="upload">"3. Upload the coverage"{name}</h2>
                <span class="muted small">"the "<a class="link" href=links::UPLOADER rel="external">"script"</a>" needs a POSIX shell, curl, tar and git"</span>
            </div>
            <p class="step small muted">"If the service is down, the job goes on without an upload. To make it fail: save the script as a file, and run it with "<code>"--fail-on all"</code>"."</p>
            {is_only_here(upload.public_url).then(|| view! { <p class="step small outcome refused">"Only this machine can reach this address. Set PUBLIC_URL before you copy these lines into a CI system."</p> })}
            {recipes}
        </section>
    }
}

/// Whether other machines cannot reach an address.
fn is_only_here(public_url: &str) -> bool {
    let host = public_url.split_once("://").map_or("", |(_, rest)| rest);
    let host = host.trim_start_matches('[');
    ["127.", "localhost", "::1", "0.0.0.0"]
        .iter()
        .any(|start| host.starts_with(start))
}

fn of_system(upload: &Upload<'_>, system: &'static CiSystem) -> impl IntoView + use<> {
    let facts: ServiceFacts = expect_context();
    let mut recipes: Vec<_> = system.recipes.iter().collect();
    // Recipes that work without further setup come first.
    recipes.sort_by_key(|recipe| !is_set_up(recipe.proof, system.key, &facts));
    recipes
        .into_iter()
        .map(|recipe| {
            one(
                upload,
                system,
                recipe,
                is_set_up(recipe.proof, system.key, &facts),
            )
        })
        .collect_view()
}

fn one(
    upload: &Upload<'_>,
    system: &'static CiSystem,
    recipe: &'static Recipe,
    is_set_up: bool,
) -> impl IntoView + use<> {
    let (text, curl) = (recipe.text(upload), recipe.with_curl(upload));
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
    let label = format!("the recipe for {}, {}", system.name, heading.to_lowercase());
    view! {
        <div class="step">
            <h3>{heading}
                {state.map(|(class, mark, word)| view! {
                    " "<span class=format!("small {class}")><span aria-hidden="true">{mark}" "</span>{word}</span>
                })}
            </h3>
            <p class="small">{recipe.before}</p>
            <div class="recipe">
                <p class="small muted">"In "{system.file}":"</p>
                <CopyButton text=text.clone() label=label.clone()/>
                <pre tabindex="0" aria-label=label>{text}</pre>
            </div>
            {(!recipe.note.is_empty()).then(|| view! { <p class="small muted">{recipe.note}</p> })}
            {curl.map(|text| with_curl(text, format!("the recipe with curl alone for {}, {}", system.name, heading.to_lowercase())))}
        </div>
    }
}

/// The recipe for people who do not want to run the script.
fn with_curl(text: String, label: String) -> impl IntoView {
    view! {
        <details>
            <summary class="small">"With curl alone, 7.87 or newer"</summary>
            <div class="recipe">
                <CopyButton text=text.clone() label=label.clone()/>
                <pre tabindex="0" aria-label=label>{text}</pre>
            </div>
        </details>
    }
}
