//! The order of a list that shows only a part of its rows: by one of its columns, found among all rows.

use crate::ChoiceError;
use std::{fmt, str::FromStr};

/// The columns by which a list sorts.
pub trait ListColumn: Copy + Eq + Sized + 'static {
    /// All columns.
    const ALL: &'static [Self];

    /// The names of all orders, for a message.
    const ORDERS: &'static [&'static str];

    /// The name in an address.
    fn name(self) -> &'static str;
}

/// The order of a list. In an address: the column's name, after a minus if the largest value is first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListOrder<C> {
    /// The column.
    pub column: C,
    /// Whether the largest value is first. Rows without a value are last in both directions.
    pub is_descending: bool,
}

impl<C: ListColumn> ListOrder<C> {
    /// The smallest value first.
    pub const fn ascending(column: C) -> Self {
        Self {
            column,
            is_descending: false,
        }
    }

    /// The largest value first.
    pub const fn descending(column: C) -> Self {
        Self {
            column,
            is_descending: true,
        }
    }

    /// The other direction.
    pub fn reversed(self) -> Self {
        Self {
            is_descending: !self.is_descending,
            ..self
        }
    }

    /// The value of `aria-sort`.
    pub fn direction(self) -> &'static str {
        if self.is_descending {
            "descending"
        } else {
            "ascending"
        }
    }

    /// All orders.
    pub fn all() -> impl Iterator<Item = Self> {
        let columns = C::ALL.iter();
        columns.flat_map(|column| [Self::ascending(*column), Self::descending(*column)])
    }
}

impl<C: ListColumn> fmt::Display for ListOrder<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_descending { "-" } else { "" };
        write!(f, "{sign}{}", self.column.name())
    }
}

impl<C: ListColumn> FromStr for ListOrder<C> {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        let (is_descending, name) = match text.strip_prefix('-') {
            Some(name) => (true, name),
            None => (false, text),
        };
        let found = C::ALL.iter().find(|column| column.name() == name);
        let column = *found.ok_or(ChoiceError(C::ORDERS))?;
        Ok(Self {
            column,
            is_descending,
        })
    }
}

/// Defines the columns of a list, each with its name in an address.
macro_rules! columns {
    ($(#[$of_all:meta])* $list:ident: $($(#[$of:meta])* $column:ident = $name:literal;)+) => {
        $(#[$of_all])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $list {
            $($(#[$of])* $column,)+
        }

        impl ListColumn for $list {
            const ALL: &'static [Self] = &[$(Self::$column),+];

            const ORDERS: &'static [&'static str] = &[$($name, concat!("-", $name)),+];

            fn name(self) -> &'static str {
                match self { $(Self::$column => $name),+ }
            }
        }
    };
}

columns! {
    /// A column of the branches of a repository.
    BranchColumn:
    /// The branch, then the language; capitals make no difference.
    Name = "name";
    /// The coverage.
    Coverage = "coverage";
    /// The change against the base record; `None` on the main branch.
    Change = "change";
    /// The author of the commit; capitals make no difference.
    Author = "author";
    /// The time of the last upload.
    Uploaded = "uploaded";
}

columns! {
    /// A column of the records of an author.
    AuthorColumn:
    /// The repository, the branch, then the language; capitals make no difference.
    Name = "name";
    /// The coverage.
    Coverage = "coverage";
    /// The change since the previous record on the branch.
    Change = "change";
    /// The time of the last upload.
    Uploaded = "uploaded";
}

columns! {
    /// A column of the repositories with HTML reports.
    StorageColumn:
    /// The repository; capitals make no difference.
    Name = "name";
    /// The bytes.
    Size = "size";
    /// The number of reports.
    Reports = "reports";
    /// When the oldest report was uploaded.
    Oldest = "oldest";
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_order_is_read_as_it_is_written<C: ListColumn + fmt::Debug>() {
        let all: Vec<_> = ListOrder::<C>::all().collect();
        for order in &all {
            assert_eq!(order.to_string().parse(), Ok(*order));
            assert_eq!(order.reversed().reversed(), *order);
        }
        let names: Vec<_> = all.iter().map(ToString::to_string).collect();
        assert_eq!(names, C::ORDERS);
        for bad in ["", "-", "--name", "Name", "name "] {
            assert!(bad.parse::<ListOrder<C>>().is_err(), "{bad}");
        }
    }

    #[test]
    fn orders_of_lists_round_trip_through_addresses() {
        every_order_is_read_as_it_is_written::<BranchColumn>();
        every_order_is_read_as_it_is_written::<AuthorColumn>();
        every_order_is_read_as_it_is_written::<StorageColumn>();
    }
}
