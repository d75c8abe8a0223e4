use super::NewNotification;
use crate::store::testing::TestStore;

fn new(subject: &str, webhooks: &[&str]) -> NewNotification {
    NewNotification {
        subject: subject.to_owned(),
        body: format!("{{\"of\":\"{subject}\"}}"),
        webhooks: webhooks.iter().map(|hook| (*hook).to_owned()).collect(),
    }
}

#[tokio::test]
async fn a_delivery_is_taken_by_one_instance_until_it_ends() {
    let store = TestStore::new().await;
    let both = [new("gate 1", &["a", "b"]), new("gate 1", &["a"])];
    store.notify(None, &both).await.expect("stored");
    let delivery = store.take_delivery("a").await.expect("read");
    let delivery = delivery.expect("one");
    assert_eq!(
        (delivery.attempts, delivery.body.as_str()),
        (0, "{\"of\":\"gate 1\"}")
    );
    assert_eq!(
        store.take_delivery("a").await.expect("read"),
        None,
        "it is leased"
    );
    assert_eq!(
        store.take_delivery("c").await.expect("read"),
        None,
        "no such webhook"
    );
    assert!(store.take_delivery("b").await.expect("read").is_some());

    store
        .not_delivered(&delivery, "a", Some(0))
        .await
        .expect("stored");
    let again = store.take_delivery("a").await.expect("read").expect("one");
    assert_eq!((again.id, again.attempts), (delivery.id, 1));
    store
        .not_delivered(&delivery, "a", None)
        .await
        .expect("stored");
    assert_eq!(
        store.take_delivery("a").await.expect("read"),
        None,
        "it was given up"
    );
    store.delivered(&delivery, "b").await.expect("stored");
    assert_eq!(
        store.take_delivery("b").await.expect("read"),
        None,
        "it was delivered"
    );
}

#[tokio::test]
async fn what_happened_is_told_once_until_it_is_forgotten() {
    let store = TestStore::new().await;
    let again = [new("drop 7", &["a"])];
    for _ in 0..2 {
        store.notify(None, &again).await.expect("stored");
    }
    let first = store.take_delivery("a").await.expect("read").expect("one");
    store.delivered(&first, "a").await.expect("stored");
    store
        .forget_notifications(first.created_at, 0)
        .await
        .expect("kept");
    store.notify(None, &again).await.expect("stored");
    assert_eq!(store.take_delivery("a").await.expect("read"), None);
    store
        .forget_notifications(first.created_at + 1, 0)
        .await
        .expect("forgotten");
    store.notify(None, &again).await.expect("stored");
    let second = store.take_delivery("a").await.expect("read").expect("one");
    assert_ne!(second.id, first.id);
}
