//! `GET /coverages-api`.

use crate::harness::{Archive, Reachable, TestServer, Upload, cobertura, is_postgres};
use serde_json::Value;
use std::process::Command;

async fn upload(server: &TestServer, org: &str, repo: &str, branch: &str, commit: &str) {
    let upload = Upload::of(Archive::new().file("coverage.xml", cobertura(1, 2)).tar());
    upload
        .with("org_name", org)
        .with("repo_name", repo)
        .with("branch_name", branch)
        .with("commit_hash", commit)
        .accepted(server)
        .await;
}

/// Two repositories and a nested one; `acme/a` with two branches, the first of which has two records.
async fn filled() -> TestServer {
    let server = TestServer::start().await;
    for (org, repo, branch, commit) in [
        ("zoo", "b", "main", "z1"),
        ("acme", "a", "main", "a1"),
        ("acme", "a", "dev/x", "a2"),
        ("acme", "a", "main", "a3"),
        ("acme/sub", "a", "main", "s1"),
    ] {
        upload(&server, org, repo, branch, commit).await;
    }
    server
}

/// The commits of a listing, each with its key, in the order of the text.
async fn commits(server: &TestServer, query: &str) -> Vec<String> {
    let text = server.get_text(&format!("/coverages-api?{query}")).await;
    let listing: Value = serde_json::from_str(&text).unwrap();
    let data = listing["data"].as_object().unwrap();
    let mut keys: Vec<&String> = data.keys().collect();
    keys.sort_by_key(|key| text.find(&format!("\"{key}\":")));
    let of = |key: &String| {
        data[key]
            .as_array()
            .unwrap()
            .iter()
            .map(|record| format!("{key} {}", record["commit_hash"].as_str().unwrap()))
            .collect::<Vec<_>>()
    };
    keys.into_iter().flat_map(of).collect()
}

#[tokio::test]
async fn current_records_are_listed_by_org_then_repo_then_newest_first() {
    let server = filled().await;
    assert_eq!(
        commits(&server, "").await,
        ["acme/a a3", "acme/a a2", "acme/sub/a s1", "zoo/b z1"]
    );
}

#[tokio::test]
async fn the_full_listing_adds_the_history() {
    let server = filled().await;
    for flag in ["full", "full=", "full=1", "full=true"] {
        assert_eq!(
            commits(&server, flag).await,
            [
                "acme/a a3",
                "acme/a a2",
                "acme/a a1",
                "acme/sub/a s1",
                "zoo/b z1"
            ],
            "{flag}"
        );
    }
    for flag in ["full=0", "full=false"] {
        assert_eq!(commits(&server, flag).await.len(), 4, "{flag}");
    }
}

#[tokio::test]
async fn filters_match_whole_names_and_the_keyword_matches_anywhere() {
    let server = filled().await;
    for (query, count) in [
        ("org_name=acme", 2),
        ("org_name=ACME", 2),
        ("org_name=acm", 0),
        ("repo_name=a", 3),
        ("repo_name=A", 3),
        ("branch_name=dev/x", 1),
        ("branch_name=Dev/x", 0),
        ("language=rust", 4),
        ("language=go", 0),
        ("language=Rust", 0),
        ("commit_author=Kim", 4),
        ("commit_author=kim", 0),
        ("keyword=ACME/A", 2),
        ("keyword=o/b", 1),
        ("keyword=_", 0),
        ("keyword=%25", 0),
        ("keyword=%00", 0),
        ("org_name=acme&repo_name=a&branch_name=main&full", 2),
        ("unknown=parameter", 4),
    ] {
        assert_eq!(commits(&server, query).await.len(), count, "{query}");
    }
}

#[tokio::test]
async fn pages_count_from_one_and_zero_means_the_first() {
    let server = filled().await;
    let page = async |query: &str| {
        let listing = server
            .get_json(&format!("/coverages-api?full&per_page=2&{query}"))
            .await;
        (
            commits(&server, &format!("full&per_page=2&{query}")).await,
            listing["has_next"].as_bool().unwrap(),
        )
    };
    let first = (vec!["acme/a a3".to_owned(), "acme/a a2".to_owned()], true);
    assert_eq!(
        [page("").await, page("p=0").await, page("p=1").await],
        [first.clone(), first.clone(), first]
    );
    assert_eq!(
        page("p=2").await,
        (
            vec!["acme/a a1".to_owned(), "acme/sub/a s1".to_owned()],
            true
        )
    );
    assert_eq!(page("p=3").await, (vec!["zoo/b z1".to_owned()], false));
    for past in ["p=4", "p=18446744073709551615", "p=99999999999999999999"] {
        assert_eq!(page(past).await, (vec![], false));
    }
}

