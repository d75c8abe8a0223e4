//! Columns of SQL as types of the domain, for [`sqlx::Any`].

use crate::{
    BranchName, CommitAuthor, CommitHash, Count, Language, OrgName, PartName, Percentage,
    PullRequest, RepoName, Timestamp,
};
use sqlx::{
    Any, Decode, FromRow, Type,
    any::{AnyTypeInfo, AnyValueRef},
    error::BoxDynError,
};

macro_rules! columns {
    ($stored:ty: $($name:ty),*) => {
        $(impl Type<Any> for $name {
            fn type_info() -> AnyTypeInfo {
                <$stored as Type<Any>>::type_info()
            }
        }

        impl<'row> Decode<'row, Any> for $name {
            fn decode(value: AnyValueRef<'row>) -> Result<Self, BoxDynError> {
                Ok(Self::try_from(<$stored as Decode<Any>>::decode(value)?)?)
            }
        })*
    };
}

columns!(String: OrgName, RepoName, BranchName, CommitHash, CommitAuthor, Language, PartName, PullRequest);
columns!(i64: Timestamp, Percentage, Flag);

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

impl Count {
    /// Two columns as a count; `None` if one is null or negative.
    pub fn of_columns(covered: Option<i64>, total: Option<i64>) -> Option<Self> {
        Some(Self {
            covered: u64::try_from(covered?).ok()?,
            total: u64::try_from(total?).ok()?,
        })
    }
}
