//! Provisional records: of commits that a merge queue tests for a branch, which perhaps never contains them.

use super::{StoreError, run::Run};
use sqlx::AnyConnection;

/// Whether the record with this id is provisional.
macro_rules! is_provisional {
    ($record:literal) => {
        concat!(
            "exists (select 1 from provisional_records v where v.record_id = ",
            $record,
            ")"
        )
    };
}

/// Whether the record `x` can be a base that is found by its commit: it is confirmed or provisional, and complete.
macro_rules! is_exact_base {
    ($record:literal) => {
        concat!(
            "(",
            $record,
            ".unconfirmed_at is null or exists (
                 select 1 from provisional_records v where v.record_id = ",
            $record,
            ".id and not exists (
                     select 1 from record_completions w where w.record_id = v.record_id and w.waits_until is not null)))"
        )
    };
}

pub(super) use {is_exact_base, is_provisional};

/// Stores whether a record is provisional, within the transaction that publishes it.
pub(super) async fn keep(
    connection: &mut AnyConnection,
    record_id: i64,
    is_provisional: bool,
) -> Result<(), StoreError> {
    const KEEP: &str = "
        insert into provisional_records (record_id, repository_id)
        select r.id, r.repository_id from records r where r.id = $1
        on conflict (record_id) do nothing";
    const FORGET: &str = "delete from provisional_records where record_id = $1";
    let statement = if is_provisional { KEEP } else { FORGET };
    connection.run(statement, [record_id]).await
}
