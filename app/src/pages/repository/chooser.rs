//! The form that chooses the branch of the page, and the language if there are several.

use super::Page;
use crate::{components::kept::kept, links};
use domain::RepositoryQuery;
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
                <select name="branch_name" dir="auto" data-submit>{branches.collect_view()}</select>
            </label>
            {languages(&page)}
            {chart(&page)}
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

/// Hidden fields for the choices of the chart, which stay when another branch is chosen.
fn chart(page: &Page) -> impl IntoView + use<> {
    let chart = RepositoryQuery {
        compared: page.query.compared.clone(),
        ..page.period()
    };
    kept(chart.parameters(), &[])
}
