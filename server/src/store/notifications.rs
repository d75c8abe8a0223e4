//! Notifications: which uploads they were not looked for yet, what happened, and what each webhook still has to get.

mod deliveries;
mod facts;
#[cfg(test)]
mod tests;

pub use deliveries::Delivery;
pub use facts::SilentRepository;
#[cfg(test)]
pub(super) use {deliveries::DUE, facts::SILENT};

use super::{
    Store, StoreError,
    time::now,
    write::{begin, settle},
};
use crate::text::hexadecimal;
use sqlx::AnyConnection;

/// The most records that are looked at in one round.
const PAGE: i64 = 100;

/// What happened, for some webhooks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewNotification {
    /// What happened to what. A second notification with the same subject is not stored.
    pub subject: String,
    /// What receivers get, as JSON.
    pub body: String,
    /// The keys of the webhooks.
    pub webhooks: Vec<String>,
}

/// A record that notifications are to be looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Unnotified {
    /// The record.
    pub record_id: i64,
    /// The time of its last upload or verdict, in microseconds since 1970.
    pub noted_at: i64,
}

const NOTE: &str = "
    insert into unnotified_records (record_id, noted_at)
    select r.id, cast($2 as bigint) from records r where r.id = $1
    on conflict (record_id) do update set noted_at = excluded.noted_at";

/// Records that wait for parts are looked at when they no longer do.
const UNNOTIFIED: &str = "
    select u.record_id, u.noted_at from unnotified_records u
    left join record_completions c on c.record_id = u.record_id
    where u.noted_at between $1 and $2 and c.waits_until is null
    order by u.noted_at limit $3";

const LOOKED_AT: &str = "delete from unnotified_records where record_id = $1 and noted_at = $2";

const CLAIM: &str = "
    update unnotified_records set noted_at = $3 where record_id = $1 and noted_at = $2";

const ADD: &str = "
    insert into notifications (subject, public_id, body, created_at) values ($1, $2, $3, $4)
    on conflict (subject) do nothing
    returning id";

const ADD_DELIVERY: &str = "
    insert into notification_deliveries (notification_id, webhook, due_at) values ($1, $2, $3)
    on conflict (notification_id, webhook) do nothing";

/// Stores that notifications are to be looked for about a record, if it still exists.
pub(super) async fn note(connection: &mut AnyConnection, record_id: i64) -> Result<(), StoreError> {
    sqlx::query(NOTE)
        .bind(record_id)
        .bind(now().0)
        .execute(connection)
        .await?;
    Ok(())
}

impl Store {
    /// Returns records that notifications are to be looked for, since uploads or verdicts between two times in microseconds since 1970.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn unnotified(&self, from: i64, until: i64) -> Result<Vec<Unnotified>, StoreError> {
        Ok(sqlx::query_as(UNNOTIFIED)
            .bind(from)
            .bind(until)
            .bind(PAGE)
            .fetch_all(&self.readers)
            .await?)
    }

    /// Takes a record to look for notifications about it. Until a time in microseconds since 1970 no other instance does. None if
    /// another one has taken it, or if it was noted again.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn claim_unnotified(
        &self,
        noted: Unnotified,
        until: i64,
    ) -> Result<Option<Unnotified>, StoreError> {
        let mut connection = self.writer.acquire().await?;
        let claimed = sqlx::query(CLAIM)
            .bind(noted.record_id)
            .bind(noted.noted_at)
            .bind(until)
            .execute(&mut *connection)
            .await;
        let claimed = settle(connection, claimed.map_err(StoreError::from)).await?;
        Ok((claimed.rows_affected() > 0).then_some(Unnotified {
            noted_at: until,
            ..noted
        }))
    }

    /// Stores notifications, and that no others are to be looked for about a record. A later upload of it stays noted.
    ///
    /// # Errors
    ///
    /// When the database fails. Nothing is stored then.
    pub async fn notify(
        &self,
        looked_at: Option<Unnotified>,
        notifications: &[NewNotification],
    ) -> Result<(), StoreError> {
        let mut connection = self.writer.acquire().await?;
        let stored = store(&mut connection, looked_at, notifications).await;
        settle(connection, stored).await
    }
}

async fn store(
    connection: &mut AnyConnection,
    looked_at: Option<Unnotified>,
    notifications: &[NewNotification],
) -> Result<(), StoreError> {
    let mut transaction = begin(connection).await?;
    let at = now().0;
    for new in notifications {
        let id: Option<i64> = sqlx::query_scalar(ADD)
            .bind(new.subject.as_str())
            .bind(hexadecimal(&rand::random::<[u8; 16]>()))
            .bind(new.body.as_str())
            .bind(at)
            .fetch_optional(&mut *transaction)
            .await?;
        let Some(id) = id else { continue };
        for webhook in &new.webhooks {
            sqlx::query(ADD_DELIVERY)
                .bind(id)
                .bind(webhook.as_str())
                .bind(at)
                .execute(&mut *transaction)
                .await?;
        }
    }
    if let Some(looked_at) = looked_at {
        sqlx::query(LOOKED_AT)
            .bind(looked_at.record_id)
            .bind(looked_at.noted_at)
            .execute(&mut *transaction)
            .await?;
    }
    transaction.commit().await?;
    Ok(())
}
