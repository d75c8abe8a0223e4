//! The pending deliveries of each webhook. An instance leases a delivery before it sends it, so that only one instance sends it.

use crate::{StoreError, Writer, run::Run, time::now};
use sqlx::FromRow;

/// How long an instance may take to send, in microseconds: longer than the time limit of a call.
const LEASE: i64 = 120_000_000;

/// A notification to send to a webhook now.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct Delivery {
    /// The id of the notification.
    #[sqlx(rename = "notification_id")]
    pub id: i64,
    /// The id by which receivers recognise repetitions.
    pub public_id: String,
    /// The body for receivers, as JSON.
    pub body: String,
    /// The number of attempts before this one.
    pub attempts: i64,
    /// The time when it was created, in microseconds since 1970.
    pub created_at: i64,
    leased_until: i64,
}

/// The oldest delivery of each repository.
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

/// This applies even if the lease has ended meanwhile: the webhook has the notification.
const DELIVERED: &str = "
    update notification_deliveries
    set attempts = attempts + 1, due_at = null, leased_until = 0, delivered_at = $3
    where notification_id = $1 and webhook = $2 and delivered_at is null";

/// This does not apply if the lease has ended, because another instance may have delivered the notification since then.
const FAILED: &str = "
    update notification_deliveries set attempts = attempts + 1, due_at = $3, leased_until = 0
    where notification_id = $1 and webhook = $2 and leased_until = $4";

const FORGET: &str = "delete from notifications where created_at < $1";
const FORGET_NOTED: &str = "delete from unnotified_records where noted_at < $1";

impl Writer<'_> {
    /// Returns the notifications to send to a webhook now: the oldest one of each repository, so that repositories take turns.
    pub async fn due_deliveries(self, webhook: &str) -> Result<Vec<i64>, StoreError> {
        self.store.values(DUE, (webhook, now().0)).await
    }

    /// Leases a notification to send to a webhook now; `None` if another instance sends it.
    pub async fn take_delivery(
        self,
        webhook: &str,
        due: i64,
    ) -> Result<Option<Delivery>, StoreError> {
        let now = now().0;
        self.store
            .write(|pool| pool.first(LEASED, (webhook, now, now + LEASE, due)))
            .await
    }

    /// Stores that a webhook has received a notification.
    ///
    /// # Errors
    ///
    /// If the database fails. The notification is then sent again later.
    pub async fn delivered(self, delivery: &Delivery, webhook: &str) -> Result<(), StoreError> {
        self.store
            .write(|pool| pool.run(DELIVERED, (delivery.id, webhook, now().0)))
            .await
    }

    /// Stores that a delivery failed, and when to send it again, in microseconds since 1970; `None` to give up.
    ///
    /// # Errors
    ///
    /// If the database fails. The notification is then sent again when the lease ends.
    pub async fn not_delivered(
        self,
        delivery: &Delivery,
        webhook: &str,
        again_at: Option<i64>,
    ) -> Result<(), StoreError> {
        self.store
            .write(|pool| {
                pool.run(
                    FAILED,
                    (delivery.id, webhook, again_at, delivery.leased_until),
                )
            })
            .await
    }

    /// Deletes notifications that were created before a time, and undetected records that were noted before another time. Both
    /// times are in microseconds since 1970.
    pub async fn forget_notifications(
        self,
        created_before: i64,
        noted_before: i64,
    ) -> Result<(), StoreError> {
        for (statement, before) in [(FORGET, created_before), (FORGET_NOTED, noted_before)] {
            self.store
                .write(|pool| pool.run(statement, [before]))
                .await?;
        }
        Ok(())
    }
}
