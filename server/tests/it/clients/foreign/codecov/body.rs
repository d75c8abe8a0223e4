//! Bodies: limits, damage and what is left out.

use super::{
    COMMIT, LCOV, OTHER_LCOV, announced, body_of, file, lines, newest_attempt, packed, payload,
    put, record, records, refusal, server, server_with, stated, upload,
};
use crate::harness::{Reachable, gzip};
use serde_json::json;

/// A body with one coverage file.
fn with_data(format: &str, data: &str) -> String {
    body_of(&[file("/x/lcov.info", format, data)])
}

#[tokio::test]
async fn a_bomb_stops_at_the_limit() {
    let server = server().await;
    let bomb = packed(&vec![b' '; 100 << 20]);
    let body = with_data("base64+compressed", &bomb);
    assert!(body.len() < 1 << 20);
    let address = announced(&server, &stated()).await;
    let (status, why) = refusal(put(&server, &address, body.clone()).await).await;
    assert_eq!(status, 413, "{why}");
    let text = format!("# path=lcov.info\n{}\n<<<<<< EOF\n", " ".repeat(100 << 20));
    let (status, why) = refusal(put(&server, &address, gzip(text.as_bytes())).await).await;
    assert_eq!(status, 413, "{why}");
    assert!(records(&server, "acme/payments").await.is_empty());
}

#[tokio::test]
async fn a_body_that_is_too_large_is_refused() {
    let server = server_with(&["--max-upload-bytes", "1000"]).await;
    let small = super::stated_with(json!({"report_payload_bytes": 10}));
    let address = announced(&server, &small).await;
    let body = with_data("text", &"x".repeat(2_000));
    let (status, why) = refusal(put(&server, &address, body).await).await;
    assert_eq!(status, 413, "{why}");
    assert!(why.contains("MAX_UPLOAD_BYTES"), "{why}");
    let row = newest_attempt(&server).await;
    assert_eq!(row.code, "upload_too_large");
    assert_eq!(row.commit_hash.as_deref(), Some(COMMIT));
}

#[tokio::test]
async fn damaged_bodies_are_refused_with_a_sentence() {
    let server = server().await;
    let good = packed(LCOV.as_bytes());
    for (body, status) in [
        (with_data("base64+compressed", "!!!"), 400),
        (with_data("base64+compressed", &good[..good.len() / 2]), 400),
        (with_data("base64+compressed", "aGVsbG8="), 400),
        (with_data("base64+compressed", &packed(b"no coverage")), 422),
        (payload(&[("lcov.info", LCOV)])[..300].to_owned(), 400),
        (r#"{"coverage_files": []}"#.to_owned(), 422),
        ("[1, 2]".to_owned(), 422),
        (String::new(), 422),
    ] {
        let address = announced(&server, &stated()).await;
        let (answered, why) = refusal(put(&server, &address, body.clone()).await).await;
        let start = &body[..body.len().min(200)];
        assert_eq!(answered, status, "{start}: {why}");
        assert!(why.ends_with('.') || why.ends_with(')'), "{why}");
    }
    assert!(records(&server, "acme/payments").await.is_empty());
}

#[tokio::test]
async fn data_of_another_format_is_the_text_itself() {
    let server = server().await;
    let address = announced(&server, &stated()).await;
    let stored = put(&server, &address, with_data("text", LCOV)).await;
    assert_eq!(stored.status(), 200);
    assert_eq!(record(&server, "acme/payments").await["percentage"], 75.0);
}

#[tokio::test]
async fn one_run_in_two_formats_counts_once_and_the_page_says_so() {
    let server = server().await;
    let json = r#"{"coverage": {"src/fee.py": [null, 3, 0, null, "1/2", 1]}}"#;
    upload(
        &server,
        &stated(),
        &[("lcov.info", LCOV), ("codecov.json", json)],
    )
    .await;
    let record = record(&server, "acme/payments").await;
    assert_eq!(record["percentage"], 75.0);
    let page = format!("/records/{}", record["id"]);
    let page = server.get_text(&page).await;
    assert!(page.contains("codecov.json has the same run as lcov.info"));
}

#[tokio::test]
async fn several_coverage_files_of_one_upload_are_united() {
    let server = server().await;
    let files = [
        ("unit/lcov.info", LCOV),
        ("web/lcov.info", OTHER_LCOV),
        ("coverage.css", "p {}"),
    ];
    upload(&server, &stated(), &files).await;
    let record = record(&server, "acme/payments").await;
    assert_eq!(record["percentage"], 100.0);
    let lines = lines(&server, &record, "src/fee.py").await;
    assert_eq!(lines["hit"], json!([[1, 2], [5, 5]]), "{lines}");
    assert_eq!(lines["partial"], json!([[4, 4]]), "{lines}");
}

#[tokio::test]
async fn each_language_of_a_body_has_its_record() {
    let server = server().await;
    let go = "mode: set\nsrc/fee.go:1.2,3.4 1 1\n";
    upload(
        &server,
        &stated(),
        &[("lcov.info", LCOV), ("cover.out", go)],
    )
    .await;
    let mut languages: Vec<_> = records(&server, "acme/payments").await;
    languages.sort_by_key(|record| record["language"].to_string());
    assert_eq!(languages[0]["language"], "go");
    assert_eq!(languages[1]["language"], "python");
    let row = newest_attempt(&server).await;
    assert_eq!(row.language.as_deref(), Some("go, python"));
}

#[tokio::test]
async fn the_list_of_files_maps_the_paths_of_the_job() {
    let server = server().await;
    let absolute = LCOV.replace("SF:src", "SF:/builds/acme/app/src");
    upload(&server, &stated(), &[("lcov.info", &absolute)]).await;
    let record = record(&server, "acme/payments").await;
    let lines = lines(&server, &record, "src/fee.py").await;
    assert_eq!(lines["coverable"], 4, "{lines}");
}
