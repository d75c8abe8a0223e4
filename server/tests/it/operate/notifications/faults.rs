//! Receivers that fail, and services that end.

use super::{notifying, settings, started, upload};
use crate::{
    harness::{
        Archive, BINARY, Reachable, Receiver, ReceiverBehaviour, ServerProcess, Upload, cobertura,
        database_url, is_postgres, remove_database,
    },
    operate::metrics::exposition::Exposition,
};
use sqlx::{AnyConnection, Connection};
use std::{process::Command, time::Duration};
use tokio::time::sleep;

/// The number of attempts of the only delivery, and whether it has ended.
async fn attempts(database: &mut AnyConnection) -> (i64, bool) {
    let row: Option<(i64, Option<i64>)> =
        sqlx::query_as("select attempts, due_at from notification_deliveries")
            .fetch_optional(database)
            .await
            .unwrap();
    row.map_or((0, false), |(attempts, due_at)| {
        (attempts, due_at.is_none())
    })
}

async fn wait_for_attempts(database: &mut AnyConnection, count: i64) -> bool {
    for _ in 0..600 {
        let (attempts, has_ended) = attempts(database).await;
        if attempts >= count {
            return has_ended;
        }
        sleep(Duration::from_millis(50)).await;
    }
    panic!("no {count} attempts");
}

#[tokio::test]
async fn a_receiver_that_fails_is_notified_again() {
    for behaviour in [ReceiverBehaviour::Status(500), ReceiverBehaviour::Redirect] {
        let receiver = Receiver::start().await;
        receiver.behave(behaviour);
        let server = notifying(&receiver).await;
        upload(&server, "c1", 85).await;
        upload(&server, "c2", 80).await;
        let mut database = server.database().await;
        assert!(!wait_for_attempts(&mut database, 1).await, "{behaviour:?}");
        receiver.behave(ReceiverBehaviour::Status(200));
        let notified = receiver.wait_for(2).await;
        assert!(wait_for_attempts(&mut database, 2).await, "{behaviour:?}");
        // A redirect is not followed.
        assert!(
            notified.iter().all(|own| own.path == "/hook"),
            "{notified:#?}"
        );
        assert_eq!(notified[0].text, notified[1].text);
        let metrics = Exposition::parsed(&server.get_text("/metrics").await);
        for (result, attempts) in [("delivered", 1.0), ("failed", 1.0), ("given_up", 0.0)] {
            let labels = [("webhook", "json (127.0.0.1)"), ("result", result)];
            let counted = metrics.value("coverage_notifications_total", &labels);
            assert_eq!(counted, attempts, "{result}");
        }
        let ids = notified.iter().map(|own| own.headers["webhook-id"].clone());
        assert_eq!(ids.collect::<std::collections::HashSet<_>>().len(), 1);
    }
}

