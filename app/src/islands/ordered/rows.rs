//! The code that renders rows, in a file of its own.

use super::Part;
use crate::islands::repository_tables;
use leptos::wasm_split::{SplitLoaderError, wasm_split};
use std::{pin::Pin, rc::Rc};

/// Shows the rows that a link leads to.
#[wasm_split(rows, fallible, preload(preload), wasm_split_path = leptos::wasm_split)]
pub(super) fn show(
    part: Rc<Part>,
    href: String,
    choice: u32,
) -> Result<Pin<Box<dyn Future<Output = ()>>>, SplitLoaderError> {
    Ok(Box::pin(repository_tables::show(part, href, choice)))
}
