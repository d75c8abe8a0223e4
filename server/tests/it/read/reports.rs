//! `/reports/…`: how uploaded HTML is served.

mod addresses;
mod conditions;
mod download;
mod files;
mod folders;
mod guessable;
mod origin;
mod storage_shim;

use crate::harness::{Archive, Reachable, TestServer, Upload, cobertura};
use reqwest::{Client, RequestBuilder, Response, redirect::Policy};

/// The headers of a browser navigation.
const NAVIGATION: &str = "text/html,application/xhtml+xml,*/*;q=0.8";

async fn uploaded(server: &TestServer, archive: Archive) -> String {
    let answer = Upload::of(archive.file("coverage.xml", cobertura(1, 2)).tar_gz())
        .accepted(server)
        .await;
    format!("/reports/{}", answer["coverage"]["id"])
}

/// A request that follows no redirects.
fn ask(server: &TestServer, path: &str) -> RequestBuilder {
    let client = Client::builder().redirect(Policy::none()).build().unwrap();
    client.get(server.url(path))
}

fn header<'a>(response: &'a Response, name: &str) -> Option<&'a str> {
    Some(response.headers().get(name)?.to_str().unwrap())
}

/// The address to which an address currently redirects.
async fn location(server: &TestServer, path: &str) -> String {
    let response = ask(server, path).send().await.unwrap();
    assert_eq!(response.status(), 307, "{path}");
    assert_eq!(
        header(&response, "cache-control"),
        Some("private, no-cache")
    );
    header(&response, "location").unwrap().to_owned()
}

/// The folder of the immutable addresses of a report's files, without the final `/`.
async fn version(server: &TestServer, report: &str) -> String {
    let start = location(server, &format!("{report}/")).await;
    let (version, _) = start[report.len() + 1..].split_once('/').unwrap();
    format!("{report}/{version}")
}

/// Text that compresses badly, so it is sent in several pieces.
fn noise() -> String {
    (0..400_000_u32)
        .map(|n| char::from(33 + (n.wrapping_mul(2_654_435_761) >> 24) as u8 % 90))
        .collect()
}
