//! Columns of SQL as types of the domain, for [`sqlx::Any`].

use crate::{
    BranchName, Change, CommitAuthor, CommitHash, Count, Day, Language, NewCount, OrgName,
    PartName, Percentage, PullRequest, RepoName, Repository, Scope, Timestamp, TreeHash,
};
use sqlx::{
    Any, Database, Decode, Encode, FromRow, Row, Type,
    any::{AnyRow, AnyTypeInfo, AnyValueRef},
    encode::IsNull,
    error::BoxDynError,
};
use std::str::FromStr;

macro_rules! columns {
    ($stored:ty, $value:expr => $($name:ty),*) => {
        $(impl Type<Any> for $name {
            fn type_info() -> AnyTypeInfo {
                <$stored as Type<Any>>::type_info()
            }

            // PostgreSQL computes numbers as 32 bits, which the default refuses.
            fn compatible(column: &AnyTypeInfo) -> bool {
                <$stored as Type<Any>>::compatible(column)
            }
        }

        impl<'row> Decode<'row, Any> for $name {
            fn decode(value: AnyValueRef<'row>) -> Result<Self, BoxDynError> {
                Ok(Self::try_from(<$stored as Decode<Any>>::decode(value)?)?)
            }
        }

        impl Encode<'_, Any> for $name {
            fn encode_by_ref(&self, buffer: &mut <Any as Database>::ArgumentBuffer) -> Result<IsNull, BoxDynError> {
                let value: fn(&Self) -> $stored = $value;
                Encode::<Any>::encode(value(self), buffer)
            }
        })*
    };
}

columns!(String, |name| name.as_str().to_owned() => OrgName, RepoName, BranchName, CommitHash, CommitAuthor, Language, PartName, PullRequest, TreeHash);
columns!(i64, |time| time.0 => Timestamp);
columns!(i64, |percentage| percentage.basis_points().into() => Percentage);
columns!(i64, |change| change.basis_points().into() => Change);
columns!(i64, |flag| flag.0.into() => Flag);
columns!(i64, |number| i64::try_from(number.0).unwrap_or(i64::MAX) => Unsigned);

impl Type<Any> for Repository {
    fn type_info() -> AnyTypeInfo {
        <String as Type<Any>>::type_info()
    }
}

/// A repository as a parameter is its key.
impl Encode<'_, Any> for Repository {
    fn encode_by_ref(
        &self,
        buffer: &mut <Any as Database>::ArgumentBuffer,
    ) -> Result<IsNull, BoxDynError> {
        Encode::<Any>::encode(self.key(), buffer)
    }
}

/// Reads the columns `org_name` and `repo_name`.
impl FromRow<'_, AnyRow> for Scope {
    fn from_row(row: &AnyRow) -> sqlx::Result<Self> {
        Ok(Self::new(
            row.try_get("org_name")?,
            row.try_get("repo_name")?,
        ))
    }
}

/// A boolean, which the database stores as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flag(pub bool);

impl From<i64> for Flag {
    fn from(number: i64) -> Self {
        Self(number != 0)
    }
}

impl From<Flag> for bool {
    fn from(flag: Flag) -> Self {
        flag.0
    }
}

/// A number that is not negative. A damaged row must not fail a page: in such a row, a negative number becomes 0, and a number
/// that is too large for its type becomes the largest one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unsigned(pub u64);

impl From<i64> for Unsigned {
    fn from(number: i64) -> Self {
        Self(u64::try_from(number).unwrap_or_default())
    }
}

impl From<usize> for Unsigned {
    fn from(number: usize) -> Self {
        Self(u64::try_from(number).unwrap_or(u64::MAX))
    }
}

impl From<Unsigned> for u64 {
    fn from(number: Unsigned) -> Self {
        number.0
    }
}

impl From<Unsigned> for u32 {
    fn from(number: Unsigned) -> Self {
        Self::try_from(number.0).unwrap_or(Self::MAX)
    }
}

impl From<Unsigned> for u16 {
    fn from(number: Unsigned) -> Self {
        Self::try_from(number.0).unwrap_or(Self::MAX)
    }
}

impl From<i64> for Change {
    fn from(basis_points: i64) -> Self {
        Self::from_basis_points(i32::try_from(basis_points).unwrap_or_default())
    }
}

/// A text of any origin; `None` if there is none or if it is not a `T`.
pub struct IfReadable<T>(Option<T>);

impl<T> Type<Any> for IfReadable<T> {
    fn type_info() -> AnyTypeInfo {
        <String as Type<Any>>::type_info()
    }
}

impl<'row, T: FromStr> Decode<'row, Any> for IfReadable<T> {
    fn decode(value: AnyValueRef<'row>) -> Result<Self, BoxDynError> {
        let text = <Option<String> as Decode<Any>>::decode(value)?;
        Ok(Self(text.and_then(|text| text.parse().ok())))
    }
}

impl<T> From<IfReadable<T>> for Option<T> {
    fn from(column: IfReadable<T>) -> Self {
        column.0
    }
}

/// `base_id` and `change_of_base`; both are null without a base record.
#[derive(FromRow)]
pub struct BaseColumns {
    base_id: Option<i64>,
    change_of_base: Option<Change>,
}

impl From<BaseColumns> for Option<(i64, Change)> {
    fn from(columns: BaseColumns) -> Self {
        columns.base_id.zip(columns.change_of_base)
    }
}

/// `lines_covered` and `lines_total`; both are null if the coverage file does not count lines.
#[derive(FromRow)]
pub struct LineColumns {
    lines_covered: Option<i64>,
    lines_total: Option<i64>,
}

impl From<LineColumns> for Option<Count> {
    fn from(columns: LineColumns) -> Self {
        Count::of_columns(columns.lines_covered, columns.lines_total)
    }
}

/// The columns of new code; all are null without a count.
#[derive(FromRow)]
pub struct NewColumns {
    new_covered: Option<i64>,
    new_total: Option<i64>,
    new_unknown: Option<i64>,
    new_day: Option<i64>,
}

impl From<NewColumns> for Option<(NewCount, Day)> {
    fn from(columns: NewColumns) -> Self {
        let new = NewCount {
            lines: Count::of_columns(columns.new_covered, columns.new_total)?,
            unknown: u64::try_from(columns.new_unknown?).ok()?,
        };
        Some((new, Day(i32::try_from(columns.new_day?).ok()?)))
    }
}

impl Count {
    /// Two columns as a count; `None` if one is null or negative.
    pub fn of_columns(covered: Option<i64>, total: Option<i64>) -> Option<Self> {
        Some(Self {
            covered: u64::try_from(covered?).ok()?,
            total: u64::try_from(total?).ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_number_becomes_the_nearest_valid_one() {
        assert_eq!(u64::from(Unsigned::from(-1_i64)), 0);
        assert_eq!(u32::from(Unsigned::from(i64::MAX)), u32::MAX);
        assert_eq!(u16::from(Unsigned(70_000)), u16::MAX);
        assert_eq!(u16::from(Unsigned(404)), 404);
    }
}
