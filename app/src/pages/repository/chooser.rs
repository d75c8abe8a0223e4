//! The form that chooses the branch of the page, and the language if there are several.

use super::Page;
use crate::links;
use domain::{Compared, RepositoryQuery, TrendRange};
use leptos::prelude::*;

/// A form that opens the page for another branch or language.
#[component]
pub(super) fn Chooser(page: Page) -> impl IntoView {
    let detail = &page.detail;
    let mut branches = detail.choices.clone();
    if !branches.contains(&detail.branch) {
        branches.push(detail.branch.clone());
    }
    let branches = branches.into_iter().map(|branch| {
        let is_chosen = branch == detail.branch;
        let name = if branch == detail.main_branch {
            format!("{branch} (main branch)")
        } else {
            branch.to_string()
        };
        view! { <option value=branch.to_string() selected=is_chosen>{name}</option> }
    });
    view! {
        <form method="get" action=links::repository(&detail.repository) class="controls" data-testid="chooser">
            <label>
                "Branch"
                <select name="branch" dir="auto" data-submit>{branches.collect_view()}</select>
            </label>
            {languages(&page)}
            {kept(&page)}
            <button class="btn unscripted" type="submit">"Show"</button>
        </form>
    }
}

fn languages(page: &Page) -> Option<impl IntoView + use<>> {
    let languages = &page.detail.languages;
    let chosen = &page.query.language;
    let several = languages.len() > 1 || chosen.is_some();
    several.then(|| {
        let options = languages.iter().map(|language| {
            let is_chosen = chosen.as_ref() == Some(language);
            view! { <option value=language.to_string() selected=is_chosen>{language.to_string()}</option> }
        });
        view! {
            <label>
                "Language"
                <select name="language" data-submit>
                    <option value="" selected=chosen.is_none()>"all"</option>
                    {options.collect_view()}
                </select>
            </label>
        }
    })
}

/// Hidden fields for the choices that stay when another branch is chosen.
fn kept(page: &Page) -> impl IntoView + use<> {
    let compared: Vec<String> = match &page.query.compared {
        Compared::Main => Vec::new(),
        Compared::Branches(branches) if branches.is_empty() => vec!["-".to_owned()],
        Compared::Branches(branches) => branches.iter().map(ToString::to_string).collect(),
    };
    let range = page.query.range;
    let range = (range != TrendRange::default()).then(|| range.word());
    view! {
        {compared.into_iter().map(|branch| view! { <input type="hidden" name="compare" value=branch/> }).collect_view()}
        {range.map(|range| view! { <input type="hidden" name="range" value=range/> })}
        {dates(&page.query)}
    }
}

/// Hidden fields for the dates.
pub(super) fn dates(query: &RepositoryQuery) -> impl IntoView + use<> {
    let dates = [("from", query.from), ("to", query.to)].into_iter();
    let dates = dates.filter_map(|(name, day)| Some((name, day?.to_string())));
    dates
        .map(|(name, day)| view! { <input type="hidden" name=name value=day/> })
        .collect_view()
}
