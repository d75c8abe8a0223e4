//! The choices for the recipes: the repository, the CI system and the language.

use crate::{
    links,
    recipe::{CI_SYSTEMS, LANGUAGES},
};
use domain::SetupQuery;
use leptos::prelude::*;

/// The form that fills the recipes in.
#[component]
pub(super) fn Choice(query: SetupQuery) -> impl IntoView {
    let option = |value: &'static str, name: &'static str, chosen: &str| {
        let is_chosen = value == chosen;
        view! { <option value=value selected=is_chosen>{name}</option> }
    };
    let systems = CI_SYSTEMS
        .iter()
        .map(|system| option(system.key, system.name, &query.ci))
        .collect_view();
    let languages = LANGUAGES
        .iter()
        .map(|language| option(language.key, language.name, &query.language))
        .collect_view();
    let mistakes: Vec<_> = query
        .mistakes()
        .into_iter()
        .map(|(name, error)| format!("{name} {error}."))
        .collect();
    let is_wrong = (!mistakes.is_empty()).then_some("true");
    let described_by = (!mistakes.is_empty()).then_some("names-hint");
    let is_chosen = query != SetupQuery::default();
    view! {
        <form class="controls" method="get" action=links::SETUP>
            <label>"Org"
                <input id="for-org" type="text" name="org_name" value=query.org placeholder="acme" autocomplete="off" spellcheck="false" aria-invalid=is_wrong aria-describedby=described_by data-submit/>
            </label>
            <label>"Repository"
                <input id="for-repo" type="text" name="repo_name" value=query.repo placeholder="payments" autocomplete="off" spellcheck="false" aria-invalid=is_wrong aria-describedby=described_by data-submit/>
            </label>
            <label>"CI system"
                <select id="for-ci" name="ci" data-submit>
                    <option value="">"All of them"</option>
                    {systems}
                </select>
            </label>
            <label>"Language"
                <select id="for-language" name="language" data-submit>
                    <option value="">"All of them"</option>
                    {languages}
                </select>
            </label>
            <button class="btn unscripted" type="submit">"Fill in"</button>
            {is_chosen.then(|| view! { <a class="btn" href=links::SETUP>"Start over"</a> })}
        </form>
        {(!mistakes.is_empty()).then(|| view! { <p class="small outcome refused" id="names-hint">{mistakes.join(" ")}</p> })}
    }
}