#[tokio::test]
async fn an_empty_service_lists_nothing() {
    let server = TestServer::start().await;
    assert_eq!(
        server.get_text("/coverages-api").await,
        r#"{"has_next":false,"data":{}}"#
    );
}

#[tokio::test]
async fn all_bad_parameters_are_named_with_their_messages() {
    let server = TestServer::start().await;
    for page in ["-1", "x", "1.5", "+1"] {
        let response = server.get(&format!("/coverages-api?p={page}")).await;
        assert_eq!(response.status(), 422);
        let problem: Value = response.json().await.unwrap();
        assert_eq!(
            (problem["code"].as_str(), problem["errors"]["p"].as_str()),
            (Some("invalid_parameter"), Some("p greater than 0"))
        );
    }
    for query in [
        "per_page=0",
        "per_page=1001",
        "full=maybe",
        "p=-1&per_page=x&full=2",
    ] {
        let response = server.get(&format!("/coverages-api?{query}")).await;
        assert_eq!(response.status(), 422, "{query}");
        let problem: Value = response.json().await.unwrap();
        assert_eq!(
            problem["errors"].as_object().unwrap().len(),
            query.split('&').count(),
            "{problem}"
        );
    }
}

#[tokio::test]
async fn an_unchanged_listing_is_304() {
    let server = filled().await;
    let first = server.get("/coverages-api").await;
    let etag = first.headers()["etag"].clone();
    let ask = async || {
        server
            .client
            .get(server.url("/coverages-api"))
            .header("if-none-match", &etag)
            .send()
            .await
            .unwrap()
    };
    let unchanged = ask().await;
    assert_eq!(
        (
            unchanged.status().as_u16(),
            unchanged.headers()["etag"].clone()
        ),
        (304, etag.clone())
    );
    assert!(unchanged.bytes().await.unwrap().is_empty());
    upload(&server, "acme", "new", "main", "n1").await;
    assert_eq!(ask().await.status(), 200);
}

#[tokio::test]
async fn a_keyword_of_any_length_gets_an_answer() {
    let server = filled().await;
    assert!(
        commits(&server, &format!("keyword={}", "a".repeat(60_000)))
            .await
            .is_empty()
    );
}

#[tokio::test]
async fn health_says_that_the_database_answers() {
    let server = TestServer::start().await;
    assert!(server.get_json("/coverages-api/health").await["success"].is_string());
}

#[tokio::test]
async fn a_listing_includes_every_upload_answered_before_the_request() {
    let server = TestServer::start().await;
    let uploading = (0..8).map(|uploader| {
        let server = &server;
        async move {
            for number in 0..12 {
                let (repo, commit) = (format!("r{uploader}"), format!("c{number}"));
                upload(server, "acme", &repo, "main", &commit).await;
                for query in ["", "full", "org_name=acme&full&p=1"] {
                    let newest = format!("acme/{repo} {commit}");
                    let listed = commits(server, query).await;
                    assert!(listed.contains(&newest), "{newest} is not in {listed:?}");
                }
            }
        }
    });
    futures::future::join_all(uploading).await;
}

/// The PostgreSQL process of the connection that reads versions, once it exists.
async fn watching_process(server: &TestServer) -> i64 {
    let pid = sqlx::query_scalar(
        "select cast(pid as bigint) from pg_stat_activity
         where datname = current_database() and query like 'select pg_current_snapshot%'",
    );
    pid.fetch_one(&mut server.database().await).await.unwrap()
}

#[tokio::test]
async fn a_listing_survives_a_dropped_database_connection() {
    if !is_postgres() {
        return;
    }
    let server = filled().await;
    let before = commits(&server, "").await;
    let pid = watching_process(&server).await.to_string();
    let signal = |signal: &str| Command::new("kill").args([signal, &pid]).status().unwrap();
    // This process is neither root nor the user of PostgreSQL, so the test cannot run.
    if !signal("-STOP").success() {
        return;
    }
    let after = commits(&server, "").await;
    assert!(signal("-CONT").success());
    assert_eq!(after, before);
}

#[tokio::test]
async fn a_listing_shows_changes_by_another_process() {
    let server = filled().await;
    upload(&server, "zoo", "b", "old", "z0").await;
    let before = commits(&server, "").await;
    assert_eq!(before, commits(&server, "").await);
    let deleting = ["delete", "branch", "zoo/b", "old", "--yes"];
    assert!(server.command(&deleting).status().unwrap().success());
    let mut expected = before;
    expected.retain(|listed| listed != "zoo/b z0");
    assert_eq!(commits(&server, "").await, expected);
}
