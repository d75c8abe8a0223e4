//! The other calls: completing a commit, skipping it, the base of a pull request, results of tests, badges.

use super::{
    COMMIT, LCOV, OTHER_LCOV, newest_attempt, payload, post, put, record, records, refusal, server,
    stated_with, summary, upload,
};
use crate::harness::{Archive, Reachable, TOKEN, TestServer, Upload};
use serde_json::{Value, json};

fn of_commit(what: &str) -> String {
    format!("/upload/github/acme::::payments/commits/{COMMIT}/{what}")
}

async fn call(server: &TestServer, what: &str) -> (u16, Value) {
    let request =
        post(server, &of_commit(what)).json(&json!({"cli_args": {}, "version": "11.3.1"}));
    let response = request.send().await.unwrap();
    (response.status().as_u16(), response.json().await.unwrap())
}

#[tokio::test]
async fn upload_complete_ends_the_wait_for_parts() {
    let server = server().await;
    let (status, none) = call(&server, "upload-complete").await;
    assert_eq!((status, &none["uploads_total"]), (404, &json!(0)));
    let web = Archive::new().file("coverage.xml", LCOV).tar_gz();
    let first = Upload::of(web)
        .with("branch_name", "feature")
        .with("commit_hash", COMMIT)
        .with("language", "python")
        .with("part", "web")
        .with("parts", "unit,web,e2e");
    first.accepted(&server).await;
    let unit = stated_with(json!({"flags": ["unit"]}));
    upload(&server, &unit, &[("lcov.info", LCOV)]).await;
    let waiting = record(&server, "acme/payments").await;
    let parts = async || summary(&server, &waiting).await["parts"].clone();
    let before = parts().await;
    assert_eq!(before["complete"], json!(false), "{before}");
    let (status, all) = call(&server, "upload-complete").await;
    assert_eq!((status, &all["uploads_success"]), (200, &json!(1)), "{all}");
    assert_eq!(parts().await["complete"], json!(true));
    assert_eq!(newest_attempt(&server).await.code, "closed");
}

#[tokio::test]
async fn calls_about_a_commit_need_the_token() {
    let server = server().await;
    for what in ["upload-complete", "empty-upload"] {
        let request = server.client.post(server.url(&of_commit(what)));
        let request = request
            .json(&json!({}))
            .header("authorization", "token wr0ng");
        assert_eq!(request.send().await.unwrap().status(), 401, "{what}");
    }
}

#[tokio::test]
async fn without_a_good_token_nobody_learns_whether_a_commit_has_a_record() {
    let server = server().await;
    let feature = stated_with(json!({}));
    upload(&server, &feature, &[("lcov.info", LCOV)]).await;
    for what in ["upload-complete", "empty-upload"] {
        let refused = async |path: String, token: Option<&str>| {
            let mut request = server.client.post(server.url(&path)).json(&json!({}));
            if let Some(token) = token {
                request = request.header("authorization", format!("token {token}"));
            }
            refusal(request.send().await.unwrap()).await
        };
        let known = of_commit(what);
        let unknown = known.replace(COMMIT, &"e".repeat(40));
        for token in [None, Some("wr0ng")] {
            let answer = refused(known.clone(), token).await;
            assert_eq!(answer.0, 401, "{answer:?}");
            assert_eq!(answer, refused(unknown.clone(), token).await);
        }
    }
}

#[tokio::test]
async fn an_empty_upload_is_a_skip() {
    let server = server().await;
    let (status, answer) = call(&server, "empty-upload").await;
    assert_eq!(status, 200, "{answer}");
    assert_eq!(answer["non_ignored_files"], json!([]));
    let row = newest_attempt(&server).await;
    assert_eq!((row.status, row.code.as_str()), (202, "skipped"));
    assert!(records(&server, "acme/payments").await.is_empty());
}

#[tokio::test]
async fn the_base_of_a_pull_request_counts_for_its_next_uploads() {
    let server = server().await;
    let base = "f".repeat(40);
    let path = server.url("/api/v1/github-actions/acme/payments/pulls/7");
    let send = async |token: &str| {
        let request = server.client.put(&path);
        let request = request.header("authorization", format!("token {token}"));
        let form = format!("user_provided_base_sha={base}&cli_args=a&cli_args=b");
        request.body(form).send().await.unwrap()
    };
    assert_eq!(send("wr0ng").await.status(), 401);
    assert_eq!(send(TOKEN).await.status(), 200);
    let of_base = stated_with(json!({"branch": "main", "commitid": base}));
    upload(&server, &of_base, &[("lcov.info", LCOV)]).await;
    let of_request = stated_with(json!({"pullid": "7"}));
    upload(&server, &of_request, &[("lcov.info", LCOV)]).await;
    let record = record(&server, "acme/payments").await;
    let summary = summary(&server, &record).await;
    assert_eq!(summary["base"]["commit_hash"], base, "{summary}");
    assert_eq!(summary["base"]["found_by"], "commit", "{summary}");
}

