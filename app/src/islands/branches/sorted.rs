//! Fetches the branches in another order, renders them, and writes the order into the address.

use super::{
    data::{Rows, Settings},
    head::title,
};
use crate::{
    Target,
    api::BranchesAnswer,
    islands::{
        fetch::fetched,
        headings::{announcement, same},
        ordered::{Part, all_values, parameters},
    },
    links,
};
use domain::{CHART_LINES, RepositoryQuery};
use leptos::prelude::*;
use std::rc::Rc;

/// Shows the branches that a link leads to.
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
    let answer: BranchesAnswer = fetched(&links::branch_rows(&repository, &query)).await?;
    let rows = Rows {
        now: answer.now,
        repository,
        query,
        branch: settings.branch.parse().ok()?,
        main_branch: answer.main_branch_name.parse().ok()?,
        branches: answer.try_into().ok()?,
    };
    Some((settings, rows))
}

fn render(part: &Part, settings: Settings, rows: Rows) {
    let order = rows.query.branches;
    let announced = order.map(|order| announcement(order, title(order.column)));
    let view = move || {
        provide_context(Target(settings.target));
        provide_context(settings.reports);
        super::paged(&rows)
    };
    part.replace(view, same, &announced.unwrap_or_default());
}
