use super::{Delivery, NewNotification};
use crate::testing::TestStore;

fn new(subject: &str, webhooks: &[&str]) -> NewNotification {
    NewNotification {
        subject: subject.to_owned(),
        repository: "acme/payments".to_owned(),
        last_body: "the last one".to_owned(),
        body: format!("{{\"of\":\"{subject}\"}}"),
        webhooks: webhooks.iter().map(|hook| (*hook).to_owned()).collect(),
    }
}

/// Takes the next delivery of a webhook.
async fn take(store: &TestStore, webhook: &str) -> Option<Delivery> {
    let due = store.writer().due_deliveries(webhook).await.expect("read");
    let due = due.first()?;
    store
        .writer()
        .take_delivery(webhook, *due)
        .await
        .expect("read")
}

#[tokio::test]
async fn repositories_take_turns() {
    let store = TestStore::new().await;
    let of = |repository: &str, number: u32| NewNotification {
        repository: repository.to_owned(),
        ..new(&format!("{repository} {number}"), &["a"])
    };
    let noisy: Vec<_> = (0..3).map(|number| of("acme/noisy", number)).collect();
    store.writer().notify(None, &noisy).await.expect("stored");
    let others = [of("other/web", 0), of("other/api", 0)];
    store.writer().notify(None, &others).await.expect("stored");
    let mut rounds = Vec::new();
    loop {
        let due = store.writer().due_deliveries("a").await.expect("read");
        if due.is_empty() {
            break;
        }
        rounds.push(due.len());
        for id in due {
            let taken = store.writer().take_delivery("a", id).await.expect("read");
            let delivery = taken.expect("nobody else sends it");
            store
                .writer()
                .delivered(&delivery, "a")
                .await
                .expect("stored");
        }
    }
    assert_eq!(rounds, [3, 1, 1]);
}

#[tokio::test]
async fn a_repository_has_20_notifications_in_an_hour_and_the_last_says_so() {
    let store = TestStore::new().await;
    let subjects: Vec<_> = (0..25).map(|number| format!("gate {number}")).collect();
    let many: Vec<_> = subjects
        .iter()
        .map(|subject| new(subject, &["a"]))
        .collect();
    assert_eq!(store.writer().notify(None, &many).await.expect("stored"), 5);
    // Another repository is not affected.
    let other = NewNotification {
        repository: "other/web".to_owned(),
        ..new("gate other", &["a"])
    };
    assert_eq!(
        store.writer().notify(None, &[other]).await.expect("stored"),
        0
    );
    let mut bodies = Vec::new();
    while let Some(delivery) = take(&store, "a").await {
        store
            .writer()
            .delivered(&delivery, "a")
            .await
            .expect("stored");
        bodies.push(delivery.body);
    }
    assert_eq!(bodies.len(), 21);
    let last = bodies.iter().filter(|body| *body == "the last one");
    assert_eq!(last.count(), 1);
    assert!(!bodies.iter().any(|body| body.contains("gate 20")));
}

#[tokio::test]
async fn a_delivery_is_taken_by_one_instance_until_it_ends() {
    let store = TestStore::new().await;
    let both = [new("gate 1", &["a", "b"]), new("gate 1", &["a"])];
    store.writer().notify(None, &both).await.expect("stored");
    let delivery = take(&store, "a").await;
    let delivery = delivery.expect("one");
    assert_eq!(
        (delivery.attempts, delivery.body.as_str()),
        (0, "{\"of\":\"gate 1\"}")
    );
    assert_eq!(take(&store, "a").await, None, "it is leased");
    assert_eq!(take(&store, "c").await, None, "no such webhook");
    assert!(take(&store, "b").await.is_some());

    store
        .writer()
        .not_delivered(&delivery, "a", Some(0))
        .await
        .expect("stored");
    let again = take(&store, "a").await.expect("one");
    assert_eq!((again.id, again.attempts), (delivery.id, 1));
    store
        .writer()
        .not_delivered(&delivery, "a", None)
        .await
        .expect("stored");
    assert_eq!(take(&store, "a").await, None, "it was given up");
    store
        .writer()
        .delivered(&delivery, "b")
        .await
        .expect("stored");
    assert_eq!(take(&store, "b").await, None, "it was delivered");
}

#[tokio::test]
async fn what_happened_is_told_once_until_it_is_forgotten() {
    let store = TestStore::new().await;
    let again = [new("drop 7", &["a"])];
    for _ in 0..2 {
        store.writer().notify(None, &again).await.expect("stored");
    }
    let first = take(&store, "a").await.expect("one");
    store.writer().delivered(&first, "a").await.expect("stored");
    store
        .writer()
        .forget_notifications(first.created_at, 0)
        .await
        .expect("kept");
    store.writer().notify(None, &again).await.expect("stored");
    assert_eq!(take(&store, "a").await, None);
    store
        .writer()
        .forget_notifications(first.created_at + 1, 0)
        .await
        .expect("forgotten");
    store.writer().notify(None, &again).await.expect("stored");
    let second = take(&store, "a").await.expect("one");
    assert_ne!(second.id, first.id);
}
