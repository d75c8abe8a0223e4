//! Addresses that do not exist.

use crate::harness::{Reachable, TestServer};
use reqwest::Method;
use serde_json::Value;

#[tokio::test]
async fn an_unknown_path_is_a_problem_document_for_every_method() {
    let server = TestServer::start().await;
    for path in [
        "/nothing",
        "/a/b.png",
        "/pkg/nothing.js",
        "/coverages-api/nothing",
    ] {
        for method in ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"] {
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            let request = server.client.request(method.clone(), server.url(path));
            let response = request.send().await.unwrap();
            assert_eq!(response.status(), 404, "{method} {path}");
            let problem: Value = response.json().await.unwrap();
            assert_eq!(problem["code"], "not_found", "{method} {path}");
        }
        for method in [Method::GET, Method::HEAD] {
            let request = server.client.request(method, server.url(path));
            assert_eq!(request.send().await.unwrap().status(), 404, "{path}");
        }
    }
    for path in ["/", "/orgs", "/coverages-api/search", "/reports/1/"] {
        let request = server.client.patch(server.url(path));
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 405, "{path}");
        let problem: Value = response.json().await.unwrap();
        assert_eq!(problem["code"], "method_not_allowed", "{path}");
    }
}

#[tokio::test]
async fn a_path_that_no_disk_can_have_is_404() {
    let server = TestServer::start().await;
    let (long, deep) = ("x".repeat(256), "/y".repeat(2_000));
    let umlauts = "%C3%BC".repeat(128);
    for path in [
        format!("/{long}"),
        format!("/pkg/{long}"),
        format!("/pkg/a/{long}.js"),
        format!("/a/{umlauts}"),
        format!("/pkg/{umlauts}"),
        deep.clone(),
        format!("/pkg{deep}"),
        "/%00".to_owned(),
        "/a%00b".to_owned(),
        "/pkg/%00".to_owned(),
        "/favicon.svg%00".to_owned(),
        "/favicon.svg/x".to_owned(),
        "/%ff".to_owned(),
        "/pkg/%ff".to_owned(),
        "/pkg/..%2f..".to_owned(),
    ] {
        for method in [Method::GET, Method::HEAD] {
            let request = server.client.request(method.clone(), server.url(&path));
            let status = request.send().await.unwrap().status();
            assert_eq!(status, 404, "{method} {path}");
        }
    }
}
