//! Parts of one commit that arrive at the same moment, at one service or at two.

use super::*;
use crate::harness::{Balancer, ObjectStorage, ServerProcess, is_postgres};
use serde_json::json;
use std::sync::Arc;
use tempfile::TempDir;

const PARTS: u32 = 24;

/// A part that covers its own line, with the list of all parts.
fn upload(number: u32) -> Upload {
    let hits: Vec<_> = (1..=PARTS)
        .map(|line| (line, u32::from(line == number)))
        .collect();
    let names: Vec<_> = (1..=PARTS).map(|number| format!("p{number}")).collect();
    let upload = part(&format!("p{number}"), &lcov("a.c", &hits));
    upload.with("parts", &names.join(","))
}

/// Sends all parts at once, and expects one record with all of them.
async fn assert_united<S: Reachable + Send + Sync + 'static>(server: Arc<S>) {
    let uploads = (1..=PARTS).map(|number| {
        let server = server.clone();
        tokio::spawn(async move { id(&upload(number).accepted(&*server).await) })
    });
    let mut ids = Vec::new();
    for upload in uploads.collect::<Vec<_>>() {
        ids.push(upload.await.unwrap());
    }
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    let path = format!("/coverages-api/records/{}", ids[0]);
    let summary = server.get_json(&path).await;
    assert_eq!(summary["record"]["percentage"], json!(100.0));
    let parts = &summary["parts"];
    assert_eq!(parts["arrived"].as_array().unwrap().len(), PARTS as usize);
    assert_eq!(parts["complete"], json!(true));
    assert_eq!(server.current_records().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn parts_that_arrive_at_the_same_moment_are_all_united() {
    assert_united(Arc::new(TestServer::start().await)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_services_on_one_database_and_one_bucket_unite_parts_that_race() {
    if !is_postgres() {
        return;
    }
    let Some(storage) = ObjectStorage::start() else {
        return;
    };
    let folder = TempDir::new().unwrap();
    let reports = storage.url("shared");
    let start = || {
        let arguments = ["--reports-url", reports.as_str()];
        ServerProcess::start_by(storage.command(), folder.path(), &arguments)
    };
    let (one, other) = (start(), start());
    let address = |server: &ServerProcess| server.url("").replace("http://", "");
    let balancer = Balancer::start(vec![address(&one), address(&other)]).await;
    assert_united(Arc::new(balancer)).await;
}
