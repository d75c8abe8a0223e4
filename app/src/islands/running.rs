//! Hydrates the islands of a page, and ends the islands that have left it.

use super::trend_chart;
use crate::browser::all;
use std::{any::Any, cell::RefCell};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, HtmlElement};

thread_local! {
    /// The islands that run, each with the handle that ends it.
    static RUNNING: RefCell<Vec<(Element, Box<dyn Any>)>> = const { RefCell::new(Vec::new()) };
}

/// Hydrates the islands within `part`, which is new on the page.
pub fn start(part: &Element) {
    end_removed();
    for island in all(part, "[data-island]") {
        if let Ok(island) = island.dyn_into() {
            spawn_local(hydrate(island));
        }
    }
}

async fn hydrate(island: HtmlElement) {
    let (Some(data), Some(root)) = (island.first_element_child(), island.last_element_child())
    else {
        return;
    };
    let (data, Ok(root)) = (data.text_content().unwrap_or_default(), root.dyn_into()) else {
        return;
    };
    if island.dataset().get("island").as_deref() != Some(trend_chart::NAME) {
        return;
    }
    let started = trend_chart::hydrate(root, data).await;
    // If the code could not be loaded, the page stays as the server rendered it; the browser logs the failed request.
    if let Ok(Some(handle)) = started {
        // The page may have been replaced meanwhile. Then the next page ends it.
        keep(island.into(), handle);
    }
}

/// Keeps the handle of a part of the page until the part has left the page.
pub(super) fn keep(part: Element, handle: Box<dyn Any>) {
    RUNNING.with(|running| running.borrow_mut().push((part, handle)));
}

/// Ends the islands that are no longer part of the document, to free their memory.
fn end_removed() {
    let removed: Vec<_> = RUNNING.with(|running| {
        let mut running = running.borrow_mut();
        running
            .extract_if(.., |(island, _)| !island.is_connected())
            .collect()
    });
    drop(removed);
}
