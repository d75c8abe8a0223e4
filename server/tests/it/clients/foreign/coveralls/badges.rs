//! The addresses of Coveralls' badges.

use super::{accepted, job, server, server_with};
use crate::harness::{Reachable, TestServer};

const BADGE: &str = "/repos/github/acme/payments/badge.svg";

async fn image(server: &TestServer, path: &str) -> String {
    let response = server.get(path).await;
    assert_eq!(response.status(), 200, "{path}");
    let kind = response.headers()["content-type"].to_str().unwrap();
    assert!(kind.starts_with("image/svg+xml"), "{path}: {kind}");
    response.text().await.unwrap()
}

#[tokio::test]
async fn a_badge_of_coveralls_is_the_badge_of_the_repository() {
    let server = server().await;
    accepted(&server, &job()).await;
    let own = "/coverages-api/badge?org_name=acme&repo_name=payments";
    let own = image(&server, own).await;
    assert!(!own.contains("unknown"), "{own}");
    for path in [
        BADGE,
        "/repos/github/acme/payments/badge.svg?branch=main&t=x",
        "/repos/gitlab/acme/payments/badge.svg",
        "/repos/bitbucket/acme/payments/badge.svg?branch=main",
        "/repos/acme/payments/badge.svg",
        "/repos/acme/payments/badge.png",
    ] {
        assert_eq!(image(&server, path).await, own, "{path}");
    }
    for path in [
        "/repos/github/acme/payments/badge.svg?branch=none",
        "/repos/github/acme/nothing/badge.svg",
    ] {
        assert!(image(&server, path).await.contains("unknown"), "{path}");
    }
    let page = server.get_text("/repos/acme/payments").await;
    assert!(page.contains("<!DOCTYPE html>"));
}

#[tokio::test]
async fn a_badge_of_coveralls_is_open_only_with_the_other_badges() {
    for (flags, status) in [
        (&["--protect-reading"][..], 401),
        (&["--protect-reading", "--open-badges"], 200),
    ] {
        let server = server_with(flags).await;
        accepted(&server, &job()).await;
        assert_eq!(server.get(BADGE).await.status(), status, "{flags:?}");
    }
}
