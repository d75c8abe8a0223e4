//! The filters of the list.

use super::wording;
use crate::{components::kept::kept, links, numbers::grouped};
use domain::{Choice, Choices, OverviewQuery, Percentage, Show};
use leptos::prelude::*;

/// The filters by name, org, language and kind. They keep the order.
#[component]
pub(super) fn Filters(
    query: OverviewQuery,
    /// The orgs and languages to choose from.
    choices: Choices,
    target: Percentage,
) -> impl IntoView {
    let Choices {
        orgs,
        further_orgs,
        languages,
    } = choices;
    let sorted = OverviewQuery {
        sort: query.sort,
        ..OverviewQuery::default()
    };
    let all = links::overview(&sorted);
    let clear = query
        .is_filtered()
        .then(|| view! { <a class="btn" href=all>"Clear"</a> });
    let further = (further_orgs > 0).then(|| {
        let text = format!("{} more: search by name", grouped(further_orgs.into()));
        view! { <option disabled>{text}</option> }
    });
    view! {
        <form class="controls" method="get" action=links::HOME aria-label="Filter repositories" data-keep>
            {kept(sorted.parameters(), &[])}
            <label>
                "Name"
                <input
                    type="search"
                    name="keyword"
                    value=query.keyword.clone()
                    placeholder="Org or repository"
                    autocomplete="off"
                    autocapitalize="none"
                    spellcheck="false"
                    data-submit
                />
            </label>
            <label>
                "Org"
                <select name="org_name" data-submit>
                    <option value="">"All"</option>
                    {options(orgs, query.org.clone())}
                    {further}
                </select>
            </label>
            <label>
                "Language"
                <select name="language" data-submit>
                    <option value="">"All"</option>
                    {options(languages, query.language.clone())}
                </select>
            </label>
            <label>
                "Show"
                <select name="show" data-submit>
                    {Show::ALL.iter().copied().map(|show| kind(show, query.show, target)).collect_view()}
                </select>
            </label>
            <button class="btn unscripted" type="submit">"Apply"</button>
            {clear}
        </form>
    }
}

/// All choices with their numbers of repositories; and the chosen one, even if it does not exist.
fn options<Name: Ord + ToString>(
    choices: Vec<Choice<Name>>,
    chosen: Option<Name>,
) -> impl IntoView {
    let is_known = |chosen: &Name| choices.iter().any(|choice| choice.name == *chosen);
    let unknown = chosen.as_ref().filter(|chosen| !is_known(chosen)).map(
        |chosen| view! { <option value=chosen.to_string() selected>{chosen.to_string()}</option> },
    );
    let known = choices
        .iter()
        .map(|choice| {
            let is_chosen = chosen.as_ref() == Some(&choice.name);
            let name = choice.name.to_string();
            let text = format!("{name} ({})", grouped(choice.repositories.into()));
            view! { <option value=name selected=is_chosen>{text}</option> }
        })
        .collect_view();
    (unknown, known)
}

fn kind(show: Show, chosen: Show, target: Percentage) -> impl IntoView {
    let value = match show {
        Show::All => "",
        show => show.word(),
    };
    view! { <option value=value selected=show == chosen>{wording::kind(show, target)}</option> }
}