#[tokio::test]
async fn a_silent_receiver_delays_neither_uploads_nor_others() {
    let (silent, receiver) = (Receiver::start().await, Receiver::start().await);
    silent.behave(ReceiverBehaviour::Silent);
    let hooks = format!("json={},json={}", silent.url("/a"), receiver.url("/b"));
    let server = started(&hooks, &[]).await;
    for (commit, covered) in [("c1", 90), ("c2", 85), ("c3", 80), ("c4", 75)] {
        upload(&server, commit, covered).await;
    }
    // Later records may be notified before earlier ones are looked at, but each is current in its turn only.
    let notified = receiver.wait_for(1).await;
    assert_eq!(notified[0].body["type"], "coverage.dropped");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_address_is_not_called_unless_it_is_listed() {
    let receiver = Receiver::start().await;
    for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"] {
        let port = receiver.url("").rsplit(':').next().unwrap().to_owned();
        let hooks = format!("slack=http://{host}:{port}/s3cret");
        let test = |networks: &str| {
            Command::new(BINARY)
                .args([
                    "test-webhooks",
                    "--webhooks",
                    &hooks,
                    "--webhook-networks",
                    networks,
                ])
                .output()
                .unwrap()
        };
        let refused = test("10.0.0.0/8");
        let text = String::from_utf8(refused.stdout).unwrap();
        assert_eq!(refused.status.code(), Some(1), "{text}");
        assert!(
            text.contains("is a private address, which WEBHOOK_NETWORKS does not list"),
            "{text}"
        );
        assert!(!text.contains("s3cret"), "{text}");
        assert!(receiver.notified().is_empty());
    }
    let hooks = format!("slack={}", receiver.url("/s3cret"));
    let taken = Command::new(BINARY)
        .args([
            "test-webhooks",
            "--webhooks",
            &hooks,
            "--webhook-networks",
            "127.0.0.1",
        ])
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8(taken.stdout).unwrap(),
        "slack (127.0.0.1): delivered\n"
    );
    assert_eq!(receiver.notified().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_may_have_a_private_address_and_resolves_names_itself() {
    let proxy = Receiver::start().await;
    let port = proxy.url("").rsplit(':').next().unwrap().to_owned();
    let address = format!("http://localhost:{port}");
    let sent = Command::new(BINARY)
        .args([
            "test-webhooks",
            "--webhooks",
            "slack=http://hooks.example/x",
        ])
        .args(["--outbound-proxy", &address])
        .output()
        .unwrap();
    let text = String::from_utf8(sent.stdout).unwrap();
    assert_eq!(text, "slack (hooks.example): delivered\n");
    assert_eq!(proxy.notified()[0].path, "/x");
    assert_eq!(proxy.notified()[0].headers["host"], "hooks.example");
}

#[tokio::test]
async fn a_service_that_is_killed_loses_no_notification() {
    let folder = tempfile::tempdir().unwrap();
    let receiver = Receiver::start().await;
    receiver.behave(ReceiverBehaviour::Status(503));
    let hooks = format!("json={}", receiver.url("/hook"));
    let settings = settings(&hooks, &[]);
    let server = ServerProcess::start(folder.path(), &settings);
    upload(&server, "c1", 85).await;
    upload(&server, "c2", 80).await;
    // Before the service has looked for its notification.
    server.kill();
    assert!(receiver.notified().is_empty());
    receiver.behave(ReceiverBehaviour::Status(200));
    let server = ServerProcess::start(folder.path(), &settings);
    let notified = receiver.wait_for(1).await;
    assert_eq!(notified[0].body["data"]["commit_hash"], "c2");
    drop(server);
    remove_database(folder.path());
}

#[tokio::test]
async fn one_of_several_instances_sends_a_notification() {
    if !is_postgres() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let receiver = Receiver::start().await;
    let hooks = format!("json={}", receiver.url("/hook"));
    let settings = settings(&hooks, &[]);
    let servers: Vec<_> = (0..3)
        .map(|_| ServerProcess::start(folder.path(), &settings))
        .collect();
    upload(&servers[0], "c0", 100).await;
    for number in 1..=10_u32 {
        let server = &servers[number as usize % 3];
        upload(server, &format!("c{number}"), 100 - number).await;
        receiver.wait_for(number as usize).await;
    }
    let mut database = AnyConnection::connect(&database_url(folder.path()))
        .await
        .unwrap();
    let waiting: i64 =
        sqlx::query_scalar("select count(*) from notification_deliveries where due_at is not null")
            .fetch_one(&mut database)
            .await
            .unwrap();
    assert_eq!((receiver.notified().len(), waiting), (10, 0));
    drop((servers, database));
    remove_database(folder.path());
}

#[tokio::test]
async fn a_repository_with_many_events_leaves_out_some_and_delays_no_other() {
    let receiver = Receiver::start().await;
    let server = notifying(&receiver).await;
    upload(&server, "c0", 99).await;
    for number in 1..=25_u32 {
        upload(&server, &format!("c{number}"), 99 - number).await;
    }
    for (commit, covered) in [("d1", 90), ("d2", 80)] {
        let archive = Archive::report("<p>", &cobertura(covered, 100));
        Upload::of(archive.tar_gz())
            .with("repo_name", "other")
            .with("commit_hash", commit)
            .accepted(&server)
            .await;
    }
    let mut notified = receiver.wait_for(21).await;
    notified.sort_by_key(|own| own.body["timestamp"].to_string());
    let of = |repository: &str| -> Vec<&str> {
        let own = notified
            .iter()
            .filter(|own| own.body["data"]["repo_name"] == repository);
        own.filter_map(|own| own.body["data"]["text"].as_str())
            .collect()
    };
    assert_eq!((of("payments").len(), of("other").len()), (20, 1));
    let said = of("payments");
    let said = said
        .iter()
        .filter(|text| text.contains("further ones are left out"));
    assert_eq!(said.count(), 1);
    let mut database = server.database().await;
    for _ in 0..600 {
        let waiting: i64 = sqlx::query_scalar("select count(*) from unnotified_records")
            .fetch_one(&mut database)
            .await
            .unwrap();
        if waiting == 0 {
            break;
        }
        sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(receiver.notified().len(), 21, "the others are left out");
}
