//! The order of a table: by one of its columns.

use crate::{ChoiceError, choice::choices};
use std::{fmt, str::FromStr};

/// A column that a table sorts by.
pub trait Column: Clone + Eq {
    /// The name in an address.
    fn name(&self) -> &str;

    /// The column with this name.
    ///
    /// # Errors
    ///
    /// If there is none; the error lists the columns.
    fn of_name(name: &str) -> Result<Self, ChoiceError>;
}

/// The column of a table whose columns only its page knows.
impl Column for String {
    fn name(&self) -> &str {
        self
    }

    fn of_name(name: &str) -> Result<Self, ChoiceError> {
        Ok(name.to_owned())
    }
}

/// The order of a table. In an address: the column's name, after a minus if the largest value is first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order<C = String> {
    /// The column.
    pub column: C,
    /// Whether the largest value is first. Rows without a value are last in both directions.
    pub is_descending: bool,
}

impl<C: Column> Order<C> {
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
    pub fn direction(&self) -> &'static str {
        if self.is_descending {
            "descending"
        } else {
            "ascending"
        }
    }
}

impl<C: Column> fmt::Display for Order<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_descending { "-" } else { "" };
        write!(f, "{sign}{}", self.column.name())
    }
}

impl<C: Column> FromStr for Order<C> {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        Ok(match text.strip_prefix('-') {
            Some(name) => Self::descending(C::of_name(name)?),
            None => Self::ascending(C::of_name(text)?),
        })
    }
}

/// Declares the columns of a table, each with its name in an address.
macro_rules! columns {
    ($(#[$doc:meta])* $table:ident: $($(#[$of:meta])* $column:ident = $name:literal,)+) => {
        choices! {
            $(#[$doc])* $table: $($(#[$of])* $column = $name,)+
        }

        impl $table {
            /// All orders.
            pub fn orders() -> impl Iterator<Item = Order<Self>> {
                Self::ALL
                    .iter()
                    .flat_map(|column| [Order::ascending(*column), Order::descending(*column)])
            }
        }

        impl Column for $table {
            fn name(&self) -> &str {
                self.word()
            }

            fn of_name(name: &str) -> Result<Self, ChoiceError> {
                name.parse()
            }
        }
    };
}

columns! {
    /// A column of the overview.
    OverviewColumn:
    /// The org, the repository, then the language. Only this order groups the list by org.
    Name = "name",
    /// The coverage.
    Coverage = "coverage",
    /// The change over the last week.
    Change = "change",
    /// The time of the last upload.
    Uploaded = "uploaded",
}

columns! {
    /// A column of the branches of a repository.
    BranchColumn:
    /// The branch, then the language; capitals make no difference.
    Name = "name",
    /// The coverage.
    Coverage = "coverage",
    /// The change against the base record; `None` on the main branch.
    Change = "change",
    /// The author of the commit; capitals make no difference.
    Author = "author",
    /// The time of the last upload.
    Uploaded = "uploaded",
}

columns! {
    /// A column of the records of a branch.
    HistoryColumn:
    /// The coverage.
    Coverage = "coverage",
    /// The change since the previous record; only confirmed records.
    Change = "change",
    /// The time of the last upload.
    Uploaded = "uploaded",
}

columns! {
    /// A column of the records of an author.
    AuthorColumn:
    /// The repository, the branch, then the language; capitals make no difference.
    Name = "name",
    /// The coverage.
    Coverage = "coverage",
    /// The change since the previous record on the branch.
    Change = "change",
    /// The time of the last upload.
    Uploaded = "uploaded",
}

columns! {
    /// A column of the repositories with HTML reports.
    StorageColumn:
    /// The repository; capitals make no difference.
    Name = "name",
    /// The bytes.
    Size = "size",
    /// The number of reports.
    Reports = "reports",
    /// When the oldest report was uploaded.
    Oldest = "oldest",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_of_tables_round_trip_through_addresses() {
        for order in BranchColumn::orders() {
            assert_eq!(order.to_string().parse(), Ok(order));
            assert_eq!(order.reversed().reversed(), order);
        }
        for bad in ["", "-", "--name", "Name", "name "] {
            assert!(bad.parse::<Order<BranchColumn>>().is_err(), "{bad}");
        }
        let error = "x".parse::<Order<HistoryColumn>>();
        let error = error.map_err(|error| error.to_string());
        assert_eq!(
            error,
            Err("must be one of coverage, change, uploaded".to_owned())
        );
    }
}
