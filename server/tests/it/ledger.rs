//! The ledger of uploads: a row for each attempt.

use crate::harness::{Archive, Reachable, TestServer, Upload, cobertura};
use server::{auth::Tokens, store::LedgerLimit};
use tempfile::TempDir;

fn upload() -> Upload {
    Upload::of(Archive::report("<p>", &cobertura(1, 2)).tar_gz())
}

#[tokio::test]
async fn an_upload_that_is_taken_is_entered_with_its_record() {
    let server = TestServer::start().await;
    let answer = upload().accepted(&server).await;
    upload().accepted(&server).await;
    let ledger = server.store().await.ledger(10).await.unwrap();
    let (retry, first) = (&ledger[0], &ledger[1]);
    assert_eq!((first.status, first.code.as_str()), (201, "created"));
    assert_eq!((retry.status, retry.code.as_str()), (200, "replaced"));
    assert_eq!(first.record_id, answer["coverage"]["id"].as_i64());
    assert_eq!(
        first.detail,
        format!("Record {} has 50.00 %.", answer["coverage"]["id"])
    );
    let names = [
        &first.org_name,
        &first.repo_name,
        &first.branch_name,
        &first.commit_hash,
    ];
    assert_eq!(
        names.map(|name| name.as_deref().unwrap()),
        ["acme", "payments", "main", "c1"]
    );
    assert_eq!(first.language.as_deref(), Some("rust"));
    assert_eq!(first.token_name.as_deref(), Some("UPLOAD_TOKEN"));
    assert_eq!(first.report_format.as_deref(), Some("cobertura"));
    assert_eq!(first.files, Some(2));
    assert!(first.bytes > 100 && first.milliseconds >= 0);
    assert!(first.received_at < retry.received_at && !first.request_id.is_empty());
}

#[tokio::test]
async fn an_upload_that_is_refused_is_entered_with_what_its_client_was_told() {
    let server = TestServer::start().await;
    let refusals = [
        upload().without("org_name").with("branch_name", "a\nb"),
        upload().authorization(None),
        upload().authorization(Some("wr0ng-t0ken")),
        upload().with("coverage_xml_file_name", "other.xml"),
        Upload::of(b"no archive".to_vec()),
        upload().in_part("files"),
    ];
    for refusal in refusals {
        let (status, problem) = refusal.refused(&server).await;
        let row = server.store().await.ledger(1).await.unwrap().remove(0);
        assert_eq!(row.status, i64::from(status));
        assert_eq!(row.code, problem["code"]);
        assert_eq!(row.detail, problem["detail"]);
        assert_eq!(row.repo_name.as_deref(), Some("payments"));
        assert_eq!(row.record_id, None);
        let has_token = !matches!(
            row.code.as_str(),
            "invalid_parameter" | "missing_token" | "invalid_token"
        );
        assert_eq!(row.token_name.is_some(), has_token, "{row:?}");
        assert!(!format!("{row:?}").contains("wr0ng-t0ken"));
    }
}

#[tokio::test]
async fn a_token_of_the_database_is_entered_by_its_name() {
    let server = TestServer::start_in(TempDir::new().unwrap(), &["--upload-token", "other"]).await;
    let tokens = Tokens::new(None, server.store().await);
    let token = tokens.make_first().await.unwrap().unwrap();
    upload().authorization(Some(&token)).accepted(&server).await;
    let row = server.store().await.ledger(1).await.unwrap().remove(0);
    assert_eq!(row.token_name.as_deref(), Some("made at the first start"));
}

#[tokio::test]
async fn a_request_id_leads_from_the_answer_to_the_row() {
    let server = TestServer::start().await;
    let response = upload().send(&server).await;
    let row = server.store().await.ledger(1).await.unwrap().remove(0);
    assert_eq!(response.headers()["x-request-id"], row.request_id.as_str());
}

#[tokio::test]
async fn the_ledger_keeps_the_newest_rows_and_a_stranger_pushes_no_other_out() {
    let server = TestServer::start().await;
    upload().accepted(&server).await;
    let store = server.store().await;
    let known = store.ledger(1).await.unwrap().remove(0);
    let mut stranger = known.clone();
    stranger.token_name = None;
    store.add_to_ledger(&vec![known; 30]).await.unwrap();
    store.add_to_ledger(&vec![stranger; 30]).await.unwrap();
    store.trim_ledger(LedgerLimit(20)).await.unwrap();
    let rows = store.ledger(100).await.unwrap();
    let of_known = rows.iter().filter(|row| row.token_name.is_some()).count();
    assert_eq!((of_known, rows.len() - of_known), (20, 2));
}

#[tokio::test]
async fn names_and_sentences_that_are_endless_are_cut() {
    let server = TestServer::start().await;
    let long = "ü".repeat(3_000);
    upload().with("branch_name", &long).refused(&server).await;
    let row = server.store().await.ledger(1).await.unwrap().remove(0);
    assert_eq!(row.branch_name, Some("ü".repeat(127)));
    assert!(row.detail.len() <= 1_000);
    assert!(server.records().await.is_empty());
}
