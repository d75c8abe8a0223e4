//! What each webhook still has to get. Instances lease a delivery before they send it, so that only one sends it.

use crate::{StoreError, Writer, time::now, write::settle};
use sqlx::FromRow;

/// How long an instance may take to send, in microseconds: longer than a call may take.
const LEASE: i64 = 120_000_000;

/// A notification that a webhook has to get now.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct Delivery {
    /// The id of the notification.
    #[sqlx(rename = "notification_id")]
    pub id: i64,
    /// By which receivers recognise repetitions.
    pub public_id: String,
    /// What receivers get, as JSON.
    pub body: String,
    /// The number of attempts before this one.
    pub attempts: i64,
    /// When it was created, in microseconds since 1970.
    pub created_at: i64,
    leased_until: i64,
}

/// The oldest one about each repository.
pub(crate) const DUE: &str = "
    select min(d.notification_id) from notification_deliveries d
    join notifications n on n.id = d.notification_id
    where d.webhook = $1 and d.due_at <= $2 and d.leased_until <= $2
    group by n.repository order by min(d.due_at), min(d.notification_id) limit 1000";

const LEASED: &str = "
    update notification_deliveries set leased_until = $3
    where notification_id = $4 and webhook = $1 and due_at <= $2 and leased_until <= $2
    returning notification_id, attempts, leased_until,
        (select n.public_id from notifications n where n.id = notification_id) as public_id,
        (select n.body from notifications n where n.id = notification_id) as body,
        (select n.created_at from notifications n where n.id = notification_id) as created_at";

/// Also if the lease has ended meanwhile: the webhook has it.
const DELIVERED: &str = "
    update notification_deliveries
    set attempts = attempts + 1, due_at = null, leased_until = 0, delivered_at = $3
    where notification_id = $1 and webhook = $2 and delivered_at is null";

/// Unless the lease has ended, since another instance may have delivered it by now.
const FAILED: &str = "
    update notification_deliveries set attempts = attempts + 1, due_at = $3, leased_until = 0
    where notification_id = $1 and webhook = $2 and leased_until = $4";

const FORGET: &str = "delete from notifications where created_at < $1";
const FORGET_NOTED: &str = "delete from unnotified_records where noted_at < $1";

impl Writer<'_> {
    /// Returns the notifications that a webhook has to get now, the oldest one of each repository, so that repositories take turns.
    pub async fn due_deliveries(self, webhook: &str) -> Result<Vec<i64>, StoreError> {
        Ok(sqlx::query_scalar(DUE)
            .bind(webhook)
            .bind(now().0)
            .fetch_all(&self.store.read_pool)
            .await?)
    }

    /// Takes a notification that a webhook has to get now; none if another instance sends it.
    pub async fn take_delivery(
        self,
        webhook: &str,
        due: i64,
    ) -> Result<Option<Delivery>, StoreError> {
        let now = now().0;
        let mut connection = self.store.write_pool.acquire().await?;
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
    pub async fn delivered(self, delivery: &Delivery, webhook: &str) -> Result<(), StoreError> {
        let mut connection = self.store.write_pool.acquire().await?;
        let stored = sqlx::query(DELIVERED)
            .bind(delivery.id)
            .bind(webhook)
            .bind(now().0)
            .execute(&mut *connection)
            .await;
        settle(connection, stored.map(drop).map_err(StoreError::from)).await
    }

    /// Stores that a webhook has not got a notification, and when to try again, in microseconds since 1970; none to give up.
    ///
    /// # Errors
    ///
    /// When the database fails. It is then sent again when the lease ends.
    pub async fn not_delivered(
        self,
        delivery: &Delivery,
        webhook: &str,
        again_at: Option<i64>,
    ) -> Result<(), StoreError> {
        let mut connection = self.store.write_pool.acquire().await?;
        let stored = sqlx::query(FAILED)
            .bind(delivery.id)
            .bind(webhook)
            .bind(again_at)
            .bind(delivery.leased_until)
            .execute(&mut *connection)
            .await;
        settle(connection, stored.map(drop).map_err(StoreError::from)).await
    }

    /// Forgets notifications that were created before a time, and records that were noted before another one, both in microseconds
    /// since 1970.
    pub async fn forget_notifications(
        self,
        created_before: i64,
        noted_before: i64,
    ) -> Result<(), StoreError> {
        for (statement, before) in [(FORGET, created_before), (FORGET_NOTED, noted_before)] {
            let mut connection = self.store.write_pool.acquire().await?;
            let forgotten = sqlx::query(statement)
                .bind(before)
                .execute(&mut *connection)
                .await;
            settle(connection, forgotten.map(drop).map_err(StoreError::from)).await?;
        }
        Ok(())
    }
}
