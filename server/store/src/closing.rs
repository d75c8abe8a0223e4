//! Changes which parts a record waits for without new coverage: finish, a skipped part, the timeout, a deleted or dropped part.

mod delete_part;
mod due;
mod landed;
mod languages;
mod reunite;
#[cfg(test)]
mod tests;

pub use delete_part::{DeletedPart, Remaining};
pub use due::TimedOut;
pub use landed::QueuedCommit;
pub(super) use landed::land;
pub(super) use languages::{Said, complete_others};
#[cfg(test)]
pub(super) use {languages::WAITING, reunite::CARRYING};

use super::{
    Announced, ForgeClaim, MainRight, NewChange, RecordKey, RecordSettings, StoreError, Writer,
    changes,
    counts::{self, Counts},
    forge_of_repository, gates,
    holding::{self, Moment},
    main_records,
    parts::{Completion, elsewhere, of_record, remember_skip, skip, unfold},
    standing::{
        Claim, Earlier, Published, Series, Standing, Trust, branch_id, count_confirmed, decide,
        earlier_upload, is_last, move_to,
    },
    time::next_moment,
    views,
};
use domain::{BranchName, CommitHash, Language, PartSet, Repository, Timestamp};
use sqlx::AnyConnection;

/// What an upload states about its commit, with or without a coverage file.
#[derive(Clone, Debug)]
pub struct Stated {
    /// The repository.
    pub repository: Repository,
    /// The branch.
    pub branch: BranchName,
    /// The commit.
    pub commit: CommitHash,
    /// The language.
    pub language: Language,
    /// The statement about the parts of the commit.
    pub announced: Announced,
    /// The statement about the change of the commit.
    pub change: NewChange,
    /// The settings in the upload.
    pub settings: Option<RecordSettings>,
    /// The packed CODEOWNERS file in the upload.
    pub owners: Option<Vec<u8>>,
    /// The forge that authorized the upload, if one did.
    pub forge_claim: Option<ForgeClaim>,
    /// Whether the upload may change what the main branch shows.
    pub main_right: MainRight,
}

/// The result of closing a record.
#[derive(Clone, Debug)]
pub enum Closed {
    /// The record, with unchanged numbers.
    Record(Box<Published>),
    /// The skipped part is stored until the first part of the commit arrives. Contains the records of the commit in other
    /// languages that waited for this part alone.
    Remembered(Vec<i64>),
    /// There is no record to close.
    NoRecord,
}

