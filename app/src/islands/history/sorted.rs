//! Fetches the records of another order, renders them, and writes the order into the address.

use super::{
    data::{Rows, Settings},
    head::announcement,
};
use crate::{
    Target,
    api::HistoryAnswer,
    islands::{
        fetch::fetched,
        headings::same,
        ordered::{Part, all_values, parameters},
    },
    links,
};
use domain::{CHART_LINES, RepositoryQuery};
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
    let repository = settings.repository.parse().ok()?;
    let parameters = parameters(href)?;
    let query = RepositoryQuery::of(|name| all_values(&parameters, name), CHART_LINES - 1)?;
    let answer: HistoryAnswer = fetched(&links::history_rows(&repository, &query)).await?;
    let rows = Rows {
        now: answer.now,
        repository,
        query,
        branch: answer.branch_name.parse().ok()?,
        history: answer.try_into().ok()?,
    };
    Some((settings, rows))
}

fn render(part: &Part, settings: Settings, rows: Rows) {
    let announcement = announcement(rows.query.place);
    let view = move || {
        provide_context(Target(settings.target));
        provide_context(settings.reports);
        super::paged(&rows)
    };
    part.replace(view, same, &announcement);
}
