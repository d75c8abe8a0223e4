//! Applies an upload to the parts of its commit, within the transaction that publishes it.

use super::NewRecord;
use crate::{
    RecordKey, StoreError,
    parts::{self, Completion, EarlySkips, PartRow, United},
    standing::{Claim, Earlier, Series, Trust},
};
use domain::{PartName, PartSet, Repository, Timestamp};
use sqlx::AnyConnection;

/// The effect of an upload on the parts of its commit.
pub(super) struct Arrival {
    /// Whether the record's parts have rows.
    pub(super) has_rows: bool,
    /// Parts to store as skipped.
    pub(super) skipped: Vec<(PartName, String, Timestamp)>,
    pub(super) completion: Completion,
    pub(super) claim: Claim,
    /// Whether the upload replaces all data of earlier uploads of the record.
    pub(super) replaces_all: bool,
    /// The keys of the HTML reports that are released.
    pub(super) replaced_reports: Vec<String>,
}

impl Arrival {
    /// Prepares the rows of a record for an upload: removes the rows that the upload replaces. An upload with the right replaces all
    /// data of uploads without it.
    ///
    /// # Errors
    ///
    /// [`StoreError::PartsChanged`] if the upload was united with other parts than the record has now, or if its part must be new and is
    /// not; or [`StoreError::TooManyParts`].
    pub(super) async fn of(
        connection: &mut AnyConnection,
        (series, earlier): (Series<'_>, Option<&Earlier>),
        new: &NewRecord,
        repository: &Repository,
        trust: Trust,
        at: Timestamp,
    ) -> Result<Self, StoreError> {
        let (name, announced) = (&new.part.name, &new.stated.announced);
        let (mut rows, mut completion) = match earlier {
            Some(earlier) => (
                parts::of_record(connection, earlier.id).await?,
                Completion::of_record(connection, earlier.id).await?,
            ),
            None => (Vec::new(), Completion::default()),
        };
        let right = &new.stated.main_right;
        let replaces_all =
            earlier.is_some_and(|earlier| trust.replaces(completion.trust_of(earlier), right));
        if replaces_all {
            completion = Completion::default();
        }
        let united = new.part.united.as_ref();
        let others = match earlier {
            Some(earlier) if !replaces_all => others(&rows, name, earlier),
            _ => Vec::new(),
        };
        let lack_lines = rows
            .iter()
            .filter(|row| row.name != *name && row.lacks_lines());
        let are_as_united = others == united.map_or(&[][..], |united| &united.others);
        // The lines of several parts may expire while they are united.
        let have_lines = united.is_none_or(|united| united.union.is_none() || others.len() == 1)
            || lack_lines.count() == 0;
        let is_taken = match earlier {
            Some(_) if !replaces_all => has_measured(&rows, name),
            _ => false,
        };
        if !are_as_united || !have_lines || (is_taken && new.part.must_be_new) {
            return Err(StoreError::PartsChanged);
        }
        let early = match earlier {
            Some(_) => EarlySkips::default(),
            None => {
                let key = RecordKey {
                    repository,
                    ..new.stated.key()
                };
                parts::take_early_skips(connection, key).await?
            }
        };
        let mut skipped = early.skipped;
        completion.expected.extend(early.expected.names());
        completion.only_here.extend(early.only_here.names());
        skipped.extend(
            announced
                .skipped
                .iter()
                .map(|(part, reason)| (part.clone(), reason.clone(), at)),
        );
        let is_part = name.is_named()
            || !announced.is_empty()
            || !skipped.is_empty()
            || completion != Completion::default()
            || rows.iter().any(|row| row.name.is_named());
        let carries = new.union().is_some_and(|union| !union.carried.is_empty());
        let has_rows = is_part || carries || !rows.is_empty() || new.line_states.is_none();
        let mut replaced_reports = Vec::new();
        match earlier {
            Some(earlier) if has_rows => {
                if rows.is_empty() {
                    parts::unfold(connection, earlier.id).await?;
                    rows = parts::of_record(connection, earlier.id).await?;
                }
                let gone = if replaces_all {
                    rows.clone()
                } else {
                    replaced_rows(&rows, name, united)
                };
                replaced_reports =
                    parts::release_reports(connection, earlier.id, &gone, at).await?;
                parts::remove(connection, earlier.id, &gone).await?;
                rows.retain(|row| gone.iter().all(|gone| gone.name != row.name));
            }
            Some(earlier) => {
                replaced_reports.extend(earlier.report().map(|(_, key)| key.to_owned()));
            }
            None => {}
        }
        let mut arrived: PartSet = rows.iter().map(|row| row.name.clone()).collect();
        arrived.extend([name]);
        arrived.extend(skipped.iter().map(|(part, ..)| part));
        completion.elsewhere =
            parts::elsewhere(connection, series, &new.stated.commit, trust).await?;
        let missing = completion.announce(announced, &arrived, at)?;
        completion.is_unconfirmed = trust != Trust::Confirmed;
        let claim = trust.claim(right, missing, is_part);
        Ok(Self {
            has_rows,
            skipped,
            completion,
            claim,
            replaces_all,
            replaced_reports,
        })
    }
}

/// The other measured parts of a record. A record without rows has the unnamed part.
fn others(rows: &[PartRow], name: &PartName, earlier: &Earlier) -> Vec<(PartName, Timestamp)> {
    if rows.is_empty() && name.is_named() {
        return vec![(PartName::default(), earlier.updated_at)];
    }
    parts::measured(rows, Some(name))
}

/// Whether a record has measured a part. A record without rows has the unnamed part.
fn has_measured(rows: &[PartRow], name: &PartName) -> bool {
    let mut measured = rows.iter().filter(|row| row.is_measured());
    match rows.is_empty() {
        true => !name.is_named(),
        false => measured.any(|row| row.name == *name),
    }
}

/// The rows that an upload replaces: its own row, and all measured rows if their lines have expired.
fn replaced_rows(rows: &[PartRow], name: &PartName, united: Option<&United>) -> Vec<PartRow> {
    let replaces_all = united.is_some_and(|united| united.union.is_none());
    let rows = rows.iter();
    rows.filter(|row| row.name == *name || (replaces_all && row.is_measured()))
        .cloned()
        .collect()
}
