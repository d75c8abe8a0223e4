//! Uploads without a coverage file: no further part will come, or one part will not.

use super::{
    Announced, CommitKey, Completion, early,
    rows::{of_record, unfold},
};
use crate::store::{
    ForgeClaim, MainRight, Published, Record, Standing, Store, StoreError,
    counts::{self, Counts},
    main_records,
    names::{self, Held, Moment},
    ownership,
    publish::{Claim, Earlier, Series, count_confirmed, earlier_upload, move_to, place, withheld},
    time::next_moment,
    write::{begin, settle},
};
use domain::{BranchName, CommitHash, Language, PartSet, Repository};
use sqlx::AnyConnection;

/// What an upload without a coverage file says.
#[derive(Clone, Debug)]
pub struct Closing {
    /// The repository.
    pub repository: Repository,
    /// The branch.
    pub branch: BranchName,
    /// The commit.
    pub commit: CommitHash,
    /// The language.
    pub language: Language,
    /// What it says about the parts of the commit.
    pub announced: Announced,
    /// The forge that authorized the upload, if one did.
    pub forge_claim: Option<ForgeClaim>,
    /// Whether it may change what the main branch shows.
    pub main_right: MainRight,
}

/// What became of it.
#[derive(Clone, Debug)]
pub enum Closed {
    /// The record, whose numbers stay.
    Record(Box<Published>),
    /// The skipped part is remembered until the first part of the commit arrives.
    Remembered,
    /// There is no record to close.
    NoRecord,
}

impl Store {
    /// Stores that no further part of a commit will come, or that one will not.
    ///
    /// # Errors
    ///
    /// [`StoreError::OtherForge`], [`StoreError::OtherIdentity`], [`StoreError::TooManyParts`], or when the database fails.
    /// Nothing has changed then.
    pub async fn close_record(&self, closing: &Closing) -> Result<Closed, StoreError> {
        let mut connection = self.writer.acquire().await?;
        let closed = close(&mut connection, closing).await;
        settle(connection, closed).await
    }
}

async fn close(connection: &mut AnyConnection, closing: &Closing) -> Result<Closed, StoreError> {
    let mut transaction = begin(connection).await?;
    let moment = Moment::After(next_moment());
    let held = names::hold(&mut transaction, &closing.repository, moment).await?;
    let found = match &held {
        Some(held) => find(&mut transaction, closing, held).await?,
        None => None,
    };
    let (Some(held), Some((branch_id, earlier))) = (held, found) else {
        let Some((part, reason)) = &closing.announced.skipped else {
            return Ok(Closed::NoRecord);
        };
        early::remember_skip(&mut transaction, closing.key(), part, reason).await?;
        transaction.commit().await?;
        return Ok(Closed::Remembered);
    };
    let asked = (&closing.branch, &closing.main_right);
    let withheld = withheld(&mut transaction, held.id, asked, Some(&earlier)).await?;
    let at = held.last_upload_at;
    let standing = match withheld {
        Some(reason) if earlier.is_confirmed() => {
            transaction.rollback().await?;
            let record = closing.record(&earlier, held.repository);
            return Ok(Closed::published(record, Standing::Kept(reason)));
        }
        withheld => {
            if of_record(&mut transaction, earlier.id).await?.is_empty() {
                unfold(&mut transaction, earlier.id).await?;
            }
            if let Some((part, reason)) = &closing.announced.skipped {
                early::skip(&mut transaction, earlier.id, part, reason, at).await?;
            }
            let rows = of_record(&mut transaction, earlier.id).await?;
            let arrived: PartSet = rows.iter().map(|row| row.name.clone()).collect();
            let mut completion = Completion::of_record(&mut transaction, earlier.id).await?;
            let missing = completion.announce(&closing.announced, &arrived, at)?;
            completion.is_withheld = withheld.is_some();
            completion.store(&mut transaction, earlier.id, at).await?;
            let claim = match withheld {
                Some(reason) => Claim::Unconfirmed(reason),
                None if !missing.is_empty() => Claim::Incomplete(missing),
                None => Claim::Complete { is_part: true },
            };
            let series = Series {
                branch_id,
                language: closing.language.as_str(),
            };
            put(&mut transaction, held.id, series, &earlier, claim, at).await?
        }
    };
    transaction.commit().await?;
    let record = closing.record(&earlier, held.repository);
    Ok(Closed::published(record, standing))
}

/// Moves a record whose numbers stay to the place that it claims, with all that follows from it.
pub(super) async fn put(
    connection: &mut AnyConnection,
    repository_id: i64,
    series: Series<'_>,
    earlier: &Earlier,
    claim: Claim,
    at: domain::Timestamp,
) -> Result<Standing, StoreError> {
    let place = place(connection, series, Some(earlier), claim, at).await?;
    move_to(connection, earlier.id, &place).await?;
    let added = Counts {
        records: 0,
        current: place.current,
    };
    counts::add(connection, repository_id, added).await?;
    count_confirmed(connection, series.branch_id, place.confirmed).await?;
    main_records::refresh(connection, repository_id).await?;
    Ok(place.standing)
}

/// Finds the record of the commit.
async fn find(
    connection: &mut AnyConnection,
    closing: &Closing,
    held: &Held,
) -> Result<Option<(i64, Earlier)>, StoreError> {
    const BRANCH: &str = "select id from branches where repository_id = $1 and name = $2";
    ownership::claim(connection, held.id, closing.forge_claim.as_ref()).await?;
    let branch_id: Option<i64> = sqlx::query_scalar(BRANCH)
        .bind(held.id)
        .bind(closing.branch.as_str())
        .fetch_optional(&mut *connection)
        .await?;
    let Some(branch_id) = branch_id else {
        return Ok(None);
    };
    let series = Series {
        branch_id,
        language: closing.language.as_str(),
    };
    let earlier = earlier_upload(connection, series, &closing.commit).await?;
    Ok(earlier.map(|earlier| (branch_id, earlier)))
}

impl Closing {
    fn key(&self) -> CommitKey<'_> {
        CommitKey {
            repository: &self.repository,
            branch: &self.branch,
            language: &self.language,
            commit: &self.commit,
        }
    }

    fn record(&self, earlier: &Earlier, repository: Repository) -> Record {
        Record {
            id: earlier.id,
            repository,
            branch: self.branch.clone(),
            commit: self.commit.clone(),
            author: earlier.author.clone(),
            language: self.language.clone(),
            percentage: earlier.percentage,
            created_at: earlier.created_at,
            updated_at: earlier.updated_at,
        }
    }
}

impl Closed {
    fn published(record: Record, standing: Standing) -> Self {
        Self::Record(Box::new(Published {
            record,
            is_new: false,
            standing,
            replaced_reports: Vec::new(),
            crowded_out: Vec::new(),
        }))
    }
}
