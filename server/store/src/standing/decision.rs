//! Decides whether a record is current on its branch after an upload, in the history of the branch, or only stored.

use super::{Earlier, Series, Standing};
use crate::{StoreError, run::Run};
use domain::{BranchName, PartSet, Timestamp};
use sqlx::AnyConnection;

/// The claim of an upload for its record.
#[derive(Debug)]
pub(crate) enum Claim {
    /// The record is confirmed, and all of its parts have arrived. An upload of the whole commit makes the record current, also a
    /// retry. An upload of a part does so unless the record was superseded before, its branch was retired, or a newer commit is
    /// current.
    Complete {
        /// Whether the commit is uploaded in parts: this or an earlier upload has a named part, expects parts, or skips one.
        is_part: bool,
    },
    /// The branch contains the commit of a provisional record, which keeps its time: a later record stays current.
    Landed,
    /// These parts are missing.
    Incomplete(PartSet),
    /// A merge queue tests the commit.
    Provisional,
    /// Nothing proved that the branch contains the commit. The text is the reason.
    Unconfirmed(String),
}

#[derive(Debug)]
pub(crate) struct Decision {
    pub(crate) standing: Standing,
    pub(crate) updated_at: Timestamp,
    pub(crate) superseded_at: Option<Timestamp>,
    pub(crate) unconfirmed_at: Option<Timestamp>,
    /// The change of the number of current records: -1, 0 or 1.
    pub(crate) current: i64,
    /// The change of the number of confirmed records of the branch: -1, 0 or 1.
    pub(crate) confirmed: i64,
}

/// Decides the standing of a record, and updates other records: the current record is superseded, or an older record becomes
/// current again.
pub(crate) async fn decide(
    connection: &mut AnyConnection,
    series: Series<'_>,
    earlier: Option<&Earlier>,
    claim: Claim,
    at: Timestamp,
) -> Result<Decision, StoreError> {
    let was_confirmed = earlier.is_some_and(Earlier::is_confirmed);
    let has_landed = matches!(claim, Claim::Landed);
    let (standing, is_part) = match claim {
        Claim::Unconfirmed(reason) => (Standing::Unconfirmed(reason), true),
        Claim::Provisional => (Standing::Provisional, true),
        Claim::Incomplete(missing) => (Standing::Incomplete(missing), true),
        Claim::Landed => (Standing::Current, true),
        Claim::Complete { is_part } => (Standing::Current, is_part),
    };
    if standing != Standing::Current {
        let current = match earlier {
            Some(earlier) if earlier.is_current() => {
                demote(connection, series, earlier, at).await?
            }
            _ => 0,
        };
        return Ok(Decision {
            standing,
            updated_at: at,
            superseded_at: Some(at),
            unconfirmed_at: Some(at),
            current,
            confirmed: -i64::from(was_confirmed),
        });
    }
    let newer = match earlier {
        Some(earlier) if has_landed && !is_last(connection, series, earlier).await? => {
            Some(earlier.updated_at)
        }
        Some(earlier) if is_part && !earlier.is_current() => {
            superseding(connection, series, earlier).await?
        }
        _ => None,
    };
    let confirmed = i64::from(!was_confirmed);
    Ok(match newer {
        None => Decision {
            standing,
            updated_at: at,
            superseded_at: None,
            unconfirmed_at: None,
            current: 1 - retire_current(connection, series, at).await?,
            confirmed,
        },
        Some(updated_at) => Decision {
            standing: Standing::Superseded,
            updated_at,
            superseded_at: Some(match earlier.and_then(Earlier::confirmed_until) {
                Some(until) => until,
                None => end_of(connection, series, updated_at, at).await?,
            }),
            unconfirmed_at: None,
            current: 0,
            confirmed,
        },
    })
}

/// Returns `None` if the upload of a part makes the record current. Otherwise returns when the record was superseded: it was
/// superseded before, its branch was retired, or a newer commit is current.
async fn superseding(
    connection: &mut AnyConnection,
    series: Series<'_>,
    earlier: &Earlier,
) -> Result<Option<Timestamp>, StoreError> {
    const CURRENT: &str = "
        select created_at, updated_at from records
        where branch_id = $1 and language = $2 and superseded_at is null";
    const RETIRED: &str = "
        select max(superseded_at) from records
        where branch_id = $1 and language = $2 and unconfirmed_at is null";
    if earlier.is_confirmed() {
        return Ok(Some(earlier.updated_at));
    }
    let current: Option<(Timestamp, Timestamp)> = connection.first(CURRENT, [series]).await?;
    let Some((created_at, updated_at)) = current else {
        // The branch was retired, perhaps after the first part arrived.
        let retired_at: Option<Timestamp> = connection.value(RETIRED, [series]).await?;
        let is_retired = retired_at.is_some_and(|at| at > earlier.created_at);
        return Ok(is_retired.then_some(earlier.updated_at));
    };
    let kept = match earlier.updated_at < updated_at {
        true => earlier.updated_at,
        false => earlier.created_at,
    };
    Ok((created_at > earlier.created_at).then_some(kept))
}

