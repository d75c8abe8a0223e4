//! A database that another process has locked.

use super::{assert_no_orphans, assert_nothing_left, assert_whole, upload};
use crate::harness::{Reachable, TestServer, is_postgres};
use sqlx::{AnyConnection, Connection};
use std::time::Duration;
use tokio::time::sleep;

async fn lock(server: &TestServer) -> AnyConnection {
    let mut connection = server.database().await;
    let statement = if is_postgres() {
        "begin; lock table repositories"
    } else {
        "begin immediate"
    };
    sqlx::raw_sql(statement)
        .execute(&mut connection)
        .await
        .unwrap();
    connection
}

#[tokio::test]
async fn an_upload_waits_while_the_database_is_briefly_locked() {
    let server = TestServer::start().await;
    upload(1).accepted(&server).await;
    let lock = lock(&server).await;
    let unlock = async {
        sleep(Duration::from_secs(1)).await;
        drop(lock.close().await);
    };
    let uploading = upload(2).with("commit_hash", "c2");
    let (answer, ()) = tokio::join!(uploading.accepted(&server), unlock);
    assert_eq!(answer["coverage"]["percentage"], 0.02);
}

#[tokio::test]
async fn an_upload_to_a_locked_database_is_503_and_leaves_nothing() {
    let server = TestServer::start().await;
    let before = upload(1).accepted(&server).await["coverage"].clone();
    let lock = lock(&server).await;
    let response = upload(2).with("commit_hash", "c2").send(&server).await;
    assert_eq!(response.status(), 503);
    assert!(response.headers().contains_key("retry-after"));
    let problem = response.text().await.unwrap();
    assert!(
        problem.contains("\"unavailable\"") && !problem.contains("locked"),
        "{problem}"
    );
    assert_whole(&server, &before).await;
    lock.close().await.unwrap();
    upload(3).with("commit_hash", "c2").accepted(&server).await;
    assert_eq!(server.current_records().await.len(), 1);
    let folder = server.stop().await;
    let server = TestServer::start_in(folder, &[]).await;
    assert_no_orphans(&server, 2);
    assert_nothing_left(&server).await;
}
