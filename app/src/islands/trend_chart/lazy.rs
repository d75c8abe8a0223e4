//! Loads the code of the chart when a page has one.

use super::{data::ChartData, figure};
use leptos::{mount::hydrate_from, wasm_split::SplitLoaderError};
use std::any::Any;
use web_sys::HtmlElement;

/// Hydrates what the server rendered in `root`. The chart ends when the result is dropped; `None` if the page was replaced, or if
/// `data` is not readable, because another release wrote it.
#[leptos::wasm_split::wasm_split(trend_chart, fallible, wasm_split_path = leptos::wasm_split)]
pub(in crate::islands) fn hydrate(
    root: HtmlElement,
    data: String,
) -> Result<Option<Box<dyn Any>>, SplitLoaderError> {
    // The page may have been replaced while the code was loading.
    if !root.is_connected() {
        return Ok(None);
    }
    let data: Option<ChartData> = serde_json::from_str(&data).ok();
    Ok(data.map(|data| Box::new(hydrate_from(root, || figure(data))) as Box<dyn Any>))
}