#[tokio::test]
async fn results_of_tests_are_answered_and_not_stored() {
    let server = server().await;
    let stated = json!({"slug": "acme::::payments", "commit": COMMIT, "branch": "feature", "flags": [], "service": "github", "file_not_found": false});
    let answer = post(&server, "/upload/test_results/v1")
        .json(&stated)
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 201);
    let answer: Value = answer.json().await.unwrap();
    let address = answer["raw_upload_location"].as_str().unwrap();
    let stored = put(&server, address, payload(&[("lcov.info", LCOV)])).await;
    assert_eq!(stored.status(), 200);
    assert!(records(&server, "acme/payments").await.is_empty());
    let row = newest_attempt(&server).await;
    assert_eq!((row.status, row.code.as_str()), (200, "test_results"));
    assert!(row.detail.contains("not stored"), "{}", row.detail);
    let long = put(&server, address, vec![b' '; (16 << 20) + 1]).await;
    let (status, why) = refusal(long).await;
    assert_eq!(status, 413, "{why}");
}

#[tokio::test]
async fn other_uploads_are_refused_with_a_sentence() {
    let server = server().await;
    let answer = post(&server, "/upload/bundle_analysis/v1")
        .json(&json!({}))
        .send()
        .await;
    let (status, why) = refusal(answer.unwrap()).await;
    assert_eq!(status, 404);
    assert!(why.contains("coverage files only"), "{why}");
}

#[tokio::test]
async fn badges_of_codecov_are_answered_as_badges() {
    let server = server().await;
    let main = stated_with(json!({"branch": "release/1.0"}));
    upload(&server, &main, &[("lcov.info", LCOV)]).await;
    for path in [
        "/gh/acme/payments/graph/badge.svg?token=abc",
        "/gl/acme/payments/branch/release/1.0/graphs/badge.svg",
    ] {
        let badge = server.get_text(path).await;
        assert!(
            badge.contains("<svg") && badge.contains("75"),
            "{path}: {badge}"
        );
    }
    for path in [
        "/bb/acme/other/graph/badge.svg",
        "/gh/nothing",
        "/gh/acme/payments/graph/badge.svg?flag=none",
        "/gh/acme/payments/graph/badge.svg?component=none",
    ] {
        let badge = server.get(path).await;
        assert_eq!(badge.status(), 200);
        assert!(badge.text().await.unwrap().contains("unknown"), "{path}");
    }
}

#[tokio::test]
async fn a_badge_of_codecov_has_its_flag_its_precision_and_a_text() {
    let server = server().await;
    for (flag, coverage) in [("Unit Tests", LCOV), ("web", OTHER_LCOV)] {
        let stated = stated_with(json!({"branch": "main", "flags": [flag]}));
        upload(&server, &stated, &[("lcov.info", coverage)]).await;
    }
    for (query, expected) in [
        ("", "100.00%"),
        ("?flag=Unit%20Tests", "75.00%"),
        ("?flag=web&token=x", "50.00%"),
        ("?flag=web&precision=0", "50%"),
        ("?flag=web&precision=1", "50.0%"),
        ("?precision=7", "100.00%"),
    ] {
        let path = format!("/gh/acme/payments/graph/badge.svg{query}");
        let badge = server.get_text(&path).await;
        let title = format!("<title>coverage: {expected}</title>");
        assert!(badge.contains(&title), "{query}: {badge}");
    }
    for (path, expected) in [
        ("/gh/acme/payments/graph/badge.txt", "100"),
        (
            "/gh/acme/payments/branch/main/graph/badge.txt?flag=unit-tests&precision=2",
            "75.00",
        ),
        ("/gh/acme/none/graph/badge.txt", "unknown"),
    ] {
        let text = server.get(path).await;
        let kind = text.headers()["content-type"].to_str().unwrap();
        assert!(kind.starts_with("text/plain"), "{path}: {kind}");
        assert_eq!(text.text().await.unwrap(), expected, "{path}");
    }
}

#[tokio::test]
async fn a_badge_of_a_component_counts_the_files_of_its_view() {
    let server = server().await;
    let other = LCOV
        .replace("src/fee.py", "web/fee.py")
        .replace("DA:2,0", "DA:2,1");
    let both = format!("{LCOV}{other}");
    let settings = "[views]\nweb = [\"web/**\"]\n";
    Upload::of(Archive::new().file("coverage.xml", &both).tar_gz())
        .with("branch_name", "main")
        .with("commit_hash", COMMIT)
        .with("language", "python")
        .before("settings", settings.as_bytes())
        .accepted(&server)
        .await;
    let badge = async |query: &str| {
        let path = format!("/gh/acme/payments/graph/badge.svg{query}");
        server.get_text(&path).await
    };
    let (web, whole) = (badge("?component=web").await, badge("").await);
    assert!(web.contains("100.00%"), "{web}");
    assert!(whole.contains("87.50%"), "{whole}");
}
