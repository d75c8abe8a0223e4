//! `GET /coverages-api/repositories` and `GET /coverages-api/search`.

use crate::harness::{Archive, Reachable, TestServer, Upload, cobertura};
use reqwest::Response;
use serde_json::{Value, json};
use sqlx::Connection;
use std::collections::BTreeSet;

/// The limit of a compressed answer with 5,000 repositories.
const MOST_BYTES: usize = 40_000;

async fn upload(server: &TestServer, org: &str, repo: &str, branch: &str, commit: &str) -> Value {
    let upload = Upload::of(Archive::new().file("coverage.xml", cobertura(1, 2)).tar());
    let upload = upload
        .with("org_name", org)
        .with("repo_name", repo)
        .with("branch_name", branch)
        .with("commit_hash", commit);
    upload.accepted(server).await["coverage"]["id"].clone()
}

async fn filled() -> TestServer {
    let server = TestServer::start().await;
    for (org, repo, branch, commit) in [
        ("zoo", "b", "main", "9be01d2f"),
        ("acme", "core", "feature/checkout", "9be0ffff"),
        ("acme/sub", "a", "main", "s1"),
        ("acme", "a", "Feature/Cart", "a1"),
    ] {
        upload(&server, org, repo, branch, commit).await;
    }
    server
}

#[tokio::test]
async fn repositories_are_named_by_org() {
    let server = filled().await;
    let expected = json!({
        "orgs": [
            { "org_name": "acme", "repo_names": ["a", "core"] },
            { "org_name": "acme/sub", "repo_names": ["a"] },
            { "org_name": "zoo", "repo_names": ["b"] },
        ],
        "is_whole": true,
    });
    assert_eq!(
        server.get_json("/coverages-api/repositories").await,
        expected
    );
    let empty = TestServer::start().await;
    let expected = json!({ "orgs": [], "is_whole": true });
    assert_eq!(
        empty.get_json("/coverages-api/repositories").await,
        expected
    );
}

async fn names_unless(server: &TestServer, etag: &str) -> Response {
    let request = server.client.get(server.url("/coverages-api/repositories"));
    let request = request
        .header("accept-encoding", "br")
        .header("if-none-match", etag);
    request.send().await.unwrap()
}

#[tokio::test]
async fn unchanged_names_are_304_until_the_next_upload() {
    let server = filled().await;
    let first = names_unless(&server, "\"none\"").await;
    assert_eq!(first.status(), 200);
    assert_eq!(first.headers()["cache-control"], "no-cache");
    let etag = first.headers()["etag"].to_str().unwrap().to_owned();
    let again = names_unless(&server, &etag).await;
    assert_eq!(again.status(), 304);
    assert_eq!(again.headers()["etag"], etag);
    assert!(again.bytes().await.unwrap().is_empty());
    upload(&server, "acme", "new", "main", "n1").await;
    assert_eq!(names_unless(&server, &etag).await.status(), 200);
}

/// Names of 40 orgs, every fourth of them nested, with repositories such as `payment-gateway-service`.
fn realistic_names(count: usize) -> Vec<(String, String)> {
    let orgs = [
        "acme", "platform", "data", "mobile", "payments", "security", "research", "tools", "web",
        "infra",
    ];
    let subjects = [
        "payment",
        "order",
        "customer",
        "invoice",
        "catalog",
        "search",
        "user",
        "account",
        "shipping",
        "inventory",
        "pricing",
        "notification",
        "billing",
        "report",
        "session",
        "identity",
        "document",
        "workflow",
        "analytics",
        "content",
        "partner",
        "product",
        "event",
        "ledger",
        "fraud",
        "loyalty",
    ];
    let parts = [
        "gateway", "core", "admin", "sync", "import", "export", "cache", "auth", "batch", "proxy",
        "stream", "index", "audit", "config", "rules", "mobile",
    ];
    let kinds = [
        "service", "api", "client", "worker", "lib", "ui", "sdk", "job", "cli", "tests",
    ];
    let mut state = 1_u64;
    let mut draw = move |most: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(state >> 33).unwrap() % most
    };
    let mut names = BTreeSet::new();
    while names.len() < count {
        let number = draw(40);
        let org = match (number % 4, orgs[number / 4]) {
            (0, org) => org.to_owned(),
            (1, org) => format!("{org}/core"),
            (2, org) => format!("{org}-labs"),
            (_, org) => format!("{org}-team"),
        };
        let (subject, part) = (subjects[draw(subjects.len())], parts[draw(parts.len())]);
        names.insert((
            org,
            format!("{subject}-{part}-{}", kinds[draw(kinds.len())]),
        ));
    }
    names.into_iter().collect()
}

