//! Detects events: in records that uploads noted, and repositories without uploads.

use super::{
    GIVEN_UP, Notifier,
    event::{self, Data, Event, EventKind, number},
};
use domain::{DAY, Repository, Verdict, links, text::chain};
use store::{Flag, MOST_IN_AN_HOUR, NewNotification, RecordSummary, StoreError, Unnotified, now};

/// The age at which a noted record is looked at, in microseconds: by then, its upload has requested the changes from the forge
/// and judged the record, or has ended.
const SETTLED: i64 = 2_000_000;

/// How long one instance claims a record, in microseconds. A record that could not be judged is tried again after that time.
const CLAIMED: i64 = 120_000_000;

/// How many days a silence is news. Without this limit, an older database would send one notification for each repository that
/// ended years ago.
const NEWS_DAYS: i64 = 7;

/// Stores the events of the noted records, at most one record of each repository. Returns whether there was a record. A record
/// that cannot be judged does not delay the others.
pub(super) async fn records(notifier: &Notifier) -> Result<bool, StoreError> {
    let (writer, now) = (notifier.store.writer(), now().0);
    let unnotified = writer.unnotified(now - GIVEN_UP, now - SETTLED).await?;
    for noted in &unnotified {
        let claimed = writer.claim_unnotified(*noted, now + CLAIMED).await?;
        let Some(claimed) = claimed else { continue };
        match events(notifier, claimed).await {
            Ok(events) => {
                let left_out = writer.notify(Some(claimed), &events).await?;
                if left_out > 0 {
                    let (record, most) = (claimed.record_id, MOST_IN_AN_HOUR);
                    tracing::warn!(
                        record,
                        most,
                        "a notification is skipped: its repository has reached the limit per hour"
                    );
                }
            }
            Err(error) => {
                let (record, cause) = (claimed.record_id, chain(&error));
                tracing::warn!(record, cause, "cannot look for events of a record");
            }
        }
    }
    Ok(!unnotified.is_empty())
}

pub(super) async fn silence(notifier: &Notifier) -> Result<(), StoreError> {
    let Some(days) = notifier.settings.webhook_events.silence else {
        return Ok(());
    };
    let until = now().0 - i64::from(days) * DAY;
    let from = until - NEWS_DAYS * DAY;
    loop {
        let silent = notifier
            .store
            .writer()
            .silent_repositories(from, until, days);
        let silent = silent.await?;
        let notifications = silent.iter().map(|silent| {
            let path = links::repository(&silent.repository);
            let data = Data {
                last_upload_at: Some(domain::text::rfc3339(silent.last_upload_at)),
                days: Some(days),
                ..Data::of_repository(&silent.repository, format!("{}{path}", notifier.public_url))
            };
            let sentence = event::silent(&silent.repository, days);
            let event = Event::now(EventKind::RepositorySilent, data, sentence);
            new(notifier, silent.subject(days), &silent.repository, &event)
        });
        let notifications: Vec<_> = notifications.collect();
        if notifications.is_empty() {
            return Ok(());
        }
        notifier.store.writer().notify(None, &notifications).await?;
    }
}

async fn events(
    notifier: &Notifier,
    noted: Unnotified,
) -> Result<Vec<NewNotification>, StoreError> {
    let id = noted.record_id;
    let Some(Flag(is_on_main)) = notifier.store.writer().is_on_main(id).await? else {
        return Ok(Vec::new());
    };
    let Some(summary) = notifier.store.everything().record_summary(id).await? else {
        return Ok(Vec::new());
    };
    let settings = notifier.settings.webhook_events;
    let url = format!("{}{}", notifier.public_url, links::record(id));
    let data = Data::of_record(&summary, url);
    let failed = failed(&summary).filter(|_| settings.gate);
    let failed = failed.map(|reasons| {
        let sentence = event::gate_failed(&summary, reasons);
        let data = Data {
            reasons: reasons.to_vec(),
            ..data.clone()
        };
        let event = Event::now(EventKind::GateFailed, data, sentence);
        (format!("gate {id}"), event)
    });
    let before = match (is_on_main, settings.drop) {
        (true, Some(_)) => notifier.store.writer().percentage_before(id).await?,
        _ => None,
    };
    let now = summary.record.percentage.basis_points();
    let dropped = before.filter(|before| before.basis_points().checked_sub(now) >= settings.drop);
    let dropped = dropped.map(|before| {
        let sentence = event::dropped(&summary, before);
        let data = Data {
            base_percentage: number(before),
            ..data.clone()
        };
        let event = Event::now(EventKind::CoverageDropped, data, sentence);
        (format!("drop {id}"), event)
    });
    let (events, repository) = (
        failed.into_iter().chain(dropped),
        &summary.record.repository,
    );
    let events = events.map(|(subject, event)| new(notifier, subject, repository, &event));
    Ok(events.collect())
}

fn failed(summary: &RecordSummary) -> Option<&[String]> {
    let gate = summary.gate.as_ref()?;
    (gate.verdict == Verdict::Failed).then_some(&gate.reasons)
}

fn new(
    notifier: &Notifier,
    subject: String,
    repository: &Repository,
    event: &Event,
) -> NewNotification {
    let hooks = notifier.settings.webhooks.iter();
    let hooks = hooks.filter(|hook| hook.covers(&repository.org));
    // Events contain only texts and numbers, which JSON can always express.
    let json = |event: &Event| serde_json::to_string(event).unwrap_or_default();
    NewNotification {
        subject,
        repository: repository.key(),
        body: json(event),
        last_body: json(&event.last()),
        webhooks: hooks.map(|hook| hook.key()).collect(),
    }
}
