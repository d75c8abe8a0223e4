//! Fetches the repositories in another order, renders them, and writes the order into the address.

use super::{
    data::Rows,
    head::{LARGEST, title},
};
use crate::{
    api::StorageAnswer,
    islands::{
        fetch::fetched,
        headings::{announcement, same},
        ordered::{Part, parameters},
    },
    links,
};
use domain::RepositoryStorage;
use std::rc::Rc;

/// Shows the repositories that a link leads to.
pub(in crate::islands) async fn show(part: Rc<Part>, href: String, choice: u32) {
    let rows = rows(&href);
    let render = |rows| render(&part, rows);
    part.show(&href, choice, rows, render).await;
}

async fn rows(href: &str) -> Option<Rows> {
    let order = parameters(href)?.get(links::STORAGE_ORDER);
    let order = order.and_then(|order| order.parse().ok());
    let answer: StorageAnswer = fetched(&links::storage_rows(order)).await?;
    let (total, more) = (answer.total(), answer.others());
    let rows = answer.rows.into_iter().map(RepositoryStorage::try_from);
    Some(Rows {
        at: answer.at,
        total,
        order,
        rows: rows.collect::<Result<_, _>>().ok()?,
        more,
    })
}

fn render(part: &Part, rows: Rows) {
    let order = rows.order.unwrap_or(LARGEST);
    let announced = announcement(order, title(order.column));
    part.replace(move || super::paged(&rows), same, &announced);
}
