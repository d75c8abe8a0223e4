//! Notifies webhooks: looks for events in what uploads wrote, stores them, and sends them until each webhook has got them.

mod client;
mod detect;
mod event;
mod formats;
pub mod metrics;
mod sender;
mod signature;

pub use client::{Message, WebhookClient, webhook_client};
pub use event::Event;

use config::Notifications;
use domain::text::chain;
use std::{sync::Arc, time::Duration};
use store::{Store, now};
use tokio::time::sleep;
use tokio_util::task::AbortOnDropHandle;

/// The time between two rounds of looking for events about records, and of sending.
const PAUSE: Duration = Duration::from_millis(500);

/// The time between two rounds of looking for silent repositories.
const SILENCE_PAUSE: Duration = Duration::from_secs(600);

/// How long notifications are kept, in microseconds: longer than they are sent again.
const KEPT: i64 = 30 * DAY;

/// After which time an event is no news any more, in microseconds: webhooks were not set, or the queue of a slow one was long.
const GIVEN_UP: i64 = 4 * DAY;

/// A day, in microseconds.
const DAY: i64 = 86_400_000_000;

/// What the tasks share.
#[derive(Debug)]
struct Notifier {
    store: Store,
    settings: Notifications,
    client: WebhookClient,
    public_url: String,
    metrics: metrics::Notifications,
}

/// Notifies the webhooks of the settings until the returned value is dropped. Several services on one database may do it at the same
/// time: each notification is sent by one of them.
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
        keep_looking(notifier.clone()),
        keep_searching(notifier.clone()),
    ];
    // Each webhook has a task of its own, so that a slow one delays no other.
    let hooks = settings.webhooks.iter().cloned();
    let sending = hooks.map(|hook| sender::keep_sending(notifier.clone(), hook));
    tasks.into_iter().chain(sending).collect()
}

fn keep_looking(notifier: Arc<Notifier>) -> AbortOnDropHandle<()> {
    AbortOnDropHandle::new(tokio::spawn(async move {
        loop {
            match detect::records(&notifier).await {
                Ok(true) => continue,
                Ok(false) => {}
                Err(error) => {
                    let cause = chain(&error);
                    tracing::warn!(cause, "cannot look for events to notify");
                }
            }
            sleep(PAUSE).await;
        }
    }))
}

fn keep_searching(notifier: Arc<Notifier>) -> AbortOnDropHandle<()> {
    AbortOnDropHandle::new(tokio::spawn(async move {
        loop {
            let store = &notifier.store;
            if let Err(error) = detect::silence(&notifier).await {
                let cause = chain(&error);
                tracing::warn!(cause, "cannot look for repositories without uploads");
            }
            let now = now().0;
            if let Err(error) = store
                .writer()
                .forget_notifications(now - KEPT, now - GIVEN_UP)
                .await
            {
                let cause = chain(&error);
                tracing::warn!(cause, "cannot forget old notifications");
            }
            sleep(SILENCE_PAUSE).await;
        }
    }))
}
