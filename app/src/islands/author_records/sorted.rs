//! Fetches the records in another order, renders them, and writes the order into the address.

use super::{
    data::{Rows, Settings},
    head::title,
};
use crate::{
    Target,
    api::AuthorAnswer,
    islands::{
        fetch::fetched,
        headings::{announcement, same},
        ordered::{Part, parameters},
    },
    links,
};
use domain::{AuthorColumn, AuthorQuery, AuthorRecord, ListOrder, RecordPlace};
use leptos::prelude::*;
use std::rc::Rc;

/// Shows the records that a link leads to.
pub(in crate::islands) async fn show(part: Rc<Part>, href: String, choice: u32) {
    let rows = rows(part.settings(), &href);
    let render = |(settings, rows)| render(&part, settings, rows);
    part.show(&href, choice, rows, render).await;
}

async fn rows(settings: &str, href: &str) -> Option<(Settings, Rows)> {
    // Another release may have written them.
    let settings: Settings = serde_json::from_str(settings).ok()?;
    let author = settings.author.parse().ok()?;
    let parameters = parameters(href)?;
    let query = AuthorQuery::of(author, |name| parameters.get(name).unwrap_or_default());
    let answer: AuthorAnswer = fetched(&links::author_rows(&query)).await?;
    let records = answer.rows.into_iter().map(AuthorRecord::try_from);
    let rows = Rows {
        now: answer.now,
        query,
        records: records.collect::<Result<_, _>>().ok()?,
        next: answer.next.and_then(|next| RecordPlace::parse(&next)),
    };
    Some((settings, rows))
}

fn render(part: &Part, settings: Settings, rows: Rows) {
    let newest = ListOrder::descending(AuthorColumn::Uploaded);
    let order = rows.order().unwrap_or(newest);
    let announced = announcement(order, title(order.column));
    let view = move || {
        provide_context(Target(settings.target));
        provide_context(settings.reports);
        super::paged(&rows)
    };
    part.replace(view, same, &announced);
}
