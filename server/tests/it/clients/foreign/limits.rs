//! The limits of a repository and of a sender, for clients of other services.

use super::{
    codecov::{
        LCOV, UPLOAD, announced, body_address::begin, newest_attempt, payload, put, refusal, stated,
    },
    coveralls::{self, answer, job, send as send_job},
    token_for,
};
use crate::{
    harness::{Archive, Reachable, TOKEN, TestServer, Upload, cobertura, noise},
    upload::queue::is_full,
};
use serde_json::{Value, json};
use tempfile::TempDir;

async fn server_in(folder: TempDir, arguments: &[&str]) -> TestServer {
    let own = ["--upload-token", TOKEN, "--accept", "codecov,coveralls"];
    TestServer::start_in(folder, &[&own[..], arguments].concat()).await
}

#[tokio::test]
async fn a_used_quota_is_413_because_clients_show_no_answer_above_500() {
    let server = server_in(TempDir::new().unwrap(), &[]).await;
    let report = Archive::report("<p>", &cobertura(1, 2)).file("noise.png", noise(10_000));
    Upload::of(report.tar_gz()).accepted(&server).await;
    let address = announced(&server, &stated()).await;
    let ticket = address.strip_prefix(&server.url("")).unwrap().to_owned();
    let folder = server.stop().await;
    let quota = ["--quota-bytes-per-repository", "1000"];
    let server = server_in(folder, &quota).await;
    let refused = [
        {
            let call = server.client.post(server.url(UPLOAD)).json(&stated());
            let call = call.header("authorization", format!("token {TOKEN}"));
            refusal(call.send().await.unwrap()).await
        },
        {
            let body = payload(&[("lcov.info", LCOV)]);
            refusal(put(&server, &server.url(&ticket), body).await).await
        },
        {
            let (status, answer) = answer(send_job(&server, &job()).await).await;
            (status, answer["message"].as_str().unwrap().to_owned())
        },
    ];
    for (status, why) in refused {
        assert_eq!(status, 413, "{why}");
        assert!(why.contains("QUOTA_BYTES_PER_REPOSITORY"), "{why}");
        assert_eq!(newest_attempt(&server).await.code, "quota_exceeded");
    }
    assert_eq!(server.records().await.len(), 1);
}

#[tokio::test]
async fn bodies_of_one_token_leave_permits_for_another() {
    let few = ["--concurrent-uploads", "2", "waiting_uploads", "0"];
    let server = server_in(TempDir::new().unwrap(), &few).await;
    // The start creates the tables.
    server.get("/coverages-api/health").await;
    let token = token_for(&server, "acme/billing");
    let first = announced(&server, &stated()).await;
    let (_under_way, send) = begin(&server, &first, "{");
    // It has the whole share of its token.
    is_full(&server).await;
    let second = announced(&server, &stated()).await;
    let by_other = async {
        let path = UPLOAD.replace("payments", "billing");
        let call = server.client.post(server.url(&path)).json(&stated());
        let call = call.header("authorization", format!("token {token}"));
        let called: Value = call.send().await.unwrap().json().await.unwrap();
        let address = called["raw_upload_location"].as_str().expect("an address");
        let stored = put(&server, address, payload(&[("lcov.info", LCOV)])).await;
        assert_eq!(stored.status(), 200);
        let job = coveralls::with(job(), &json!({"repo_token": token}));
        assert_eq!(send_job(&server, &job).await.status(), 200);
        assert!(!send.is_closed(), "the first one is still under way");
        drop(send);
    };
    let of_same = put(&server, &second, payload(&[("lcov.info", LCOV)]));
    let (same, ()) = tokio::join!(of_same, by_other);
    assert_eq!(same.status(), 200);
}
