//! The filters of the list.

use super::wording;
use crate::{
    components::form::{hidden, list, option},
    links,
    numbers::grouped,
};
use domain::{Choice, Choices, OverviewQuery, Percentage, Show};
use leptos::prelude::*;

/// The filters by name, org, language and kind, with the orgs and languages to choose from. They keep the order and the metric.
pub(super) fn filters(
    query: &OverviewQuery,
    choices: &Choices,
    target: Percentage,
) -> impl IntoView + use<> {
    let sorted = OverviewQuery {
        sort: query.sort,
        metric: query.metric,
        ..OverviewQuery::default()
    };
    let all = links::overview(&sorted);
    let is_filtered = query.is_filtered();
    let clear = is_filtered.then(|| view! { <a class="btn" href=all>"Clear"</a> });
    let further = (choices.further_orgs > 0).then(|| {
        let further = grouped(choices.further_orgs.into());
        view! { <option disabled>{format!("{further} more: search by name")}</option> }.into_any()
    });
    let orgs = options(&choices.orgs, query.org.as_ref());
    let orgs = orgs.into_iter().chain(further);
    let languages = options(&choices.languages, query.language.as_ref());
    let kinds = Show::ALL.iter().filter(|show| **show != Show::All);
    let kinds =
        kinds.map(|&show| option(show.word(), show == query.show, wording::kind(show, target)));
    view! {
        <form class="controls" method="get" action=links::HOME aria-label="Filter repositories" data-keep>
            {hidden(sorted.parameters(), &[])}
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
            {list("Org", None, "org_name", "All", orgs)}
            {list("Language", None, "language", "All", languages)}
            {list("Show", None, "show", "All", kinds)}
            <button class="btn unscripted" type="submit">"Apply"</button>
            {clear}
        </form>
    }
}

/// All choices with their numbers of repositories; and the chosen one, even if it does not exist.
fn options<Name: PartialEq + ToString>(
    choices: &[Choice<Name>],
    chosen: Option<&Name>,
) -> Vec<AnyView> {
    let is_known = |chosen: &&Name| choices.iter().any(|choice| choice.name == **chosen);
    let unknown = chosen.filter(|chosen| !is_known(chosen));
    let unknown = unknown.map(|chosen| option(chosen.to_string(), true, chosen.to_string()));
    let known = choices.iter().map(|choice| {
        let name = choice.name.to_string();
        let text = format!("{name} ({})", grouped(choice.repositories.into()));
        option(name, chosen == Some(&choice.name), text)
    });
    unknown.into_iter().chain(known).collect()
}
