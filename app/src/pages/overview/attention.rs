//! What needs attention: the first few repositories of each kind, and links to all of them.

use super::wording;
use crate::{
    components::{change::Change, coverage::Percent, name::repository_link, time::Age},
    links,
    numbers::repositories as counted,
};
use domain::{Attention, AttentionList, AttentionRow, Order, OverviewColumn, OverviewQuery, Percentage, Show, Sort, Timestamp};
use leptos::prelude::*;

/// A card with a column for each kind; nothing if nothing needs attention.
#[component]
pub(super) fn NeedsAttention(
    attention: Attention,
    /// The query of the page; its org and language apply here too.
    query: OverviewQuery,
    now: Timestamp,
    target: Percentage,
) -> impl IntoView {
    let Attention {
        dropped,
        below,
        stale,
    } = attention;
    let lists = [
        (
            Show::Dropped,
            Order::ascending(OverviewColumn::Change),
            dropped,
            "No repository has less coverage than a week ago.",
        ),
        (
            Show::Below,
            Order::ascending(OverviewColumn::Coverage),
            below,
            "Every repository meets the target.",
        ),
        (
            Show::Stale,
            Order::descending(OverviewColumn::Uploaded),
            stale,
            "Every repository had an upload in the last two weeks.",
        ),
    ];
    if lists.iter().all(|(_, _, list, _)| list.rows.is_empty()) {
        return None;
    }
    let column = |(show, sort, list, nothing): (Show, Sort, AttentionList, &'static str)| {
        let all = links::overview(&OverviewQuery {
            show,
            sort,
            page: 1,
            ..query.clone()
        });
        let AttentionList { repositories, rows } = list;
        let id = format!("attention-{}", show.word());
        let label = id.clone();
        let rest = if rows.is_empty() {
            view! { <p class="muted small">{nothing}</p> }.into_any()
        } else {
            view! {
                <ol>{rows.into_iter().map(|row| item(row, show, now)).collect_view()}</ol>
                <p class="small">
                    <a href=all aria-describedby=id.clone()>"See all: " {counted(repositories)}</a>
                </p>
            }
            .into_any()
        };
        view! {
            <section aria-labelledby=label data-testid=show.word()>
                <h3 id=id>{wording::kind(show, target)}</h3>
                {rest}
            </section>
        }
    };
    Some(view! {
        <section class="card attention" aria-labelledby="attention">
            <h2 class="unseen" id="attention">"Needs attention"</h2>
            {lists.map(column).collect_view()}
        </section>
    })
}

fn item(row: AttentionRow, show: Show, now: Timestamp) -> impl IntoView {
    let (percentage, at) = (row.percentage, row.updated_at);
    let number = match show {
        Show::Dropped => view! { <Change change=row.change/> }.into_any(),
        Show::Stale => view! { <Age at now/> }.into_any(),
        Show::Below | Show::All => {
            view! { <b class="small">{percentage.to_string()}<Percent/></b> }.into_any()
        }
    };
    view! {
        <li class="names">
            {repository_link(&row.repository, true)}
            <span class="chip">{row.language.to_string()}</span>
            <span class="grow"></span>
            {number}
        </li>
    }
}