#[tokio::test]
async fn the_names_of_5_000_repositories_are_40_kilobytes_compressed() {
    let server = TestServer::start().await;
    server.get("/coverages-api/health").await;
    let mut connection = server.database().await;
    let mut insertion = connection.begin().await.unwrap();
    for (org, repo) in realistic_names(5_000) {
        sqlx::query(
            "insert into repositories (org_name, repo_name, created_at) values ($1, $2, 0)",
        )
        .bind(org)
        .bind(repo)
        .execute(&mut *insertion)
        .await
        .unwrap();
    }
    insertion.commit().await.unwrap();
    let answer = names_unless(&server, "\"none\"").await;
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["content-encoding"], "br");
    assert_eq!(answer.headers()["vary"], "accept-encoding");
    let etag = answer.headers()["etag"].to_str().unwrap().to_owned();
    let bytes = answer.bytes().await.unwrap().len();
    assert!(bytes <= MOST_BYTES, "{bytes}");
    assert_eq!(names_unless(&server, &etag).await.status(), 304);
}

#[tokio::test]
async fn a_search_finds_branches_commits_and_authors() {
    let server = filled().await;
    let found = server
        .get_json("/coverages-api/search?q=CORE+feature")
        .await;
    let branch =
        json!({ "org_name": "acme", "repo_name": "core", "branch_name": "feature/checkout" });
    assert_eq!(
        found,
        json!({ "branches": [branch], "commits": [], "pull_requests": [], "files": [], "authors": [], "owners": [] })
    );
    let found = server.get_json("/coverages-api/search?q=chekcout").await;
    assert_eq!(found["branches"], json!([branch]));
    let found = server.get_json("/coverages-api/search?q=kim").await;
    assert_eq!(found["authors"], json!([{ "commit_author": "Kim" }]));
    let id = upload(&server, "acme", "core", "main", "beef01").await;
    let commit = json!({
        "org_name": "acme",
        "repo_name": "core",
        "branch_name": "main",
        "commit_hash": "beef01",
        "id": id,
    });
    let found = server.get_json("/coverages-api/search?q=BEEF").await;
    assert_eq!(found["commits"], json!([commit]));
    let found = server.get_json("/coverages-api/search?q=bee").await;
    assert_eq!(found["commits"], json!([]));
}

#[tokio::test]
async fn results_of_the_given_repository_come_first() {
    let server = filled().await;
    let orgs = async |query: &str| {
        let found = server
            .get_json(&format!("/coverages-api/search?{query}"))
            .await;
        let of = |kind: &str| -> Vec<String> {
            let rows = found[kind].as_array().unwrap().iter();
            rows.map(|row| row["org_name"].as_str().unwrap().to_owned())
                .collect()
        };
        (of("branches"), of("commits"))
    };
    assert_eq!(orgs("q=main").await.0, ["acme/sub", "zoo"]);
    assert_eq!(
        orgs("q=main&org_name=ZOO&repo_name=B").await.0,
        ["zoo", "acme/sub"]
    );
    assert_eq!(orgs("q=9be0").await.1, ["acme", "zoo"]);
    assert_eq!(
        orgs("q=9be0&org_name=zoo&repo_name=b").await.1,
        ["zoo", "acme"]
    );
    let unknown = orgs("q=main&org_name=no&repo_name=where").await;
    assert_eq!(unknown.0, ["acme/sub", "zoo"]);
    assert_eq!(
        orgs("q=main&org_name=&repo_name=").await,
        orgs("q=main").await
    );
}

#[tokio::test]
async fn any_text_of_up_to_200_bytes_can_be_searched() {
    let server = filled().await;
    for text in [
        "%00",
        "%25",
        "'",
        "%5C",
        "%F0%9F%A6%80",
        "a",
        "~",
        "!",
        "%01+x",
    ] {
        let found = server
            .get_json(&format!("/coverages-api/search?q={text}"))
            .await;
        assert!(found["branches"].is_array(), "{text}");
    }
    for text in ["a".repeat(200), "9".repeat(200), "a+".repeat(100)] {
        server
            .get_json(&format!("/coverages-api/search?q={text}"))
            .await;
    }
}

#[tokio::test]
async fn a_search_needs_a_text() {
    let server = TestServer::start().await;
    let long = format!("q={}", "a".repeat(201));
    let many_bytes = format!("q={}", "%C3%BC".repeat(101));
    for (query, parameter, message) in [
        ("", "q", "is missing"),
        ("q=", "q", "is missing"),
        ("q=%20%09", "q", "must not be blank"),
        (&long, "q", "must be at most 200 bytes"),
        (&many_bytes, "q", "must be at most 200 bytes"),
    ] {
        let response = server.get(&format!("/coverages-api/search?{query}")).await;
        assert_eq!(response.status(), 422, "{query}");
        let problem: Value = response.json().await.unwrap();
        assert_eq!(problem["errors"][parameter], message, "{query}");
    }
    let response = server.get("/coverages-api/search?q=%ff").await;
    assert_eq!(response.status(), 400);
    for alone in ["org_name=acme", "repo_name=core"] {
        let address = format!("/coverages-api/search?q=a&{alone}");
        assert_eq!(server.get(&address).await.status(), 200, "{alone}");
    }
}
