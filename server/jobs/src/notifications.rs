//! Notifies webhooks: detects events in records that uploads noted, stores them as notifications, and sends them until each
//! webhook has them.

mod client;
mod detect;
mod digest;
mod digest_text;
mod event;
mod formats;
pub mod metrics;
mod sender;

pub use client::{Message, WebhookClient, webhook_client};
pub use event::Event;

use crate::upkeep::{every, logged};
use config::Notifications;
use domain::DAY;
use std::{sync::Arc, time::Duration};
use store::{Store, now};
use tokio_util::task::AbortOnDropHandle;

const PAUSE: Duration = Duration::from_millis(500);

const SILENCE_PAUSE: Duration = Duration::from_secs(600);

/// How long notifications are kept, in microseconds: longer than the time within which they are sent again.
const KEPT: i64 = 30 * DAY;

/// The age at which an event is no longer news, in microseconds: no webhook was set before, or the queue of a slow webhook was
/// long.
const GIVEN_UP: i64 = 4 * DAY;

#[derive(Debug)]
struct Notifier {
    store: Store,
    settings: Notifications,
    client: WebhookClient,
    public_url: String,
    metrics: metrics::Notifications,
}

/// Notifies the webhooks of the settings until the returned value is dropped. Several services on one database may run this at
/// the same time: only one of them sends each notification.
pub fn keep_notifying(
    store: Store,
    settings: &Notifications,
    client: WebhookClient,
    public_url: &str,
    metrics: &metrics::Notifications,
) -> Vec<AbortOnDropHandle<()>> {
    let notifier = Arc::new(Notifier {
        store,
        settings: settings.clone(),
        client,
        public_url: public_url.to_owned(),
        metrics: metrics.clone(),
    });
    let tasks = [
        every(PAUSE, notifier.clone(), look),
        every(SILENCE_PAUSE, notifier.clone(), search),
    ];
    // One task per webhook, so that a slow webhook does not delay the others.
    let hooks = settings.webhooks.iter().cloned();
    let sending = hooks.map(|hook| sender::keep_sending(notifier.clone(), hook));
    tasks.into_iter().chain(sending).collect()
}

async fn look(notifier: Arc<Notifier>) {
    let failure = "cannot look for events to notify";
    while logged(detect::records(&notifier).await, failure) == Some(true) {}
}

async fn search(notifier: Arc<Notifier>) {
    let silence = detect::silence(&notifier).await;
    logged(silence, "cannot look for repositories without uploads");
    let sent = digest::store(&notifier).await;
    logged(sent, "cannot look for digests to send");
    let (writer, now) = (notifier.store.writer(), now().0);
    let forgotten = writer.forget_notifications(now - KEPT, now - GIVEN_UP);
    logged(forgotten.await, "cannot forget old notifications");
}
