//! The ledger of uploads: a row for every attempt, the newest so many of them.

pub(super) mod arrivals;
pub(super) mod page;

use super::{
    Store, StoreError,
    text::storable,
    tokens,
    write::{begin, settle},
};
use domain::Timestamp;
use sqlx::{AnyConnection, FromRow};
use std::collections::BTreeMap;

/// One attempt to upload, whatever became of it.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct LedgerEntry {
    /// When its request came.
    #[sqlx(try_from = "i64")]
    pub received_at: Timestamp,
    /// How long it took until it was answered.
    pub milliseconds: i64,
    /// The request's id, which the log lines carry too.
    pub request_id: String,
    /// What the client called its org.
    pub org_name: Option<String>,
    /// What the client called its repository.
    pub repo_name: Option<String>,
    /// What the client called its branch.
    pub branch_name: Option<String>,
    /// What the client called its commit.
    pub commit_hash: Option<String>,
    /// What the client called its language.
    pub language: Option<String>,
    /// The name of the token that was accepted.
    pub token_name: Option<String>,
    /// The id of that token, where it is one of ours: its last use is noted together with the row.
    #[sqlx(skip)]
    pub token_id: Option<i64>,
    /// The answer's HTTP status.
    pub status: i64,
    /// `created`, `replaced`, `kept`, or the code of the refusal.
    pub code: String,
    /// The sentence that the client was told.
    pub detail: String,
    /// The record, where there is one now.
    pub record_id: Option<i64>,
    /// The format of the coverage report.
    pub report_format: Option<String>,
    /// Files in the archive.
    pub files: Option<i64>,
    /// Bytes of the request's body, as far as it was read.
    pub bytes: i64,
}

/// How many rows are kept.
#[derive(Clone, Copy, Debug)]
pub struct LedgerLimit(pub u32);

impl LedgerLimit {
    /// Of attempts without a good token only a tenth as many are kept: anybody can make them.
    fn of_strangers(self) -> u32 {
        self.0 / 10
    }
}

/// A record that was deleted before its row came is not named.
const INSERT: &str = "
    insert into uploads (
        received_at, milliseconds, request_id, org_name, repo_name, branch_name, commit_hash, language, token_name,
        status, code, detail, record_id, report_format, files, bytes
    ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, (select r.id from records r where r.id = $13), $14, $15, $16)";

impl Store {
    /// Adds rows, all in one transaction, in their order.
    ///
    /// # Errors
    ///
    /// When the database fails; none is added then.
    pub async fn add_to_ledger(&self, entries: &[LedgerEntry]) -> Result<(), StoreError> {
        let mut connection = self.writer.acquire().await?;
        let added = add(&mut connection, entries).await;
        settle(connection, added).await
    }

    /// Removes the oldest rows beyond `limit`.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn trim_ledger(&self, limit: LedgerLimit) -> Result<(), StoreError> {
        const OF_KNOWN: &str = "
            delete from uploads where token_name is not null and id <= (
                select id from uploads where token_name is not null order by id desc limit 1 offset $1)";
        const OF_STRANGERS: &str = "
            delete from uploads where token_name is null and id <= (
                select id from uploads where token_name is null order by id desc limit 1 offset $1)";
        for (delete, kept) in [(OF_KNOWN, limit.0), (OF_STRANGERS, limit.of_strangers())] {
            sqlx::query(delete)
                .bind(i64::from(kept))
                .execute(&self.writer)
                .await?;
        }
        Ok(())
    }

    /// The newest `count` rows, the newest first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn ledger(&self, count: u32) -> Result<Vec<LedgerEntry>, StoreError> {
        const NEWEST: &str = "
            select received_at, milliseconds, request_id, org_name, repo_name, branch_name, commit_hash, language,
                token_name, status, code, detail, record_id, report_format, files, bytes
            from uploads order by id desc limit $1";
        Ok(sqlx::query_as(NEWEST)
            .bind(i64::from(count))
            .fetch_all(&self.readers)
            .await?)
    }
}

async fn add(connection: &mut AnyConnection, entries: &[LedgerEntry]) -> Result<(), StoreError> {
    let mut transaction = begin(connection).await?;
    let mut used = BTreeMap::new();
    for entry in entries {
        insert(&mut transaction, entry).await?;
        if let Some(token) = entry.token_id {
            used.insert(token, entry.received_at.0);
        }
    }
    // In the order of their ids: two services that note the same tokens in different orders would wait for each other.
    for (token, at) in used {
        sqlx::query(tokens::USED)
            .bind(at)
            .bind(token)
            .execute(&mut *transaction)
            .await?;
    }
    Ok(transaction.commit().await?)
}

async fn insert(connection: &mut AnyConnection, entry: &LedgerEntry) -> Result<(), StoreError> {
    sqlx::query(INSERT)
        .bind(entry.received_at.0)
        .bind(entry.milliseconds)
        .bind(storable(&entry.request_id))
        .bind(entry.org_name.as_deref().map(storable))
        .bind(entry.repo_name.as_deref().map(storable))
        .bind(entry.branch_name.as_deref().map(storable))
        .bind(entry.commit_hash.as_deref().map(storable))
        .bind(entry.language.as_deref().map(storable))
        .bind(entry.token_name.as_deref().map(storable))
        .bind(entry.status)
        .bind(entry.code.as_str())
        .bind(storable(&entry.detail))
        .bind(entry.record_id)
        .bind(entry.report_format.as_deref())
        .bind(entry.files)
        .bind(entry.bytes)
        .execute(&mut *connection)
        .await?;
    Ok(())
}
