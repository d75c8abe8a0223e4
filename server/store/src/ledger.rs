//! The ledger: a row for every upload attempt, up to a maximum; the newest rows are kept.

pub(super) mod arrivals;
pub(super) mod page;

use super::{StoreError, Writer, run::Run, text::storable, tokens};
use domain::Timestamp;
use sqlx::{AnyConnection, FromRow};
use std::collections::BTreeMap;

/// One upload attempt, successful or not.
#[derive(Clone, Debug, Default, FromRow, PartialEq, Eq)]
pub struct LedgerEntry {
    /// The time when the request arrived.
    pub received_at: Timestamp,
    /// The time until the response, in milliseconds.
    pub milliseconds: i64,
    /// The request's id, which is also in the log lines.
    pub request_id: String,
    /// The org name that the client sent.
    pub org_name: Option<String>,
    /// The repository name that the client sent.
    pub repo_name: Option<String>,
    /// The branch name that the client sent.
    pub branch_name: Option<String>,
    /// The commit that the client sent.
    pub commit_hash: Option<String>,
    /// The language that the client sent.
    pub language: Option<String>,
    /// The part that the client sent.
    pub part: Option<String>,
    /// The name of the token that was accepted.
    pub token_name: Option<String>,
    /// The id of the token, if it is a token of this service: its last use is stored together with the row.
    #[sqlx(skip)]
    pub token_id: Option<i64>,
    /// The response's HTTP status.
    pub status: i64,
    /// `created`, `replaced`, `kept`, or the error code.
    pub code: String,
    /// The sentence in the response.
    pub detail: String,
    /// The record, if there is one now.
    pub record_id: Option<i64>,
    /// The format of the coverage file.
    pub report_format: Option<String>,
    /// The number of files in the archive.
    pub files: Option<i64>,
    /// The number of bytes read of the request's body.
    pub bytes: i64,
    /// The page of the CI run that uploaded.
    pub run_url: Option<String>,
    /// The client of another service that uploaded, such as `codecov-cli 11.3.1`.
    pub client: Option<String>,
}

/// The maximum number of rows.
#[derive(Clone, Copy, Debug)]
pub struct LedgerLimit(pub u32);

impl LedgerLimit {
    /// The maximum number of attempts without an accepted token, a tenth of the limit: anyone can make such attempts.
    fn of_strangers(self) -> u32 {
        self.0 / 10
    }
}

/// The record may have been deleted before its row is written; then the row has no record.
const INSERT: &str = "
    insert into uploads (
        received_at, milliseconds, request_id, org_name, repo_name, branch_name, commit_hash, language, token_name,
        status, code, detail, record_id, report_format, files, bytes, run_url, client, part
    ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, (select r.id from records r where r.id = $13), $14, $15, $16, $17, $18, $19)";

impl Writer<'_> {
    /// Adds rows in their order, in one transaction.
    ///
    /// # Errors
    ///
    /// If the database fails. No row is added then.
    pub async fn add_to_ledger(self, entries: &[LedgerEntry]) -> Result<(), StoreError> {
        let mut transaction = self.store.begin().await?;
        let mut used = BTreeMap::new();
        for entry in entries {
            insert(&mut transaction, entry).await?;
            if let Some(token) = entry.token_id {
                used.insert(token, entry.received_at.0);
            }
        }
        // In the order of their ids: two services that update the same tokens in different orders would deadlock.
        for (token, at) in used {
            transaction.run(tokens::USED, (at, token)).await?;
        }
        transaction.commit().await
    }

    /// Removes the oldest rows beyond `limit`.
    pub async fn trim_ledger(self, limit: LedgerLimit) -> Result<(), StoreError> {
        const OF_KNOWN: &str = "
            delete from uploads where token_name is not null and id <= (
                select id from uploads where token_name is not null order by id desc limit 1 offset $1)";
        const OF_STRANGERS: &str = "
            delete from uploads where token_name is null and id <= (
                select id from uploads where token_name is null order by id desc limit 1 offset $1)";
        for (delete, kept) in [(OF_KNOWN, limit.0), (OF_STRANGERS, limit.of_strangers())] {
            self.store
                .write(|pool| pool.run(delete, [i64::from(kept)]))
                .await?;
        }
        Ok(())
    }

    /// Returns the newest `count` rows, newest first.
    pub async fn ledger(self, count: u32) -> Result<Vec<LedgerEntry>, StoreError> {
        const NEWEST: &str = "
            select received_at, milliseconds, request_id, org_name, repo_name, branch_name, commit_hash, language,
                part, token_name, status, code, detail, record_id, report_format, files, bytes, run_url, client
            from uploads order by id desc limit $1";
        self.store.all(NEWEST, [i64::from(count)]).await
    }
}

async fn insert(connection: &mut AnyConnection, entry: &LedgerEntry) -> Result<(), StoreError> {
    let values = (
        entry.received_at,
        entry.milliseconds,
        storable(&entry.request_id),
        entry.org_name.as_deref().map(storable),
        entry.repo_name.as_deref().map(storable),
        entry.branch_name.as_deref().map(storable),
        entry.commit_hash.as_deref().map(storable),
        entry.language.as_deref().map(storable),
        entry.token_name.as_deref().map(storable),
        entry.status,
        &entry.code,
        storable(&entry.detail),
        entry.record_id,
        entry.report_format.as_deref(),
        entry.files,
        entry.bytes,
        entry.run_url.as_deref(),
        entry.client.as_deref().map(storable),
        entry.part.as_deref().map(storable),
    );
    connection.run(INSERT, values).await
}
