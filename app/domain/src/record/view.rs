//! The view that the page of a record shows.

use crate::{Count, Percentage, ViewName};

/// The files of a record that are in a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordView {
    /// The view, as it is defined.
    pub name: ViewName,
    /// Its lines; `None` if the files of the record are not known.
    pub lines: Option<Count>,
    /// The lines of the whole record, as the coverage file states them; `None` if it states none.
    pub whole: Option<Count>,
}

impl RecordView {
    /// Its coverage; `None` if it has no lines, or if they are not known.
    pub fn percentage(&self) -> Option<Percentage> {
        self.lines.and_then(Percentage::of)
    }
}

/// Why a view is not shown, as a sentence without its end.
pub fn no_view(view: &ViewName) -> String {
    format!(
        "The main branch defines no {view}, none of its files was measured, or finding its files takes too many steps"
    )
}
