//! The parts of a commit: united, awaited, shown and deleted.

mod carried;
mod completion;
mod deletion;
mod html;
mod languages;
mod line_tests;
mod pages;
mod racing;
mod refusals;
mod storage;
mod tools;
mod union;

use crate::harness::{Archive, Reachable, TestServer, Upload};
use reqwest::{Client, Method, RequestBuilder, redirect::Policy};
use serde_json::Value;

/// An LCOV file of one source file: pairs of a line and its hits.
fn lcov(path: &str, hits: &[(u32, u32)]) -> String {
    let lines: String = hits
        .iter()
        .map(|(line, hits)| format!("DA:{line},{hits}\n"))
        .collect();
    format!("SF:{path}\n{lines}end_of_record\n")
}

/// A Cobertura file that states 90 %, although one of two lines ran.
const STATED: &str = "<coverage line-rate='0.9' lines-covered='9' lines-valid='10'><packages><package><classes>\
    <class filename='a.c'><lines><line number='1' hits='1'/><line number='2' hits='0'/></lines></class>\
    </classes></package></packages></coverage>";

fn archive(coverage: &str) -> Vec<u8> {
    Archive::new().file("coverage.xml", coverage).tar_gz()
}

/// An upload of a part, which requests the summary.
fn part(name: &str, coverage: &str) -> Upload {
    let upload = Upload::of(archive(coverage)).with("summary", "1");
    match name {
        "" => upload,
        name => upload.with("part", name),
    }
}

/// A request without an archive.
fn notice(name: &'static str, value: &str) -> Upload {
    let upload = Upload::of(Vec::new())
        .without_archive()
        .with("summary", "1");
    upload.without("coverage_xml_file_name").with(name, value)
}

fn skip(part: &str) -> Upload {
    notice("skip", part).with("reason", "only docs changed")
}

fn id(answer: &Value) -> i64 {
    answer["coverage"]["id"].as_i64().expect("an id")
}

/// The ids of the current records.
async fn current(server: &TestServer) -> Vec<i64> {
    let records = server.current_records().await;
    records
        .iter()
        .map(|record| record["id"].as_i64().expect("an id"))
        .collect()
}

async fn summary(server: &TestServer, id: i64) -> Value {
    server
        .get_json(&format!("/coverages-api/records/{id}"))
        .await
}

/// A request that follows no redirects.
pub(super) fn ask(server: &TestServer, method: Method, path: &str) -> RequestBuilder {
    let client = Client::builder().redirect(Policy::none()).build().unwrap();
    client.request(method, server.url(path))
}

/// Creates an admin token.
pub(super) async fn admin(server: &TestServer) -> String {
    // The start creates the tables.
    server.get("/coverages-api/health").await;
    let arguments = ["token", "create", "--name", "ops", "--for", "admin"];
    let output = server.command(&arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout)
        .unwrap()
        .trim_end()
        .to_owned()
}

async fn delete_record(server: &TestServer, id: i64) {
    let path = format!("/coverages-api/records/{id}");
    let request = ask(server, Method::DELETE, &path).bearer_auth(admin(server).await);
    assert_eq!(request.send().await.unwrap().status(), 204);
}

/// Expects no findings in the database and the storage.
fn assert_well(server: &TestServer) {
    let verified = server.command(&["verify", "--all"]).output().unwrap();
    assert!(verified.status.success(), "{verified:?}");
}
