//! The orders of the list, in words.

use domain::Sort;

pub(super) fn order(sort: Sort) -> &'static str {
    match sort {
        Sort::Name => "Name",
        Sort::NameReversed => "Name, from the end",
        Sort::Lowest => "Lowest",
        Sort::Highest => "Highest",
        Sort::Drop => "Biggest drop",
        Sort::Rise => "Biggest rise",
        Sort::Recent => "Recent",
        Sort::Oldest => "Oldest",
    }
}

/// The heading of an ungrouped list in this order.
pub(super) fn ordered(sort: Sort) -> &'static str {
    match sort {
        Sort::Name => "Repositories by name",
        Sort::NameReversed => "Repositories by name, from the end",
        Sort::Lowest => "Repositories, lowest coverage first",
        Sort::Highest => "Repositories, highest coverage first",
        Sort::Drop => "Repositories, biggest drop of the week first",
        Sort::Rise => "Repositories, biggest rise of the week first",
        Sort::Recent => "Repositories, last upload first",
        Sort::Oldest => "Repositories, oldest upload first",
    }
}
