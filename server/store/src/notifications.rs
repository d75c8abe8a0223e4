//! Notifications: the uploads whose events are not detected yet, the stored events, and the pending deliveries of each webhook.

mod deliveries;
mod facts;
#[cfg(test)]
mod tests;

pub use deliveries::Delivery;
pub use facts::SilentRepository;
#[cfg(test)]
pub(super) use {deliveries::DUE, facts::SILENT};

use super::{StoreError, Writer, run::Run, time::now};
use domain::text::hexadecimal;
use sqlx::AnyConnection;

/// The maximum number of records in one round of detection.
const PAGE: i64 = 100;

/// The maximum number of notifications about one repository within an hour.
pub const MOST_IN_AN_HOUR: i64 = 20;

const HOUR: i64 = 3_600_000_000;

/// An event, with its webhooks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewNotification {
    /// Identifies the event. A second notification with the same subject is not stored.
    pub subject: String,
    /// The key of the repository.
    pub repository: String,
    /// The body for receivers, as JSON.
    pub body: String,
    /// The body if this is the last notification for now: it states that further ones are skipped.
    pub last_body: String,
    /// The keys of the webhooks.
    pub webhooks: Vec<String>,
}

/// A record whose events are not detected yet.
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

/// The first record of each repository, so that many records of one repository delay other repositories by one record only.
/// Records that wait for parts come when they no longer wait.
const UNNOTIFIED: &str = "
    select record_id, noted_at from (
        select u.record_id, u.noted_at,
            row_number() over (partition by r.repository_id order by u.noted_at, u.record_id) as turn
        from unnotified_records u
        join records r on r.id = u.record_id
        left join record_completions c on c.record_id = u.record_id
        where u.noted_at between $1 and $2 and c.waits_until is null) as noted
    where turn = 1
    order by noted_at limit $3";

const LOOKED_AT: &str = "delete from unnotified_records where record_id = $1 and noted_at = $2";

const CLAIM: &str = "
    update unnotified_records set noted_at = $3 where record_id = $1 and noted_at = $2";

/// Skipped notifications have no delivery.
const SENT: &str = "
    select count(*) from notifications n
    where n.repository = $1 and n.created_at > $2
      and exists (select 1 from notification_deliveries d where d.notification_id = n.id)";

const ADD: &str = "
    insert into notifications (subject, public_id, body, created_at, repository) values ($1, $2, $3, $4, $5)
    on conflict (subject) do nothing
    returning id";

const ADD_DELIVERY: &str = "
    insert into notification_deliveries (notification_id, webhook, due_at) values ($1, $2, $3)
    on conflict (notification_id, webhook) do nothing";

/// Stores that the events of a record are not detected yet, if the record still exists.
pub(super) async fn note(connection: &mut AnyConnection, record_id: i64) -> Result<(), StoreError> {
    connection.run(NOTE, (record_id, now().0)).await
}

impl Writer<'_> {
    /// Returns records whose events are not detected yet, one of each repository, with an upload or verdict between two times in
    /// microseconds since 1970.
    pub async fn unnotified(self, from: i64, until: i64) -> Result<Vec<Unnotified>, StoreError> {
        self.store.all(UNNOTIFIED, (from, until, PAGE)).await
    }

    /// Claims a record for the detection of its events. Until a time in microseconds since 1970, no other instance does. `None`
    /// if another instance has claimed it, or if the record has a newer upload or verdict.
    pub async fn claim_unnotified(
        self,
        noted: Unnotified,
        until: i64,
    ) -> Result<Option<Unnotified>, StoreError> {
        let claimed = self
            .store
            .write(|pool| pool.changed(CLAIM, (noted.record_id, noted.noted_at, until)))
            .await?;

        Ok((claimed > 0).then_some(Unnotified {
            noted_at: until,
            ..noted
        }))
    }

    /// Stores notifications, and that the events of a record are detected. A later upload of the record still counts. Returns the
    /// number of notifications that are not sent, because their repository had [`MOST_IN_AN_HOUR`].
    ///
    /// # Errors
    ///
    /// If the database fails. Nothing is stored then.
    pub async fn notify(
        self,
        looked_at: Option<Unnotified>,
        notifications: &[NewNotification],
    ) -> Result<u64, StoreError> {
        let mut transaction = self.store.begin().await?;
        let at = now().0;
        let mut left_out = 0;
        for new in notifications {
            let sent: i64 = transaction
                .value(SENT, (&new.repository, at - HOUR))
                .await?;
            let is_last = sent + 1 == MOST_IN_AN_HOUR;
            let body = if is_last { &new.last_body } else { &new.body };
            let values = (
                &new.subject,
                hexadecimal(&rand::random::<[u8; 16]>()),
                body,
                at,
                &new.repository,
            );
            let id: Option<i64> = transaction.first_value(ADD, values).await?;
            let Some(id) = id else { continue };
            if sent >= MOST_IN_AN_HOUR {
                left_out += 1;
                continue;
            }
            for webhook in &new.webhooks {
                transaction
                    .run(ADD_DELIVERY, (id, webhook.as_str(), at))
                    .await?;
            }
        }
        if let Some(looked_at) = looked_at {
            transaction
                .run(LOOKED_AT, (looked_at.record_id, looked_at.noted_at))
                .await?;
        }
        transaction.commit().await?;
        Ok(left_out)
    }
}
