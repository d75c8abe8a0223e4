//! The orders of the list, in words.

use domain::{OverviewColumn, Sort};

pub(super) fn order(sort: Sort) -> &'static str {
    match (sort.column, sort.is_descending) {
        (OverviewColumn::Name, false) => "Name",
        (OverviewColumn::Name, true) => "Name, from the end",
        (OverviewColumn::Coverage, false) => "Lowest",
        (OverviewColumn::Coverage, true) => "Highest",
        (OverviewColumn::Change, false) => "Biggest drop",
        (OverviewColumn::Change, true) => "Biggest rise",
        (OverviewColumn::Uploaded, true) => "Recent",
        (OverviewColumn::Uploaded, false) => "Oldest",
    }
}

/// The heading of an ungrouped list in this order.
pub(super) fn ordered(sort: Sort) -> &'static str {
    match (sort.column, sort.is_descending) {
        (OverviewColumn::Name, false) => "Repositories by name",
        (OverviewColumn::Name, true) => "Repositories by name, from the end",
        (OverviewColumn::Coverage, false) => "Repositories, lowest coverage first",
        (OverviewColumn::Coverage, true) => "Repositories, highest coverage first",
        (OverviewColumn::Change, false) => "Repositories, biggest drop of the week first",
        (OverviewColumn::Change, true) => "Repositories, biggest rise of the week first",
        (OverviewColumn::Uploaded, true) => "Repositories, last upload first",
        (OverviewColumn::Uploaded, false) => "Repositories, oldest upload first",
    }
}
