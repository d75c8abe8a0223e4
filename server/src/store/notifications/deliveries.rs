//! What each webhook still has to get. Instances lease a delivery before they send it, so that only one sends it.

use crate::store::{Store, StoreError, time::now, write::settle};
use sqlx::FromRow;

/// How long an instance may take to send, in microseconds: longer than a call may take.
const LEASE: i64 = 120_000_000;

/// A notification that a webhook has to get now.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct Delivery {
    /// The id of the notification.
    #[sqlx(rename = "notification_id")]
    pub id: i64,
    /// What receivers get, as JSON.
    pub body: String,
    /// The number of attempts before this one.
    pub attempts: i64,
    /// When it was created, in microseconds since 1970.
    pub created_at: i64,
}

pub(in crate::store) const DUE: &str = "
    select d.notification_id from notification_deliveries d
    where d.webhook = $1 and d.due_at <= $2 and d.leased_until <= $2
    order by d.due_at limit 1";

const LEASED: &str = "
    update notification_deliveries set leased_until = $3
    where notification_id = $4 and webhook = $1 and due_at <= $2 and leased_until <= $2
    returning notification_id, attempts,
        (select n.body from notifications n where n.id = notification_id) as body,
        (select n.created_at from notifications n where n.id = notification_id) as created_at";

const DELIVERED: &str = "
    update notification_deliveries
    set attempts = attempts + 1, due_at = null, leased_until = 0, delivered_at = $3
    where notification_id = $1 and webhook = $2";

const FAILED: &str = "
    update notification_deliveries set attempts = attempts + 1, due_at = $3, leased_until = 0
    where notification_id = $1 and webhook = $2";

const FORGET: &str = "delete from notifications where created_at < $1";

impl Store {
    /// Takes the next notification that a webhook has to get now; none if there is none, or other instances send it.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn take_delivery(&self, webhook: &str) -> Result<Option<Delivery>, StoreError> {
        let now = now().0;
        let due: Option<i64> = sqlx::query_scalar(DUE)
            .bind(webhook)
            .bind(now)
            .fetch_optional(&self.readers)
            .await?;
        let Some(due) = due else { return Ok(None) };
        let mut connection = self.writer.acquire().await?;
        let leased = sqlx::query_as(LEASED)
            .bind(webhook)
            .bind(now)
            .bind(now + LEASE)
            .bind(due)
            .fetch_optional(&mut *connection)
            .await;
        settle(connection, leased.map_err(StoreError::from)).await
    }

    /// Stores that a webhook has got a notification.
    ///
    /// # Errors
    ///
    /// When the database fails. It is then sent again later.
    pub async fn delivered(&self, id: i64, webhook: &str) -> Result<(), StoreError> {
        self.end_attempt(DELIVERED, id, webhook, Some(now().0))
            .await
    }

    /// Stores that a webhook has not got a notification, and when to try again, in microseconds since 1970; none to give up.
    ///
    /// # Errors
    ///
    /// When the database fails. It is then sent again when the lease ends.
    pub async fn not_delivered(
        &self,
        id: i64,
        webhook: &str,
        again_at: Option<i64>,
    ) -> Result<(), StoreError> {
        self.end_attempt(FAILED, id, webhook, again_at).await
    }

    /// Forgets notifications that were created before a time in microseconds since 1970.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn forget_notifications(&self, before: i64) -> Result<(), StoreError> {
        let mut connection = self.writer.acquire().await?;
        let forgotten = sqlx::query(FORGET)
            .bind(before)
            .execute(&mut *connection)
            .await;
        settle(connection, forgotten.map(drop).map_err(StoreError::from)).await
    }

    async fn end_attempt(
        &self,
        statement: &'static str,
        id: i64,
        webhook: &str,
        at: Option<i64>,
    ) -> Result<(), StoreError> {
        let mut connection = self.writer.acquire().await?;
        let ended = sqlx::query(statement)
            .bind(id)
            .bind(webhook)
            .bind(at)
            .execute(&mut *connection)
            .await;
        settle(connection, ended.map(drop).map_err(StoreError::from)).await
    }
}
