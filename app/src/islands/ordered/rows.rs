//! The code that renders rows, in one file for all kinds of parts: many small files would load slower.

use super::{Kind, Part};
use crate::islands::{author_records, branches, history, repository_tables, stored_repositories};
use leptos::wasm_split::{SplitLoaderError, wasm_split};
use std::{pin::Pin, rc::Rc};

/// Shows the rows that a link leads to.
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
        Kind::Branches => Box::pin(branches::show(part, href, choice)),
        Kind::AuthorRecords => Box::pin(author_records::show(part, href, choice)),
        Kind::StoredRepositories => Box::pin(stored_repositories::show(part, href, choice)),
    })
}
