use super::*;
use serde_json::json;
use std::sync::Arc;

const PARTS: u32 = 24;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn parts_that_arrive_at_the_same_moment_are_all_united() {
    let server = Arc::new(TestServer::start().await);
    let uploads = (1..=PARTS).map(|number| {
        let server = server.clone();
        let hits: Vec<_> = (1..=PARTS)
            .map(|line| (line, u32::from(line == number)))
            .collect();
        let upload = part(&format!("p{number}"), &lcov("a.c", &hits));
        tokio::spawn(async move { id(&upload.accepted(&*server).await) })
    });
    let mut ids = Vec::new();
    for upload in uploads.collect::<Vec<_>>() {
        ids.push(upload.await.unwrap());
    }
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    let summary = summary(&server, ids[0]).await;
    assert_eq!(summary["record"]["percentage"], json!(100.0));
    assert_eq!(
        summary["parts"]["arrived"].as_array().unwrap().len(),
        PARTS as usize
    );
}
