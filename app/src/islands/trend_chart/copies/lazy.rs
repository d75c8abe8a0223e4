//! Loads the code that copies with the first copy: few visits need it.

use super::{Format, clipboard, file_name, text};
use crate::{charts::LineChart, islands::trend_chart::data::ChartData};
use leptos::wasm_split::{SplitLoaderError, wasm_split};
use std::{pin::Pin, sync::Arc};

/// The outcome of a copy, as a sentence.
pub(super) type Copying = Pin<Box<dyn Future<Output = &'static str>>>;

#[wasm_split(trend_copies, fallible, wasm_split_path = leptos::wasm_split)]
pub(super) fn copy(
    format: Format,
    chart: Arc<LineChart>,
    data: Arc<ChartData>,
) -> Result<Copying, SplitLoaderError> {
    let (text, file_name) = (text(format, &chart, &data), file_name(format, &data));
    Ok(Box::pin(clipboard::copy(format, text, file_name)))
}
