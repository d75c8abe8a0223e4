//! The values of the summary's rows a week ago, so that lists of changes need not read the history.
//!
//! A row stores the percentage together with the moments for which it is valid: until the next record becomes a week old. A query
//! for another moment reads the history. The service renews expired rows.

use crate::{StoreError, run::Run, time::now};
use domain::{DAY, DROP_DAYS, Timestamp};
use sqlx::AnyConnection;

/// The confirmed records of a row's branch and language.
macro_rules! of_row {
    ($row:literal) => {
        concat!(
            "from records h where h.branch_id = ",
            $row,
            ".branch_id and h.language = ",
            $row,
            ".language and h.unconfirmed_at is null"
        )
    };
}

/// The percentage of a row's branch at a moment: of the last record until then, otherwise of the first other record.
macro_rules! percentage_at {
    ($row:literal, $moment:literal) => {
        concat!(
            "coalesce((select h.percentage_basis_points ",
            $crate::main_records::week_ago::of_row!($row),
            " and h.updated_at <= ",
            $moment,
            " order by h.updated_at desc limit 1), (select h.percentage_basis_points ",
            $crate::main_records::week_ago::of_row!($row),
            " and h.id <> ",
            $row,
            ".record_id order by h.updated_at limit 1))"
        )
    };
}

/// The time of the last record until a moment; 0 if there is none.
macro_rules! last_until {
    ($row:literal, $moment:literal) => {
        concat!(
            "coalesce((select max(h.updated_at) ",
            $crate::main_records::week_ago::of_row!($row),
            " and h.updated_at <= ",
            $moment,
            "), 0)"
        )
    };
}

/// The time of the first record after a moment; the time of the row's record if there is none.
macro_rules! first_after {
    ($row:literal, $moment:literal) => {
        concat!(
            "coalesce((select min(h.updated_at) ",
            $crate::main_records::week_ago::of_row!($row),
            " and h.updated_at > ",
            $moment,
            "), ",
            $row,
            ".updated_at)"
        )
    };
}

/// Whether a row `s` contradicts the records. Its values are the same for all of its moments, so the query checks the first one.
macro_rules! is_wrong {
    () => {
        concat!(
            "s.week_ago_from < s.week_ago_until and (s.percentage_week_ago is distinct from ",
            $crate::main_records::week_ago::percentage_at!("s", "s.week_ago_from"),
            " or s.week_ago_from <> ",
            $crate::main_records::week_ago::last_until!("s", "s.week_ago_from"),
            " or s.week_ago_until <> ",
            $crate::main_records::week_ago::first_after!("s", "s.week_ago_from"),
            ")"
        )
    };
}

pub(crate) use {first_after, is_wrong, last_until, of_row, percentage_at};

/// Computes the columns of the rows `s` of repository `$1`, for the moment `$2`.
pub(crate) const RENEW: &str = concat!(
    "update main_records as s set percentage_week_ago = ",
    percentage_at!("s", "$2"),
    ", week_ago_from = ",
    last_until!("s", "$2"),
    ", week_ago_until = ",
    first_after!("s", "$2"),
    " where s.repository_id = $1"
);

/// The time a week ago.
pub(crate) fn moment() -> Timestamp {
    Timestamp(now().0 - DROP_DAYS * DAY)
}

pub(crate) async fn renew(
    connection: &mut AnyConnection,
    repository_id: i64,
    moment: Timestamp,
) -> Result<(), StoreError> {
    connection.run(RENEW, (repository_id, moment.0)).await
}
