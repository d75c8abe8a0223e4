//! The form that chooses the branch of the page, and the language if there are several.

use super::Page;
use crate::{
    components::form::{hidden, option},
    links,
};
use domain::{Compared, RepositoryQuery, TrendRange};
use leptos::prelude::*;

pub(super) fn chooser(page: &Page) -> impl IntoView + use<> {
    let detail = &page.detail;
    let mut branches = detail.choices.clone();
    if !branches.contains(&detail.branch) {
        branches.push(detail.branch.clone());
    }
    let branches = branches.into_iter().map(|branch| {
        let name = if branch == detail.main_branch {
            format!("{branch} (main branch)")
        } else {
            branch.to_string()
        };
        option(branch.to_string(), branch == detail.branch, name)
    });
    view! {
        <form method="get" action=links::repository(&detail.repository) class="controls" data-testid="chooser">
            <label>
                "Branch"
                <select name="branch" dir="auto" data-submit>{branches.collect_view()}</select>
            </label>
            {languages(page)}
            {kept(page)}
            <button class="btn unscripted" type="submit">"Show"</button>
        </form>
    }
}

fn languages(page: &Page) -> Option<impl IntoView + use<>> {
    let languages = &page.detail.languages;
    let chosen = &page.query.language;
    let options = languages.iter().map(|language| {
        let is_chosen = chosen.as_ref() == Some(language);
        option(language.to_string(), is_chosen, language.to_string())
    });
    let options = options.collect_view();
    (languages.len() > 1 || chosen.is_some()).then(|| {
        view! {
            <label>
                "Language"
                <select name="language" data-submit>
                    <option value="" selected=chosen.is_none()>"all"</option>
                    {options}
                </select>
            </label>
        }
    })
}

/// Hidden fields for the choices that stay when another branch is chosen.
fn kept(page: &Page) -> impl IntoView + use<> {
    let compared = match &page.query.compared {
        Compared::Main => Vec::new(),
        Compared::Branches(branches) if branches.is_empty() => vec!["-".to_owned()],
        Compared::Branches(branches) => branches.iter().map(ToString::to_string).collect(),
    };
    let compared = compared.into_iter().map(|branch| ("compare", branch));
    hidden(compared.chain(period(&page.query)))
}

/// The range and the dates, as hidden fields.
pub(super) fn period(query: &RepositoryQuery) -> Vec<(&'static str, String)> {
    let range = (query.range != TrendRange::default()).then(|| query.range.word().to_owned());
    let day = |day: Option<domain::Day>| day.map(|day| day.to_string());
    let fields = [("range", range), ("from", day(query.from)), ("to", day(query.to))];
    let fields = fields.into_iter();
    fields.filter_map(|(name, value)| Some((name, value?))).collect()
}
