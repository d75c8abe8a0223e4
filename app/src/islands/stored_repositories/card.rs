//! The card around the repositories with HTML reports, and the sums of the other repositories.

use super::{data::Rows, wording::both};
use crate::numbers::grouped;
use leptos::prelude::*;

/// The card; `content` is the content of the table.
pub(crate) fn card<Filter: IntoView, Content: IntoView>(
    rows: &Rows,
    filter: Filter,
    content: Content,
) -> impl IntoView + use<Filter, Content> {
    let more = rows.more;
    let more = (more.repositories > 0).then(|| {
        let text = match more.repositories {
            1 => format!("1 more repository has {}.", both(more.stored)),
            count => format!(
                "{} more repositories have {}.",
                grouped(count),
                both(more.stored)
            ),
        };
        view! { <p class="muted small note">{text}</p> }
    });
    view! {
        <section class="card" aria-labelledby="repositories">
            <div class="head">
                <h2 id="repositories">"By repository"</h2>
                <span class="muted small">"without reports in the grace period"</span>
                <span class="grow"></span>
                {filter}
            </div>
            <table class="stored stacked" aria-labelledby="repositories" data-testid="repositories" data-sortable="repositories">
                {content}
            </table>
            {more}
        </section>
    }
}
