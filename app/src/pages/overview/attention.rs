//! What needs attention: the first few repositories of each kind, and links to all of them.

use super::wording;
use crate::{
    components::{change::Change, coverage::Percent, name::repository_link, time::Age},
    links,
    numbers::repositories as counted,
};
use domain::{
    Attention, AttentionList, AttentionRow, Order, OverviewColumn, OverviewQuery, Percentage, Show,
    Sort, Timestamp,
};
use leptos::prelude::*;

/// A card with a column for each kind that has repositories; nothing if nothing needs attention. The org and the language of the
/// page's query apply here too.
pub(super) fn attention(
    attention: &Attention,
    query: &OverviewQuery,
    now: Timestamp,
    target: Percentage,
) -> Option<impl IntoView + use<>> {
    let lists = [
        (
            Show::Dropped,
            Order::ascending(OverviewColumn::Change),
            &attention.dropped,
        ),
        (
            Show::Below,
            Order::ascending(OverviewColumn::Coverage),
            &attention.below,
        ),
        (
            Show::Stale,
            Order::descending(OverviewColumn::Uploaded),
            &attention.stale,
        ),
    ];
    let lists = lists.into_iter().filter(|(.., list)| !list.rows.is_empty());
    let column = |(show, sort, list): (Show, Sort, &AttentionList)| {
        let all = links::overview(&OverviewQuery {
            show,
            sort,
            page: 1,
            ..query.clone()
        });
        let id = format!("attention-{}", show.word());
        // The languages of a repository follow each other.
        let shown = list
            .rows
            .chunk_by(|row, next| row.repository == next.repository);
        let has_more = list.repositories as usize > shown.count();
        let all = has_more.then(|| view! {
            <p class="small">
                <a href=all aria-describedby=id.clone()>"See all: " {counted(list.repositories)}</a>
            </p>
        });
        view! {
            <section aria-labelledby=id.clone() data-testid=show.word()>
                <h3 id=id.clone()>{wording::kind(show, target)}</h3>
                <ol>{list.rows.iter().map(|row| item(row, show, now)).collect_view()}</ol>
                {all}
            </section>
        }
    };
    let columns: Vec<_> = lists.map(column).collect();
    (!columns.is_empty()).then(|| {
        view! {
            <section class="card attention" aria-labelledby="attention">
                <h2 class="unseen" id="attention">"Needs attention"</h2>
                {columns}
            </section>
        }
    })
}

fn item(row: &AttentionRow, show: Show, now: Timestamp) -> impl IntoView + use<> {
    let (percentage, at) = (row.percentage, row.updated_at);
    let number = match show {
        Show::Dropped => view! { {ends(row)}<Change change=row.change/> }.into_any(),
        Show::Stale => view! { <Age at now/> }.into_any(),
        Show::Below | Show::All => {
            let percentage =
                percentage.map(|percentage| view! { {percentage.to_string()}<Percent/> });
            view! { <b class="small">{percentage}</b> }.into_any()
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

/// The coverage before and after a change.
fn ends(row: &AttentionRow) -> Option<impl IntoView + use<>> {
    let (now, change) = (row.percentage?, row.change?);
    let before = i32::from(now.basis_points()) - change.basis_points();
    let before = Percentage::from_basis_points(u16::try_from(before).ok()?);
    Some(view! { <span class="muted">{format!("{before} → {now}\u{202f}%")}</span> })
}
