//! Reads and stores the parts that a record waits for, within transactions.

use super::Announced;
use crate::{
    Flag, StoreError,
    provisional::is_provisional,
    run::Run,
    standing::{Earlier, Trust},
    text::json,
};
use domain::{PartName, PartSet, Timestamp};
use sqlx::{AnyConnection, FromRow};

/// Whether the record `r` was uploaded without the right to change what the main branch shows. A record that waits for parts has
/// `unconfirmed_at` too, so this column alone is not enough.
macro_rules! record_is_unconfirmed {
    () => {
        "r.unconfirmed_at is not null
         and not exists (select 1 from record_completions w
                         where w.record_id = r.id and w.waits_until is not null and w.unconfirmed_at is null)"
    };
}

pub(crate) use record_is_unconfirmed;

/// The parts that a record waits for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Completion {
    pub(crate) expected: PartSet,
    /// The expected parts that count only if they arrive in the record's language.
    pub(crate) only_here: PartSet,
    /// The parts that have arrived in other languages of the commit. Not stored.
    pub(crate) elsewhere: PartSet,
    pub(crate) closed_at: Option<Timestamp>,
    pub(crate) waits_until: Option<Timestamp>,
    /// Whether the uploads had no right to change what the main branch shows.
    pub(crate) is_unconfirmed: bool,
    /// Whether a merge queue tests the commit. Not stored here.
    pub(crate) is_provisional: bool,
    /// The time since which the status on the forge waits for parts that did not arrive in time.
    pub(crate) unreported_since: Option<Timestamp>,
}

#[derive(FromRow)]
struct Row {
    expected: Option<String>,
    closed_at: Option<Timestamp>,
    waits_until: Option<Timestamp>,
    unconfirmed_at: Option<i64>,
    #[sqlx(try_from = "Flag")]
    is_provisional: bool,
    unreported_since: Option<Timestamp>,
}

impl From<Row> for Completion {
    fn from(row: Row) -> Self {
        let (expected, only_here) = names(row.expected.as_deref().unwrap_or_default());
        Self {
            expected,
            only_here,
            elsewhere: PartSet::default(),
            closed_at: row.closed_at,
            waits_until: row.waits_until,
            is_unconfirmed: row.unconfirmed_at.is_some(),
            is_provisional: row.is_provisional,
            unreported_since: row.unreported_since,
        }
    }
}

/// The suffix of the name of a part that counts only if it arrives in the record's language.
const ONLY_HERE: char = ':';

/// Reads a list of expected parts. Returns all of them, and the ones that count only in the record's language. Skips invalid
/// names.
pub(super) fn names(json: &str) -> (PartSet, PartSet) {
    let names: Vec<String> = serde_json::from_str(json).unwrap_or_default();
    let parse = |name: &str| name.trim_end_matches(ONLY_HERE).parse().ok();
    let expected = names.iter().filter_map(|name| parse(name));
    let only_here = names.iter().filter(|name| name.ends_with(ONLY_HERE));
    (
        expected.collect(),
        only_here.filter_map(|name| parse(name)).collect(),
    )
}

/// Writes a list that `names` can read.
pub(super) fn listed(expected: &PartSet, only_here: &PartSet) -> String {
    let names = expected.names().map(|name| match only_here.contains(name) {
        true => format!("{name}{ONLY_HERE}"),
        false => name.to_string(),
    });
    json(&names.collect::<Vec<_>>())
}

impl Completion {
    /// Whether the record was uploaded without the right to change what the main branch shows.
    fn is_of_unconfirmed(&self, earlier: &Earlier) -> bool {
        !earlier.is_confirmed() && (self.is_unconfirmed || self.waits_until.is_none())
    }

    /// The trust of a record.
    pub(crate) fn trust_of(&self, earlier: &Earlier) -> Trust {
        match self.is_of_unconfirmed(earlier) {
            false => Trust::Confirmed,
            true if earlier.is_provisional => Trust::Provisional,
            true => Trust::Unconfirmed,
        }
    }

    /// The trust of a record that waits for parts.
    pub(super) fn trust(&self) -> Trust {
        match (self.is_unconfirmed, self.is_provisional) {
            (false, _) => Trust::Confirmed,
            (true, true) => Trust::Provisional,
            (true, false) => Trust::Unconfirmed,
        }
    }

    pub(crate) async fn of_record(
        connection: &mut AnyConnection,
        record_id: i64,
    ) -> Result<Self, StoreError> {
        const COMPLETION: &str = concat!(
            "select w.expected, w.closed_at, w.waits_until, w.unconfirmed_at, w.unreported_since, case when ",
            is_provisional!("w.record_id"),
            " then 1 else 0 end as is_provisional
             from record_completions w where w.record_id = $1"
        );
        let row: Option<Row> = connection.first(COMPLETION, [record_id]).await?;
        Ok(row.map(Self::from).unwrap_or_default())
    }

    /// Adds the statement of an upload. `arrived` includes the parts of the upload. Returns the missing parts.
    ///
    /// # Errors
    ///
    /// [`StoreError::TooManyParts`].
    pub(crate) fn announce(
        &mut self,
        announced: &Announced,
        arrived: &PartSet,
        at: Timestamp,
    ) -> Result<PartSet, StoreError> {
        // An upload with a token of the forge writes a new status.
        self.unreported_since = None;
        self.expected.extend(announced.expected.names());
        self.only_here.extend(announced.only_here.names());
        let mut all = self.expected.clone();
        all.extend(arrived.names());
        if all.are_too_many() {
            return Err(StoreError::TooManyParts);
        }
        if announced.is_finished {
            self.closed_at = self.closed_at.or(Some(at));
        }
        let missing = self.missing(arrived);
        let timeout = i64::try_from(announced.timeout.as_micros()).unwrap_or(i64::MAX);
        let until = Timestamp(at.0.saturating_add(timeout));
        self.waits_until = (!missing.is_empty()).then_some(until);
        Ok(missing)
    }

    pub(crate) fn missing(&self, arrived: &PartSet) -> PartSet {
        match self.closed_at {
            Some(_) => PartSet::default(),
            None => {
                let missing = self.expected.without(arrived);
                missing.without(&self.elsewhere.without(&self.only_here))
            }
        }
    }

    /// Removes a part from the expected parts.
    pub(crate) fn forget(&mut self, part: &PartName) {
        let only: PartSet = [part.clone()].into_iter().collect();
        self.expected = self.expected.without(&only);
    }

    /// Stores the completion, or deletes its row if it is empty.
    pub(crate) async fn store(
        &self,
        connection: &mut AnyConnection,
        record_id: i64,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        const DELETE: &str = "delete from record_completions where record_id = $1";
        const UPSERT: &str = "
            insert into record_completions (record_id, expected, closed_at, waits_until, unconfirmed_at, unreported_since)
            values ($1, $2, $3, $4, $5, $6)
            on conflict (record_id) do update set
                expected = excluded.expected,
                closed_at = excluded.closed_at,
                waits_until = excluded.waits_until,
                unconfirmed_at = excluded.unconfirmed_at,
                unreported_since = excluded.unreported_since";
        if self.expected.is_empty() && self.closed_at.is_none() {
            return connection.run(DELETE, [record_id]).await;
        }
        let values = (
            record_id,
            listed(&self.expected, &self.only_here),
            self.closed_at,
            self.waits_until,
            self.is_unconfirmed.then_some(at.0),
            self.unreported_since,
        );
        connection.run(UPSERT, values).await
    }
}