/// Whether the branch has no confirmed record with a later upload.
pub(crate) async fn is_last(
    connection: &mut AnyConnection,
    series: Series<'_>,
    earlier: &Earlier,
) -> Result<bool, StoreError> {
    const LATER: &str = "
        select count(*) from records
        where branch_id = $1 and language = $2 and updated_at > $3 and id <> $4 and unconfirmed_at is null";
    let later: i64 = connection
        .value(LATER, (series, earlier.updated_at, earlier.id))
        .await?;
    Ok(later == 0)
}

/// The time when the next record of the history superseded a record with the time `from`; `at` if there is none.
async fn end_of(
    connection: &mut AnyConnection,
    series: Series<'_>,
    from: Timestamp,
    at: Timestamp,
) -> Result<Timestamp, StoreError> {
    const NEXT: &str = "
        select min(updated_at) from records
        where branch_id = $1 and language = $2 and updated_at > $3 and unconfirmed_at is null";
    let next: Option<Timestamp> = connection.value(NEXT, (series, from)).await?;
    Ok(next.unwrap_or(at))
}

/// Returns the number of retired records: 0 or 1.
async fn retire_current(
    connection: &mut AnyConnection,
    series: Series<'_>,
    at: Timestamp,
) -> Result<i64, StoreError> {
    const RETIRE: &str = "
        update records set superseded_at = $1
        where branch_id = $2 and language = $3 and superseded_at is null";
    let retired = connection.changed(RETIRE, (at, series)).await?;
    Ok(i64::from(retired > 0))
}

/// Takes a record out of the history. The newest remaining confirmed record becomes current. Returns the change of the number of
/// current records.
async fn demote(
    connection: &mut AnyConnection,
    series: Series<'_>,
    earlier: &Earlier,
    at: Timestamp,
) -> Result<i64, StoreError> {
    const DEMOTE: &str = "update records set superseded_at = $2, unconfirmed_at = $2 where id = $1";
    connection.run(DEMOTE, (earlier.id, at)).await?;
    let restored = make_newest_current(connection, series.branch_id, series.language).await?;
    Ok(i64::from(restored.is_some()) - 1)
}

/// Stores a decision about a record with unchanged numbers.
pub(crate) async fn move_to(
    connection: &mut AnyConnection,
    record_id: i64,
    decision: &Decision,
) -> Result<(), StoreError> {
    const MOVE: &str = "
        update records set updated_at = $2, superseded_at = $3, unconfirmed_at = $4 where id = $1";
    let values = (
        record_id,
        decision.updated_at,
        decision.superseded_at,
        decision.unconfirmed_at,
    );
    connection.run(MOVE, values).await
}

/// Adds to the number of confirmed records of a branch. Unconfirmed records are not counted, because they must not make their
/// branch the main branch.
pub(crate) async fn count_confirmed(
    connection: &mut AnyConnection,
    branch_id: i64,
    added: i64,
) -> Result<(), StoreError> {
    const COUNT: &str = "update branches set record_count = record_count + $2 where id = $1";
    if added == 0 {
        return Ok(());
    }
    connection.run(COUNT, (branch_id, added)).await
}

/// Makes the newest remaining record of the branch and language current, if there is one. An unconfirmed record never becomes
/// current this way.
pub(crate) async fn make_newest_current(
    connection: &mut AnyConnection,
    branch_id: i64,
    language: &str,
) -> Result<Option<i64>, StoreError> {
    const MAKE: &str = "
        update records set superseded_at = null where id = (
            select r.id from records r
            where r.branch_id = $1 and r.language = $2 and r.superseded_at > r.updated_at and r.unconfirmed_at is null
            order by r.updated_at desc limit 1)
        returning id";
    connection.first_value(MAKE, (branch_id, language)).await
}

pub(crate) async fn branch_id(
    connection: &mut AnyConnection,
    repository_id: i64,
    branch: &BranchName,
) -> Result<Option<i64>, StoreError> {
    const BRANCH: &str = "select id from branches where repository_id = $1 and name = $2";
    connection
        .first_value(BRANCH, (repository_id, branch))
        .await
}
