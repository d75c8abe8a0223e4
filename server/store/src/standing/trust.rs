//! What an upload and a stored record prove about the branch and the commit.

use super::{Claim, Earlier, Series};
use crate::{MainRight, RecordKey, StoreError, main_branch, run::Run};
use domain::PartSet;
use sqlx::AnyConnection;

/// How far a record is proven to belong to its branch. A greater value counts instead of a smaller one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Trust {
    /// Nothing proved that the branch contains the commit.
    Unconfirmed = 1,
    /// A merge queue tests the commit for the branch.
    Provisional = 2,
    /// The branch contains the commit, or the sender is trusted.
    #[default]
    Confirmed = 3,
}

impl Trust {
    /// The trust of an upload. The branch may have become the main branch after the upload was accepted. What a merge queue
    /// sends about a commit that the branch is known to contain counts as an upload to the branch.
    pub(crate) async fn of_upload(
        connection: &mut AnyConnection,
        repository_id: i64,
        series: Series<'_>,
        (key, right): (RecordKey<'_>, &MainRight),
        earlier: Option<&Earlier>,
    ) -> Result<Self, StoreError> {
        const CONFIRMED: &str = "
            select count(*) from records
            where branch_id = $1 and commit_hash = $2 and unconfirmed_at is null";
        match right {
            MainRight::Granted => Ok(Self::Confirmed),
            MainRight::Queued => {
                let values = (series.branch_id, key.commit);
                let confirmed: i64 = connection.value(CONFIRMED, values).await?;
                Ok(match confirmed {
                    0 => Self::Provisional,
                    _ => Self::Confirmed,
                })
            }
            MainRight::Denied(_) => {
                let added = i64::from(!earlier.is_some_and(Earlier::is_confirmed));
                let is_main =
                    main_branch::would_be_main(connection, repository_id, key.branch, added);
                Ok(match is_main.await? {
                    true => Self::Unconfirmed,
                    false => Self::Confirmed,
                })
            }
        }
    }

    /// Whether an upload with this trust must leave a record unchanged.
    pub(crate) fn leaves(self, of_record: Self) -> bool {
        self < of_record
    }

    /// Whether an upload with this trust replaces all data of the earlier uploads of a record.
    pub(crate) fn replaces(self, of_record: Self, right: &MainRight) -> bool {
        // A branch that is no longer the main branch keeps what was uploaded without the right.
        let keeps = of_record == Self::Unconfirmed && matches!(right, MainRight::Denied(_));
        of_record < self && !keeps
    }

    /// The claim of an upload after which these parts are missing.
    pub(crate) fn claim(self, right: &MainRight, missing: PartSet, is_part: bool) -> Claim {
        match self {
            Self::Unconfirmed => Claim::Unconfirmed(right.reason()),
            _ if !missing.is_empty() => Claim::Incomplete(missing),
            Self::Provisional => Claim::Provisional,
            Self::Confirmed => Claim::Complete { is_part },
        }
    }
}

impl MainRight {
    /// Why an upload does not change a record.
    pub(crate) fn reason(&self) -> String {
        match self {
            Self::Denied(reason) => reason.clone(),
            Self::Granted | Self::Queued => {
                "It comes from a merge queue, and the branch has its own record.".to_owned()
            }
        }
    }
}
