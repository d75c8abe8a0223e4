//! Fetches the rows of another order, renders them, and writes the order into the address.

use super::{
    browser::{Tables, latest_choice},
    data::{Rows, Settings},
    orders::announcement,
};
use crate::{
    Target,
    api::OverviewAnswer,
    islands::{fetch::fetched, host},
    links,
};
use domain::OverviewQuery;
use leptos::{
    mount::mount_to,
    prelude::*,
    wasm_split::{SplitLoaderError, wasm_split},
};
use std::{pin::Pin, rc::Rc};
use wasm_bindgen::JsCast;
use web_sys::{FocusOptions, HtmlElement, Url};

type Showing = Pin<Box<dyn Future<Output = ()>>>;

/// Shows the list that a link leads to. If its rows cannot be fetched, the browser goes to the link, which says why.
///
/// # Errors
///
/// When the code cannot be loaded.
#[wasm_split(repository_tables, fallible, preload(preload), wasm_split_path = leptos::wasm_split)]
pub(super) fn show(
    tables: Rc<Tables>,
    href: String,
    choice: u32,
) -> Result<Showing, SplitLoaderError> {
    Ok(Box::pin(async move {
        let rows = rows(&tables.settings, &href).await;
        // The attribute was set with the choice.
        let _ = tables.root.remove_attribute("aria-busy");
        if choice != latest_choice() || !tables.root.is_connected() {
            return;
        }
        match rows {
            Some((settings, rows)) => {
                let sort = rows.query.sort;
                // Before the rows are replaced: it saves which link was chosen, and where the page was scrolled to.
                host::push(&href);
                render(&tables, settings, rows);
                host::announce(&announcement(sort));
            }
            None => host::open(&href),
        }
    }))
}

async fn rows(settings: &str, href: &str) -> Option<(Settings, Rows)> {
    // Another release may have written them.
    let settings = serde_json::from_str(settings).ok()?;
    let here = window().location().href().ok()?;
    let parameters = Url::new_with_base(href, &here).ok()?.search_params();
    let query = OverviewQuery::of(|name| parameters.get(name).unwrap_or_default());
    let answer: OverviewAnswer = fetched(&links::overview_rows(&query)).await?;
    Some((settings, Rows::of(query, answer).ok()?))
}

fn render(tables: &Tables, settings: Settings, rows: Rows) {
    let root = &tables.root;
    let focused = document().active_element();
    let focused = focused.filter(|focused| root.contains(Some(focused)));
    // Only the list by name has it above.
    if let Ok(Some(attention)) = document().query_selector(".attention") {
        attention.remove();
    }
    drop(tables.rendered.take());
    root.set_text_content(None);
    let handle = mount_to(root.clone(), move || {
        provide_context(Target(settings.target));
        provide_context(settings.reports);
        super::tables(rows)
    });
    tables.rendered.replace(Some(Box::new(handle)));
    host::prepare(root);
    if let Some(focused) = focused {
        let is_heading = focused.class_list().contains("sort");
        let same = if is_heading {
            "[aria-sort] .sort"
        } else {
            ".orders [aria-current]"
        };
        if let Ok(Some(link)) = root.query_selector(same)
            && let Ok(link) = link.dyn_into::<HtmlElement>()
        {
            let options = FocusOptions::new();
            options.set_prevent_scroll(true);
            // A link can be focused.
            let _ = link.focus_with_options(&options);
        }
    }
}
