//! Sortable tables: what the server writes into a table, and what the browser reads to sort its rows without a request.
//!
//! A table has its name in `data-sortable`. Each row has in `data-keys` its number in the table's own order and the values of its
//! columns. Each heading that sorts is a link. If the page shows all rows, the link has the next order in `data-order`, and the
//! browser sorts. If the page shows only some rows, the link has in `data-parts` the names of the parameters that choose these
//! rows, and the server sorts. The address has the order as the parameter `{table}={order}`.

pub use domain::Order;
use std::{cmp::Ordering, fmt};

/// Separates the keys of a row; no name contains it.
const SEPARATOR: char = '\t';

/// What a text key begins with, so that the text `12` is not a number.
const TEXT: char = '~';

/// A value that rows are sorted by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// A number.
    Number(i64),
    /// A text in lower case, so that upper and lower case compare as equal.
    Text(String),
    /// No value: last in both directions.
    Missing,
}

impl Key {
    /// Compares two keys in a direction.
    pub fn compare(&self, other: &Self, is_descending: bool) -> Ordering {
        let has_missing = [self, other].contains(&&Self::Missing);
        if is_descending && !has_missing {
            other.cmp(self)
        } else {
            self.cmp(other)
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(formatter, "{number}"),
            Self::Text(text) => {
                write!(formatter, "{TEXT}{}", text.replace(SEPARATOR, " "))
            }
            Self::Missing => Ok(()),
        }
    }
}

impl From<&str> for Key {
    fn from(text: &str) -> Self {
        match text.strip_prefix(TEXT) {
            Some(text) => Self::Text(text.to_owned()),
            None => text.parse().map_or(Self::Missing, Self::Number),
        }
    }
}

/// The value of `data-keys`: the number of the row, and a key for each column that sorts.
pub fn keys(row: usize, keys: impl Iterator<Item = Key>) -> String {
    keys.fold(row.to_string(), |all, key| format!("{all}{SEPARATOR}{key}"))
}

/// The key of a column in a `data-keys`, and the number of the row, which decides between equal keys.
pub fn key(keys: &str, column: usize) -> (Key, usize) {
    let mut fields = keys.split(SEPARATOR);
    let row = fields.next().and_then(|row| row.parse().ok());
    let key = fields.nth(column).map_or(Key::Missing, Key::from);
    (key, row.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_they_were_written() {
        let all = [
            Key::Number(-12),
            Key::Text("12".to_owned()),
            Key::Missing,
            Key::Text(String::new()),
        ];
        let written = keys(7, all.iter().cloned());
        for (column, expected) in all.iter().enumerate() {
            assert_eq!(key(&written, column), (expected.clone(), 7));
        }
        assert_eq!(key(&written, 9), (Key::Missing, 7));
    }

    #[test]
    fn a_missing_value_is_last_in_both_directions() {
        for is_descending in [false, true] {
            let mut all = [Key::Missing, Key::Number(2), Key::Number(1)];
            all.sort_by(|a, b| a.compare(b, is_descending));
            assert_eq!(all[2], Key::Missing);
            assert_eq!(all[0], Key::Number(if is_descending { 2 } else { 1 }));
        }
    }
}
