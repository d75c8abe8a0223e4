//! Corrects times from a clock that was ahead, with the next write to the repository.
//!
//! Each upload gets a later time than all earlier ones. Without the correction, one upload dated a year ahead would give all
//! later uploads such a date.

#[cfg(test)]
mod tests;

use super::{StoreError, main_records, run::Run, time::MOST_AHEAD};
use domain::Timestamp;
use sqlx::AnyConnection;

/// 2026-01-01T00:00:00Z. This release is newer, so a clock before that time is wrong: usually the machine has just started and
/// has not synchronized its clock yet. Then the times of other clocks stay unchanged.
const EARLIEST: i64 = 1_767_225_600_000_000;

macro_rules! moments {
    () => {
        "select r.updated_at as moment from records r where r.repository_id = $1
         union
         select r.created_at from records r where r.repository_id = $1
         union
         select r.superseded_at from records r where r.repository_id = $1 and r.superseded_at is not null
         union
         select r.unconfirmed_at from records r where r.repository_id = $1 and r.unconfirmed_at is not null"
    };
}

/// The last time that is not ahead, and the number of times that are ahead.
const BOUNDS: &str = concat!(
    "select coalesce(max(case when m.moment <= $2 then m.moment end), 0) as last,
            count(case when m.moment > $2 then 1 end) as ahead
     from (",
    moments!(),
    ") m"
);

/// Gives the times that are ahead new values directly after `$3`: in the same order, a microsecond apart.
const BRING_BACK: &str = concat!(
    "with moved as (
         select m.moment, $3 + row_number() over (order by m.moment) as back
         from (",
    moments!(),
    ") m
         where m.moment > $2
     )
     update records
     set updated_at = n.updated_at, created_at = n.created_at, superseded_at = n.superseded_at,
         unconfirmed_at = n.unconfirmed_at
     from (
         select r.id, coalesce(u.back, r.updated_at) as updated_at, coalesce(c.back, r.created_at) as created_at,
                coalesce(s.back, r.superseded_at) as superseded_at, coalesce(n.back, r.unconfirmed_at) as unconfirmed_at
         from records r
         left join moved u on u.moment = r.updated_at
         left join moved c on c.moment = r.created_at
         left join moved s on s.moment = r.superseded_at
         left join moved n on n.moment = r.unconfirmed_at
         where r.repository_id = $1 and (r.updated_at > $2 or r.created_at > $2 or r.superseded_at > $2 or r.unconfirmed_at > $2)
     ) n
     where n.id = records.id"
);

const PARTS: &str = "
    update record_parts set arrived_at = $2
    where arrived_at > $2 and record_id in (select r.id from records r where r.repository_id = $1)";

const CARRIED: &str = "
    update carried_parts set measured_at = $2
    where measured_at > $2 and record_id in (select r.id from records r where r.repository_id = $1)";

/// Records wait until a time that was computed from a wrong time.
const WAITS: &str = "
    update record_completions set waits_until = $2
    where waits_until > $2 and record_id in (select r.id from records r where r.repository_id = $1)";

const REPOSITORY: &str = "
    update repositories
    set created_at = case when created_at > $2 then $2 else created_at end, last_upload_at = $3
    where id = $1";

/// Returns the time of a write to a repository at `now`. `following` is the time directly after all other times of the
/// repository. If `following` is too far ahead, a clock was wrong: the times that are ahead are moved back so that they end at
/// `now`, and this write follows them.
pub(super) async fn settle(
    connection: &mut AnyConnection,
    repository_id: i64,
    following: Timestamp,
    now: Timestamp,
) -> Result<Timestamp, StoreError> {
    let microseconds = following.0.saturating_sub(now.0);
    if microseconds <= MOST_AHEAD {
        return Ok(following);
    }
    if now.0 < EARLIEST {
        tracing::warn!(
            repository_id,
            seconds = microseconds / 1_000_000,
            "the clock of this service is behind the time of the last upload; this upload is dated directly after it; set the clock"
        );
        return Ok(following);
    }
    tracing::warn!(
        repository_id,
        seconds = microseconds / 1_000_000,
        "the last upload came from a clock that was ahead of the clock of this service: the times in its repository are moved back to now; check the clocks"
    );
    let (last, ahead): (i64, i64) = connection.one(BOUNDS, (repository_id, now.0)).await?;
    // They end at `now`, unless there is too little time after the last time that is not ahead.
    let before = last.max(now.0.saturating_sub(ahead));
    connection
        .run(BRING_BACK, (repository_id, now.0, before))
        .await?;
    for statement in [PARTS, CARRIED, WAITS] {
        connection.run(statement, (repository_id, now.0)).await?;
    }
    let at = now.0.max(before + ahead + 1);
    connection
        .run(REPOSITORY, (repository_id, now.0, at))
        .await?;
    main_records::refresh(connection, repository_id).await?;
    Ok(Timestamp(at))
}
