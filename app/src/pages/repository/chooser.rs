//! The form that chooses the branch of the page, and the language if there are several.

use super::Page;
use crate::{
    components::form::{hidden, list, option},
    links,
};
use domain::RepositoryQuery;
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
                <select name="branch_name" dir="auto" data-submit>{branches.collect_view()}</select>
            </label>
            {languages(page)}
            {chart(page)}
            <button class="btn unscripted" type="submit">"Show"</button>
        </form>
    }
}

fn languages(page: &Page) -> Option<AnyView> {
    let languages = &page.detail.languages;
    let chosen = &page.query.language;
    let options = languages.iter().map(|language| {
        let is_chosen = chosen.as_ref() == Some(language);
        option(language.to_string(), is_chosen, language.to_string())
    });
    (languages.len() > 1 || chosen.is_some())
        .then(|| list("Language", None, "language", "all", options))
}

/// Hidden fields for the choices of the chart, which stay when another branch is chosen.
fn chart(page: &Page) -> AnyView {
    let chart = RepositoryQuery {
        compared: page.query.compared.clone(),
        view: page.query.view.clone(),
        metric: page.query.metric,
        since: page.query.since.clone(),
        tab: page.query.tab,
        ..page.period()
    };
    hidden(chart.parameters(), &[])
}
