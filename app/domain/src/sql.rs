//! Columns of SQL as types of the domain, for [`sqlx::Any`].

use crate::{
    BranchName, CommitAuthor, CommitHash, Count, Language, OrgName, PartName, Percentage,
    PullRequest, RepoName, Repository, Timestamp, TreeHash,
};
use sqlx::{
    Any, Database, Decode, Encode, FromRow, Type,
    any::{AnyTypeInfo, AnyValueRef},
    encode::IsNull,
    error::BoxDynError,
};

macro_rules! columns {
    ($stored:ty, $value:expr => $($name:ty),*) => {
        $(impl Type<Any> for $name {
            fn type_info() -> AnyTypeInfo {
                <$stored as Type<Any>>::type_info()
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
columns!(i64, |flag| flag.0.into() => Flag);

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
