//! Sorts the rows of a table without a request, and filters them while the reader types. `app::tables` describes the markup.

mod filter;
mod sort;

use web_sys::{Document, Element};

pub(crate) fn listen(document: &Document) {
    sort::listen(document);
    filter::listen(document);
}

/// Makes the headings of a new part of the page buttons, because they do not lead to another page.
pub(crate) fn prepare(part: &Element) {
    sort::prepare(part);
}
