//! Sends the stored notifications to one webhook, and repeats failed attempts.

use super::{Event, GIVEN_UP, Message, Notifier, PAUSE, WebhookClient};
use crate::{
    notifications::metrics::Sending,
    upkeep::{every, logged},
};
use config::notifications::Webhook;
use domain::{DAY, text::chain};
use std::{sync::Arc, time::Duration};
use store::{Delivery, StoreError, now};
use tokio::time::sleep;
use tokio_util::task::AbortOnDropHandle;

/// The seconds after each failed attempt until the next one. After the last value, that value repeats.
const DELAYS: [i64; 8] = [5, 30, 120, 600, 1_800, 3_600, 10_800, 21_600];

/// How long a notification is sent again after failures, in microseconds.
const TRIED: i64 = 3 * DAY;

const AFTER_FAILURE: Duration = Duration::from_secs(10);

struct Sender {
    notifier: Arc<Notifier>,
    client: WebhookClient,
    hook: Webhook,
    key: String,
}

/// Sends to a webhook until the returned value is dropped.
pub(super) fn keep_sending(notifier: Arc<Notifier>, hook: Webhook) -> AbortOnDropHandle<()> {
    notifier.metrics.begin(&hook.name());
    let sender = Arc::new(Sender {
        key: hook.key(),
        client: notifier.client.with_own_permits(),
        notifier,
        hook,
    });
    every(PAUSE, sender, |sender| async move {
        let failure = "cannot read or store the state of notifications";
        loop {
            match logged(sender.send_in_turn().await, failure) {
                Some(true) => {}
                Some(false) => return,
                None => sleep(AFTER_FAILURE).await,
            }
        }
    })
}

impl Sender {
    /// Sends the oldest notification of each repository. Returns whether there was one.
    async fn send_in_turn(&self) -> Result<bool, StoreError> {
        let store = &self.notifier.store;
        let due = store.writer().due_deliveries(&self.key).await?;
        for id in &due {
            if let Some(delivery) = store.writer().take_delivery(&self.key, *id).await? {
                self.send(&delivery).await?;
            }
        }
        Ok(!due.is_empty())
    }

    async fn send(&self, delivery: &Delivery) -> Result<(), StoreError> {
        let (writer, key) = (self.notifier.store.writer(), &self.key);
        let (result, again_at) = self.attempt(delivery).await;
        self.notifier.metrics.ended(&self.hook.name(), result);
        match result {
            Sending::Delivered => writer.delivered(delivery, key).await,
            Sending::Failed | Sending::GivenUp => {
                writer.not_delivered(delivery, key, again_at).await
            }
        }
    }

    /// Tries to send a notification. Also returns when to send it again.
    async fn attempt(&self, delivery: &Delivery) -> (Sending, Option<i64>) {
        let (id, webhook) = (delivery.id, &self.hook.name());
        if now().0 >= delivery.created_at + GIVEN_UP {
            tracing::error!(id, "a notification is given up: it was not sent in time");
            return (Sending::GivenUp, None);
        }
        let Ok(event) = serde_json::from_str::<Event>(&delivery.body) else {
            tracing::warn!(id, "a stored notification has an unknown kind");
            return (Sending::GivenUp, None);
        };
        let message = Message {
            id: &delivery.public_id,
            seconds: now().0 / 1_000_000,
            event: &event,
            stored: &delivery.body,
        };
        let Err(error) = self.client.send(&self.hook, message).await else {
            tracing::info!(id, webhook, "a webhook was notified");
            return (Sending::Delivered, None);
        };
        let cause = chain(&error);
        let again_at = again_at(delivery.attempts, delivery.created_at, now().0);
        if again_at.is_some() {
            let text = "a webhook was not notified; it is tried again";
            tracing::warn!(id, webhook, cause, "{text}");
            return (Sending::Failed, again_at);
        }
        let text = "a webhook was not notified for three days; the notification is lost";
        tracing::error!(id, webhook, cause, "{text}");
        (Sending::GivenUp, None)
    }
}

/// When to send again, in microseconds since 1970; `None` to give up.
fn again_at(attempts: i64, created_at: i64, now: i64) -> Option<i64> {
    let place = usize::try_from(attempts).unwrap_or_default();
    let seconds = DELAYS.get(place).or(DELAYS.last())?;
    (now < created_at + TRIED).then_some(now + seconds * 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notification_is_sent_again_for_three_days_at_growing_intervals() {
        let (mut now, mut attempts, mut delays) = (0, 0, Vec::new());
        while let Some(next) = again_at(attempts, 0, now) {
            delays.push((next - now) / 1_000_000);
            (now, attempts) = (next, attempts + 1);
        }
        assert!(delays.is_sorted() && delays[0] == 5, "{delays:?}");
        assert!((TRIED..TRIED + DAY / 4 + 1).contains(&now), "{now}");
        assert!((15..25).contains(&delays.len()), "{delays:?}");
    }
}
