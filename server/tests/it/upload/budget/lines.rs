//! Every route whose answer depends on stored lines is a heavy read.

use super::*;
use crate::read::openapi;
use reqwest::Method;
use std::collections::BTreeSet;

/// Values of the parameters that routes need.
const VALUES: [(&str, &str); 10] = [
    ("{id}", "5"),
    ("{target}", "x86_64-unknown-linux-musl"),
    ("{org_name}", "acme"),
    ("{repo_name}", "payments"),
    ("{branch_name}", "main"),
    ("{part}", "-"),
    ("{path}", "index.html"),
    ("{*org}", "acme"),
    ("{*name}", "acme/payments"),
    ("{*author}", "Kim"),
];

/// The queries of the requests. Each route ignores or refuses the names of other routes.
const PAGE_QUERY: &str = "org_name=acme&repo=acme/payments&path=src/fee.c&base=4&head=5";
const QUERIES: [(&str, &str); 12] = [
    (
        "/coverages-api/cold",
        "org_name=acme&repo_name=payments&language=rust",
    ),
    ("/coverages-api/records", "org_name=acme&repo_name=payments"),
    ("/coverages-api/records/{id}/lines", "path=src/fee.c"),
    ("/coverages-api/records/{id}/explanation", "base=4"),
    ("/coverages-api/records/{id}/tests", "path=src/fee.c&line=1"),
    ("/coverages-api/trend", "org_name=acme&repo_name=payments"),
    ("/coverages-api/search", "q=payments"),
    ("/coverages-api/views", "org_name=acme&repo_name=payments"),
    (
        "/coverages-api/views.csv",
        "org_name=acme&repo_name=payments",
    ),
    ("/coverages-api/owners", "org_name=acme"),
    ("/coverages-api/owners.csv", "org_name=acme"),
    ("/coverages-api/report", "org_name=acme"),
];

/// An address of another service that reads lines; it is not in the document.
const FOREIGN: &str = "/api/v2/github/acme/repos/payments/report?path=src/fee.c";

/// All routes of the API and all pages, with their templates.
fn routes() -> Vec<(String, String)> {
    let api = openapi::paths_of(Method::GET).into_iter().map(|template| {
        let query = QUERIES.iter().find(|(of, _)| *of == template);
        let query = query.map_or("", |(_, query)| query).to_owned();
        (template, query)
    });
    let pages = leptos_axum::generate_route_list(app::App);
    let pages = pages
        .into_iter()
        .map(|page| (page.path().to_owned(), PAGE_QUERY.to_owned()));
    let routes = api.chain(pages).map(|(template, query)| {
        let path = VALUES.iter().fold(template.clone(), |path, (name, value)| {
            path.replace(name, value)
        });
        assert!(!path.contains('{'), "{template} needs a value in VALUES");
        (template, format!("{path}?{query}"))
    });
    let foreign = (FOREIGN.to_owned(), FOREIGN.to_owned());
    routes.chain([foreign]).collect()
}

/// A text without everything from each `start` to the next `end`.
fn without(text: &str, start: &str, end: &str) -> String {
    let mut parts = text.split(start);
    let mut rest = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        rest.push_str(part.split_once(end).map_or("", |(_, after)| after));
    }
    rest
}

/// The status and the body of each route, without nonces and ages.
async fn answers(server: &TestServer) -> Vec<(String, u16, String)> {
    let mut answers = Vec::new();
    for (template, path) in routes() {
        let response = server.client.get(server.url(&path));
        let response = response.header("accept", "text/html").send().await.unwrap();
        let status = response.status().as_u16();
        let body = response.bytes().await.unwrap();
        let body = String::from_utf8_lossy(&body);
        let body = without(&without(&body, "nonce=\"", "\""), "<time", "</time>");
        answers.push((template, status, body));
    }
    answers
}

async fn upload(server: &TestServer, commit: u32) {
    let (lcov, hits) = ("coverage_xml_file_name", commit % 2);
    let lines = format!(
        "TN:one\nSF:src/fee.c\nDA:1,{hits}\nDA:2,1\nDA:3,0\nend_of_record\nTN:two\nSF:src/fee.c\nDA:2,1\nend_of_record\n"
    );
    let archive = Archive::new()
        .file("index.html", "<p>")
        .file("lcov.info", lines);
    let upload = Upload::of(archive.tar_gz()).with(lcov, "lcov.info");
    let commit = format!("c{commit}");
    upload.with("commit_hash", &commit).accepted(server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_route_that_reads_stored_lines_is_a_heavy_read() {
    let server = start(&["--accept", "codecov"]).await;
    for commit in 1..=5 {
        upload(&server, commit).await;
    }
    within_deadline(async {
        let flicker = "/flicker?repo=acme/payments";
        while !server.get_text(flicker).await.contains("src/fee.c") {
            sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
    let good = answers(&server).await;
    let again = answers(&server).await;
    let is_steady = |place: usize| good[place] == again[place];
    let mut database = server.database().await;
    for statement in [
        "update record_lines set lines = $1",
        "update record_lines set tests = $1",
        "update record_parts set lines = $1",
        "update carried_parts set lines = $1",
        "update flickering_lines set files = $1",
    ] {
        let damaged = sqlx::query(statement).bind(b"damaged".to_vec());
        damaged.execute(&mut database).await.unwrap();
    }
    sqlx::query("delete from record_analyses")
        .execute(&mut database)
        .await
        .unwrap();
    drop(database);
    let damaged = answers(&server).await;
    let differ = (0..good.len()).filter(|&place| good[place] != damaged[place]);
    // Metrics, for example, count their own readers.
    let depend: BTreeSet<_> = differ
        .filter(|&place| is_steady(place))
        .map(|place| good[place].0.as_str())
        .collect();
    for known in [
        "/flicker",
        "/records/{id}",
        "/records/{id}/source",
        "/records/{id}/tests",
        "/compare",
        "/coverages-api/records/{id}/lines",
        "/coverages-api/records/{id}/tests",
        "/coverages-api/records/{id}/report.lcov",
        "/coverages-api/records/{id}/report.cobertura.xml",
        FOREIGN,
    ] {
        assert!(depend.contains(known), "{known} in {depend:?}");
    }
    let none = [
        "--upload-token",
        TOKEN,
        "--accept",
        "codecov",
        "heavy_reads",
        "0",
        "heavy_read_wait_seconds",
        "0",
    ];
    let server = TestServer::start_in(server.stop().await, &none).await;
    for (template, path) in routes() {
        if depend.contains(template.as_str()) {
            let response = server.client.get(server.url(&path));
            let response = response.header("accept", "text/html").send().await;
            let response = response.unwrap();
            assert_eq!(response.status(), 503, "{template} is no heavy read");
            assert_come_again(&response);
        }
    }
}