impl Writer<'_> {
    /// Stores that no further part of a commit will come, or that one named part will not.
    ///
    /// # Errors
    ///
    /// [`StoreError::OtherForge`], [`StoreError::OtherIdentity`], [`StoreError::TooManyParts`]. After an error, nothing has
    /// changed.
    pub async fn close_record(self, closing: &Stated) -> Result<Closed, StoreError> {
        let mut transaction = self.store.begin().await?;
        let moment = Moment::After(next_moment());
        let held = holding::hold(&mut transaction, &closing.repository, moment).await?;
        let branch_id = match &held {
            Some(held) => {
                forge_of_repository::claim(&mut transaction, held.id, closing.forge_claim.as_ref())
                    .await?;
                branch_id(&mut transaction, held.id, &closing.branch).await?
            }
            None => None,
        };
        let series = branch_id.map(|branch_id| Series {
            branch_id,
            language: closing.language.as_str(),
        });
        let earlier = match series {
            Some(series) => earlier_upload(&mut transaction, series, &closing.commit).await?,
            None => None,
        };
        let is_granted = closing.main_right == MainRight::Granted;
        let (Some(held), Some(series), Some(earlier)) = (&held, series, earlier) else {
            // An upload without the right could decide about a commit that will be in the main branch.
            let Some((part, reason)) = closing.announced.skipped.as_ref().filter(|_| is_granted)
            else {
                return transaction.unchanged(Closed::NoRecord).await;
            };
            let skipped = (part, reason.as_str());
            remember_skip(&mut transaction, closing.key(), skipped, &closing.announced).await?;
            let mut completed = Vec::new();
            if let (Some(held), Some(series)) = (&held, series) {
                let said = Said {
                    is_finished: false,
                    trust: Trust::Confirmed,
                    at: held.last_upload_at,
                };
                let commit = &closing.commit;
                completed =
                    complete_others(&mut transaction, held.id, series, commit, said).await?;
            }
            transaction.commit().await?;
            return Ok(Closed::Remembered(completed));
        };
        let right = &closing.main_right;
        let asked = (closing.key(), right);
        let trust =
            Trust::of_upload(&mut transaction, held.id, series, asked, Some(&earlier)).await?;
        let mut completion = Completion::of_record(&mut transaction, earlier.id).await?;
        let of_record_before = completion.trust_of(&earlier);
        if trust.leaves(of_record_before) {
            let record = earlier.record(closing.key(), held.repository.clone());
            let kept = Published::unchanged(record, Standing::Kept(right.reason()));
            return transaction.unchanged(Closed::Record(Box::new(kept))).await;
        }
        // Nothing has proved that the numbers of the record belong to the branch.
        if trust.replaces(of_record_before, right) {
            return transaction.unchanged(Closed::NoRecord).await;
        }
        let at = held.last_upload_at;
        if of_record(&mut transaction, earlier.id).await?.is_empty() {
            unfold(&mut transaction, earlier.id).await?;
        }
        if let Some((part, reason)) = &closing.announced.skipped {
            skip(&mut transaction, earlier.id, part, reason, at).await?;
        }
        let rows = of_record(&mut transaction, earlier.id).await?;
        let arrived: PartSet = rows.iter().map(|row| row.name.clone()).collect();
        completion.elsewhere = elsewhere(&mut transaction, series, &closing.commit, trust).await?;
        let missing = completion.announce(&closing.announced, &arrived, at)?;
        completion.is_unconfirmed = trust != Trust::Confirmed;
        completion.store(&mut transaction, earlier.id, at).await?;
        let claim = trust.claim(right, missing, true);
        changes::store(&mut transaction, earlier.id, &closing.change).await?;
        gates::store_settings(&mut transaction, earlier.id, closing.settings.as_ref()).await?;
        views::store_owners(&mut transaction, earlier.id, closing.owners.as_deref()).await?;
        let put = put(&mut transaction, held.id, series, &earlier, claim, at);
        let (standing, updated_at) = put.await?;
        let said = Said {
            is_finished: closing.announced.is_finished,
            trust,
            at,
        };
        let commit = &closing.commit;
        let completed = complete_others(&mut transaction, held.id, series, commit, said).await?;
        transaction.commit().await?;
        let mut record = earlier.record(closing.key(), held.repository.clone());
        record.updated_at = updated_at;
        Ok(Closed::Record(Box::new(Published {
            completed,
            ..Published::unchanged(record, standing)
        })))
    }
}

/// Moves a record with unchanged numbers as its claim decides, and updates all counts and summaries.
pub(super) async fn put(
    connection: &mut AnyConnection,
    repository_id: i64,
    series: Series<'_>,
    earlier: &Earlier,
    claim: Claim,
    at: Timestamp,
) -> Result<(Standing, Timestamp), StoreError> {
    let mut decision = decide(connection, series, Some(earlier), claim, at).await?;
    // The trend shows the time of the measurement.
    if decision.standing == Standing::Current && is_last(connection, series, earlier).await? {
        decision.updated_at = earlier.updated_at;
    }
    move_to(connection, earlier.id, &decision).await?;
    let added = Counts {
        records: 0,
        current: decision.current,
    };
    counts::add(connection, repository_id, added).await?;
    count_confirmed(connection, series.branch_id, decision.confirmed).await?;
    let changed = series.changed(Some(earlier), decision.updated_at);
    main_records::refresh_changed(connection, repository_id, Some(changed)).await?;
    Ok((decision.standing, decision.updated_at))
}

impl Stated {
    /// The names of the record.
    pub fn key(&self) -> RecordKey<'_> {
        RecordKey {
            repository: &self.repository,
            branch: &self.branch,
            language: &self.language,
            commit: &self.commit,
        }
    }
}
