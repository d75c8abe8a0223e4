//! The ledger of uploads: a row for each attempt.

use crate::harness::{Archive, Reachable, TestServer, Upload, cobertura};
use access::Tokens;
use domain::{LedgerQuery, Outcome, REFUSALS, Sender};
use store::LedgerLimit;
use tempfile::TempDir;

fn upload() -> Upload {
    Upload::of(Archive::report("<p>", &cobertura(1, 2)).tar_gz())
}

#[tokio::test]
async fn an_accepted_upload_is_in_the_ledger_with_its_record() {
    let server = TestServer::start().await;
    let answer = upload().accepted(&server).await;
    upload().accepted(&server).await;
    let ledger = server.store().await.writer().ledger(10).await.unwrap();
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
async fn an_upload_of_a_part_is_in_the_ledger_with_its_part() {
    let server = TestServer::start().await;
    let unit = upload().with("part", "unit").with("parts", "unit,e2e");
    unit.accepted(&server).await;
    let rows = server.store().await.writer().ledger(1).await.unwrap();
    assert_eq!(rows[0].part.as_deref(), Some("unit"));
    assert_eq!(
        rows[0].detail,
        "Record 1 had 50.00 % then, and waited for e2e."
    );
    let html = server.get_text("/uploads").await;
    assert!(html.contains("<bdi>unit</bdi>"), "{html}");
}

#[tokio::test]
async fn a_refused_upload_is_in_the_ledger_with_the_error_of_its_client() {
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
        let row = server
            .store()
            .await
            .writer()
            .ledger(1)
            .await
            .unwrap()
            .remove(0);
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
async fn the_ledger_names_the_token_of_the_database() {
    let server = TestServer::start_in(TempDir::new().unwrap(), &["--upload-token", "other"]).await;
    let tokens = Tokens::new(None, server.store().await);
    let token = tokens.make_first().await.unwrap().unwrap();
    upload().authorization(Some(&token)).accepted(&server).await;
    let row = server
        .store()
        .await
        .writer()
        .ledger(1)
        .await
        .unwrap()
        .remove(0);
    assert_eq!(row.token_name.as_deref(), Some("made at the first start"));
}

#[tokio::test]
async fn a_request_id_finds_the_ledger_row_of_an_answer() {
    let server = TestServer::start().await;
    let response = upload().send(&server).await;
    let row = server
        .store()
        .await
        .writer()
        .ledger(1)
        .await
        .unwrap()
        .remove(0);
    assert_eq!(response.headers()["x-request-id"], row.request_id.as_str());
}

#[tokio::test]
async fn the_ledger_keeps_the_newest_rows_and_strangers_evict_no_others() {
    let server = TestServer::start().await;
    upload().accepted(&server).await;
    let store = server.store().await;
    let known = store.writer().ledger(1).await.unwrap().remove(0);
    let mut stranger = known.clone();
    stranger.token_name = None;
    store
        .writer()
        .add_to_ledger(&vec![known; 30])
        .await
        .unwrap();
    store
        .writer()
        .add_to_ledger(&vec![stranger; 30])
        .await
        .unwrap();
    store.writer().trim_ledger(LedgerLimit(20)).await.unwrap();
    let rows = store.writer().ledger(100).await.unwrap();
    let of_known = rows.iter().filter(|row| row.token_name.is_some()).count();
    assert_eq!((of_known, rows.len() - of_known), (20, 2));
}

#[tokio::test]
async fn overlong_names_and_messages_are_truncated() {
    let server = TestServer::start().await;
    let long = "ü".repeat(3_000);
    upload().with("branch_name", &long).refused(&server).await;
    let row = server
        .store()
        .await
        .writer()
        .ledger(1)
        .await
        .unwrap()
        .remove(0);
    assert_eq!(row.branch_name, Some("ü".repeat(127)));
    assert!(row.detail.len() <= 1_000);
    assert!(server.records().await.is_empty());
}

#[tokio::test]
async fn the_ledger_is_filtered_and_paged_without_gaps() {
    let server = TestServer::start().await;
    upload().accepted(&server).await;
    let store = server.store().await;
    let row = store.writer().ledger(1).await.unwrap().remove(0);
    let rows = (0..120).map(|n| {
        let mut row = row.clone();
        row.request_id = n.to_string();
        if n % 3 == 0 {
            (row.status, row.code) = (401, "invalid_token".to_owned());
            (row.token_name, row.repo_name) = (None, Some("Other".to_owned()));
        }
        row
    });
    let rows: Vec<_> = rows.collect();
    store.writer().add_to_ledger(&rows).await.unwrap();
    let all = LedgerQuery::default();
    let mut seen = Vec::new();
    let mut query = all.clone();
    loop {
        let page = store.everything().ledger_page(&query).await.unwrap();
        assert!(page.attempts.len() <= 25);
        seen.extend(page.attempts.into_iter().map(|attempt| attempt.id));
        query.before = page.next;
        if page.next.is_none() {
            break;
        }
    }
    assert_eq!(seen, (1..=121).rev().collect::<Vec<i64>>());
    let count = async |query: LedgerQuery| {
        let page = store.everything().ledger_page(&query).await.unwrap();
        (page.attempts.len(), page.next.is_some())
    };
    let refused = LedgerQuery {
        outcome: Some(Outcome::Refused),
        ..all.clone()
    };
    assert_eq!(count(refused).await, (25, true));
    let known = LedgerQuery {
        sender: Some(Sender::Known),
        ..all.clone()
    };
    assert_eq!(count(known).await, (25, true));
    let code = LedgerQuery {
        code: "invalid_token".to_owned(),
        ..all.clone()
    };
    assert_eq!(count(code).await, (25, true));
    for (text, found) in [
        ("E/OTH", (25, true)),
        ("acme/other", (25, true)),
        ("%", (0, false)),
        ("_", (0, false)),
        ("\0", (0, false)),
    ] {
        let text = LedgerQuery {
            repository: text.to_owned(),
            ..all.clone()
        };
        assert_eq!(count(text).await, found);
    }
    let day = store.everything().ledger_page(&all).await.unwrap().last_day;
    assert_eq!((day.attempts, day.refused, day.unknown), (121, 40, 40));
    assert!(!day.is_cut);
}

#[tokio::test]
async fn a_page_with_few_matches_links_to_older_attempts() {
    let server = TestServer::start().await;
    upload().with("org_name", "rare").accepted(&server).await;
    let store = server.store().await;
    let mut row = store.writer().ledger(1).await.unwrap().remove(0);
    row.org_name = Some("acme".to_owned());
    store
        .writer()
        .add_to_ledger(&vec![row; 10_000])
        .await
        .unwrap();
    let mut query = LedgerQuery {
        repository: "rare/".to_owned(),
        ..LedgerQuery::default()
    };
    let first = store.everything().ledger_page(&query).await.unwrap();
    assert!(first.attempts.is_empty() && first.last_day.is_cut);
    query.before = first.next;
    let second = store.everything().ledger_page(&query).await.unwrap();
    assert_eq!((second.attempts.len(), second.next), (1, None));
}

#[tokio::test]
async fn recent_attempts_are_shown_for_a_repository_or_the_last_hour() {
    let server = TestServer::start().await;
    let store = server.store().await;
    let payments = "acme/payments".parse().unwrap();
    let nothing = store.everything().arrivals(Some(&payments)).await.unwrap();
    assert!(nothing.attempts.is_empty() && nothing.newest.is_none());
    upload().authorization(None).refused(&server).await;
    upload().with("repo_name", "other").accepted(&server).await;
    let refused = store.everything().arrivals(Some(&payments)).await.unwrap();
    assert_eq!((refused.attempts.len(), refused.newest), (1, None));
    assert_eq!(refused.attempts[0].code, "missing_token");
    upload().accepted(&server).await;
    let arrivals = store.everything().arrivals(Some(&payments)).await.unwrap();
    assert_eq!(arrivals.attempts[0].code, "created");
    let newest = arrivals.newest.unwrap();
    assert_eq!(Some(newest.record_id), arrivals.attempts[0].record_id);
    assert_eq!(newest.percentage.to_string(), "50.00");
    let mut old = store.writer().ledger(1).await.unwrap().remove(0);
    assert_eq!(
        store
            .everything()
            .arrivals(None)
            .await
            .unwrap()
            .attempts
            .len(),
        3
    );
    old.received_at.0 -= 2 * 3_600_000_000;
    store.writer().add_to_ledger(&vec![old; 5]).await.unwrap();
    let all = store.everything().arrivals(None).await.unwrap();
    assert!(all.attempts.is_empty());
    assert_eq!(all.newest.unwrap().repository, payments);
}

/// Error codes that no upload causes.
const OF_OTHER_ROUTES: [&str; 23] = [
    "no_source",
    "no_tests",
    "no_view",
    "not_a_reader",
    "whole_service",
    "admin_token_required",
    "service_worker_not_allowed",
    "navigation_only",
    "host_not_allowed",
    "form_of_another_site",
    "origin_not_allowed",
    "only_part",
    "no_history",
    "unknown_since",
    "no_changes",
    "no_lines",
    "no_such_file",
    "no_base",
    "no_counts",
    "login_issuer_unreachable",
    "method_not_allowed",
    "precondition_failed",
    "range_not_satisfiable",
];

#[test]
fn every_upload_error_code_of_the_manual_has_advice() {
    let manual = include_str!("../../../../docs/src/api.md");
    let table = manual.split_once("| status | codes |").unwrap().1;
    let table = table.split_once("\n\n").unwrap().0;
    let mut codes: Vec<_> = table.split('`').skip(1).step_by(2).collect();
    codes.retain(|code| code.contains('_') || *code == "unavailable");
    codes.retain(|code| !OF_OTHER_ROUTES.contains(code));
    let mut advised: Vec<_> = REFUSALS.iter().map(|refusal| refusal.code).collect();
    codes.sort_unstable();
    advised.sort_unstable();
    assert_eq!(codes, advised);
}

#[tokio::test]
async fn repositories_with_similar_names_are_found() {
    let server = TestServer::start().await;
    for (org, repo) in [
        ("acme", "payments"),
        ("zoo", "payments"),
        ("acme", "billing"),
    ] {
        let upload = upload().with("org_name", org).with("repo_name", repo);
        upload.accepted(&server).await;
    }
    let store = server.store().await;
    let like = async |name: &str| {
        let found = store.everything().repositories_like(name).await.unwrap();
        found.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        like("acme/paymetns").await,
        ["acme/payments", "zoo/payments"]
    );
    assert_eq!(like("Payment").await, ["acme/payments", "zoo/payments"]);
    assert_eq!(like("acme/bilin").await, ["acme/billing"]);
    assert!(like("nothing").await.is_empty());
    assert!(like(&"x/".repeat(5_000)).await.is_empty());
}

#[tokio::test]
async fn the_uploads_page_names_missing_and_wrong_parameters() {
    let server = TestServer::start().await;
    let hostile = upload()
        .without("branch_name")
        .with("language", "<b>evil</b>")
        .authorization(None);
    hostile.refused(&server).await;
    for path in ["/uploads", "/setup?org_name=acme&repo_name=payments"] {
        let page = server.get_text(path).await;
        let named = "Correct these parameters: branch_name is missing; language is not valid.";
        assert!(page.contains(named), "{path}: {page}");
        assert!(!page.contains("evil"), "{path}: {page}");
    }
}
