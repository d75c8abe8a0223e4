//! The groups directly within an org.

use super::within;
use crate::{
    components::{
        change::Change,
        coverage::Coverage,
        name::Name,
        sortable::{Column, RowFilter, Sortable, change, number, percentage, text},
    },
    links,
    numbers::grouped,
};
use domain::{GroupRow, OrgQuery};
use leptos::prelude::*;

/// The maximum number of groups.
const SHOWN: usize = 200;

/// A card with a row for each group, linked to its page; nothing if there are no groups.
#[component]
pub(super) fn Groups(
    /// The groups.
    groups: Vec<GroupRow>,
    /// The query of the page; the links to groups keep its choices.
    query: OrgQuery,
) -> impl IntoView {
    if groups.is_empty() {
        return ().into_any();
    }
    let hidden = groups.len().saturating_sub(SHOWN);
    let sortable = Sortable::new("groups", columns()).only_if(hidden == 0);
    let shown = groups.len().min(SHOWN);
    let rows = sortable.sorted(&groups[..shown]).into_iter();
    let rows = rows.map(|(keys, group)| row(keys, group, &query));
    view! {
        <section class="card" aria-labelledby="groups">
            <div class="head">
                <h2 id="groups">"Groups"</h2>
                <span class="muted small">"included in this org's numbers; each includes its own groups"</span>
                <span class="grow"></span>
                <RowFilter table="groups" rows=shown what="groups"/>
            </div>
            <table class="groups" aria-labelledby="groups" data-testid="groups" data-sortable="groups">
                {sortable.head()}
                <tbody>{rows.collect_view()}</tbody>
            </table>
            {(hidden > 0).then(|| view! { <p class="muted small note">{format!("{hidden} more are not shown.")}</p> })}
        </section>
    }
    .into_any()
}

fn columns() -> Vec<Column<GroupRow>> {
    vec![
        Column::new("name", "Group", "", |row| text(&row.org)),
        Column::new("coverage", "Coverage", "c-cov", |row| {
            percentage(row.coverage)
        }),
        Column::new("change", "Change", "num", |row| change(row.change)),
        Column::largest_first("repositories", "Repositories", "num", |row| {
            number(Some(row.repositories))
        }),
        Column::largest_first("lines", "Lines", "num", |row| {
            number(row.lines.map(|lines| lines.total))
        }),
    ]
}

fn row(keys: String, group: &GroupRow, query: &OrgQuery) -> impl IntoView + use<> {
    let same_view = OrgQuery {
        org: group.org.clone(),
        ..query.clone()
    };
    let coverage = match group.coverage {
        Some(percentage) => view! { <Coverage percentage lines=group.lines/> }.into_any(),
        None => view! { <span class="muted">"no value"</span> }.into_any(),
    };
    let lines = group
        .lines
        .map_or_else(|| "not counted".to_owned(), |lines| grouped(lines.total));
    view! {
        <tr data-keys=keys>
            <th scope="row"><a class="name" href=links::org_view(&same_view)><Name text=within(&query.org, group.org.as_str())/></a></th>
            <td class="c-cov">{coverage}</td>
            <td class="num" data-label="Change"><Change change=group.change/></td>
            <td class="num" data-label="Repositories">{grouped(group.repositories.into())}</td>
            <td class="num" data-label="Lines">{lines}</td>
        </tr>
    }
}
