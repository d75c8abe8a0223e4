//! The code that renders rows, in one file for all kinds of parts: many small files would load slower.

use super::{Kind, Part};
use crate::islands::{history, repository_tables};
use leptos::wasm_split::{SplitLoaderError, wasm_split};
use std::{pin::Pin, rc::Rc};

/// Shows the rows that a link leads to.
///
/// # Errors
///
/// When the code cannot be loaded.
#[wasm_split(rows, fallible, preload(preload), wasm_split_path = leptos::wasm_split)]
pub(super) fn show(
    kind: Kind,
    part: Rc<Part>,
    href: String,
    choice: u32,
) -> Result<Pin<Box<dyn Future<Output = ()>>>, SplitLoaderError> {
    Ok(match kind {
        Kind::Repositories => Box::pin(repository_tables::show(part, href, choice)),
        Kind::History => Box::pin(history::show(part, href, choice)),
    })
}
