//! Fetches the rows of another order, renders them, and writes the order into the address.

use super::{Settings, orders::announcement};
use crate::{
    Target,
    api::OverviewAnswer,
    islands::{
        fetch::fetched,
        ordered::{Part, parameters},
    },
    links,
};
use domain::OverviewQuery;
use leptos::prelude::*;
use std::rc::Rc;

/// Shows the list that a link leads to.
pub(in crate::islands) async fn show(tables: Rc<Part>, href: String, choice: u32) {
    let rows = rows(tables.settings(), &href);
    let render = |(settings, query, answer)| render(&tables, settings, query, answer);
    tables.show(&href, choice, rows, render).await;
}

async fn rows(settings: &str, href: &str) -> Option<(Settings, OverviewQuery, OverviewAnswer)> {
    // Another release may have written them.
    let settings = serde_json::from_str(settings).ok()?;
    let parameters = parameters(href)?;
    let query = OverviewQuery::of(&|name| parameters.get(name).into_iter().collect());
    let answer = fetched(&links::overview_rows(&query)).await?;
    Some((settings, query, answer))
}

fn render(tables: &Part, settings: Settings, query: OverviewQuery, answer: OverviewAnswer) {
    // Only the list by name has this card above it.
    if let Ok(Some(attention)) = document().query_selector(".attention") {
        attention.remove();
    }
    let announcement = announcement(query.sort);
    let view = move || {
        provide_context(Target(settings.target));
        provide_context(settings.reports);
        super::tables(query, &answer)
    };
    let focus = |focused: &web_sys::Element| {
        let is_heading = focused.class_list().contains("sort");
        let same = if is_heading {
            "[aria-sort] .sort"
        } else {
            ".orders [aria-current]"
        };
        same.to_owned()
    };
    tables.replace(view, focus, &announcement);
}
