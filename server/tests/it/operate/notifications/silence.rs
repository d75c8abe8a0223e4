//! Repositories without uploads.

use super::{OF_SERVER, settings, upload};
use crate::harness::{Archive, Receiver, TestServer, Upload, cobertura};

const DAY: i64 = 86_400_000_000;

#[tokio::test]
async fn a_silence_is_notified_once_and_old_ones_are_no_news() {
    let receiver = Receiver::start().await;
    let server = TestServer::start().await;
    let repositories = [("fresh", 13), ("silent", 15), ("forgotten", 60)];
    for (repository, _) in repositories {
        Upload::of(Archive::report("<p>", &cobertura(80, 100)).tar_gz())
            .with("repo_name", repository)
            .accepted(&server)
            .await;
    }
    let mut database = server.database().await;
    for (repository, days) in repositories {
        sqlx::query(
            "update repositories set last_upload_at = last_upload_at - $1 where repo_name = $2",
        )
        .bind(days * DAY)
        .bind(repository)
        .execute(&mut database)
        .await
        .unwrap();
    }
    drop(database);
    let hooks = format!("json={}", receiver.url("/hook"));
    let settings = settings(&hooks, &OF_SERVER);
    let server = TestServer::start_in(server.stop().await, &settings).await;
    let notified = receiver.wait_for(1).await;
    let body = &notified[0].body;
    assert_eq!(
        (&body["type"], &body["data"]["days"]),
        (&"repository.silent".into(), &14.into())
    );
    assert_eq!(body["data"]["text"], "acme/silent: no upload for 14 days");
    assert_eq!(
        body["data"]["url"],
        "https://coverage.example.com/repos/acme/silent"
    );
    // A restart looks again. The next notification shows that no other one was sent.
    let server = TestServer::start_in(server.stop().await, &settings).await;
    upload(&server, "c1", 85).await;
    upload(&server, "c2", 80).await;
    let notified = receiver.wait_for(2).await;
    assert_eq!(notified.len(), 2, "{notified:#?}");
    assert_eq!(notified[1].body["type"], "coverage.dropped");
}
