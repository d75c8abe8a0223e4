//! Which routes are closed to strangers, and which are open.

use super::{login::log_in, *};

/// Every kind of route that serves data.
const CLOSED: [&str; 45] = [
    "/metrics",
    "/authors/Kim",
    "/uploads",
    "/storage",
    "/setup?org_name=acme&repo_name=payments",
    "/",
    "/?keyword=acme",
    "/repos/acme/payments",
    "/coverages-api",
    "/coverages-api?full",
    "/coverages-api/repositories",
    "/coverages-api/search?q=main",
    "/orgs/acme",
    "/coverages-api/orgs/trend.csv?org_name=acme",
    "/coverages-api/orgs/movements.csv?org_name=acme",
    "/coverages-api/orgs/groups.csv?org_name=acme",
    "/orgs",
    "/coverages-api/assets/acme/payments/main/archive/index.html",
    "/coverages-ui/acme/payments",
    "/records/1",
    "/records/1/source?path=a",
    "/records/1/tests",
    "/coverages-api/records/1",
    "/coverages-api/records/1/lines?path=a",
    "/coverages-api/records/1/changes",
    "/coverages-api/records/1/explanation?base=1",
    "/coverages-api/records?org_name=acme&repo_name=payments&commit_hash=9be01d2",
    "/flicker?repo=acme/payments",
    "/views?repo=acme/payments",
    "/cold?repo=acme/payments",
    "/gates?org_name=acme",
    "/repos/acme/payments/pulls",
    "/owners?org_name=acme",
    "/report?org_name=acme",
    "/coverages-api/records/1/report.lcov",
    "/coverages-api/records/1/report.cobertura.xml",
    "/api/v2/github/",
    "/api/v2/github/acme/repos/payments/report?branch=main&path=a",
    "/api/v2/github/acme/repos/payments/compare?pullid=7",
    "/api/v2/github/acme/repos/payments/flags",
    "/api/v2/github/acme/repos/payments/components",
    "/reports/1/",
    "/reports/1/index.html",
    "/reports/1/@0123456789abcdef/index.html",
    "/reports/1.zip",
];

#[tokio::test]
async fn every_kind_of_route_is_closed_to_strangers_and_open_to_readers() {
    let server = protected(&[
        "--user-header",
        "x-forwarded-user",
        "--trusted-proxies",
        "127.0.0.1",
        "--accept",
        "codecov",
    ])
    .await;
    let token = read_token(&server).await;
    for path in CLOSED {
        for method in [Method::GET, Method::HEAD] {
            let response = ask(&server, method, path).send().await.unwrap();
            assert_eq!(response.status(), 401, "{path}");
        }
        assert_closed(strange(&server, path).await, "missing_token").await;
        let ask = || ask(&server, Method::GET, path);
        let authorization = |value: String| ask().header("authorization", value);
        let cookie = format!("a=b; {COOKIE}={token}");
        let readers = [
            authorization(format!("Bearer {token}")),
            authorization(format!("token {token}")),
            authorization(token.clone()),
            ask().basic_auth("anybody", Some(&token)),
            ask().header("cookie", &cookie),
            // This header may be for a proxy in between.
            ask()
                .basic_auth("for-a-proxy", Some("secret"))
                .header("cookie", cookie),
            ask().header("x-forwarded-user", "kim"),
        ];
        for reader in readers {
            let response = reader.send().await.unwrap();
            let status = response.status();
            assert!(
                [200, 307, 308].contains(&status.as_u16()),
                "{path}: {status}"
            );
        }
    }
}

#[tokio::test]
async fn unknown_routes_are_closed_to_strangers() {
    let server = protected(&[]).await;
    let token = read_token(&server).await;
    for (method, path) in [
        (Method::GET, "/nothing"),
        (Method::GET, "/coverages-api/"),
        (Method::GET, "/coverages-api/nothing"),
        (Method::GET, "/coverages-api/health/"),
        (Method::GET, "/coverages-api/health/../badge"),
        (Method::GET, "/nothing.png"),
        (Method::GET, "//coverages-api"),
        (Method::GET, "/login/x"),
        (Method::GET, "/%6cogin"),
        (Method::GET, "/reports/999/"),
        (Method::GET, "/reports/999/index.html"),
        (Method::GET, "/reports/999.zip"),
        (Method::GET, "/reports/x/"),
        (Method::GET, "/reports/%ff/"),
        (Method::GET, "/records/999"),
        (Method::POST, "/"),
        (Method::POST, "/coverages-api/health"),
        (Method::DELETE, "/coverages-api"),
        (Method::OPTIONS, "/coverages-api"),
        (Method::POST, "/theme"),
        (Method::GET, "/mcp"),
        (Method::POST, "/mcp"),
        (Method::POST, "/mcp/"),
        (Method::POST, "/llms.txt"),
        (Method::PUT, "/login"),
        (Method::GET, "/logout"),
    ] {
        let response = ask(&server, method.clone(), path).send().await.unwrap();
        assert_closed(response, "missing_token").await;
        let request = ask(&server, method, path).bearer_auth(&token);
        let status = request.send().await.unwrap().status();
        assert_ne!(status, 401, "{path}");
    }
    let response = read(&server, &token, "/nothing").await;
    assert_eq!(response.status(), 404);
}

#[tokio::test]
async fn strangers_cannot_learn_which_records_exist() {
    let server = protected(&[]).await;
    let answer = async |path: &str| {
        let request = ask(&server, Method::GET, path).header("x-request-id", "same");
        let response = request.send().await.unwrap();
        let (status, mut headers) = (response.status(), response.headers().clone());
        headers.remove("date");
        (status, headers, response.text().await.unwrap())
    };
    for (path, other) in [
        ("/reports/1/", "/reports/999/"),
        ("/reports/1/index.html", "/reports/1/nothing"),
        ("/reports/1.zip", "/reports/999.zip"),
        ("/records/1", "/records/999"),
        ("/repos/acme/payments", "/repos/acme/nothing"),
    ] {
        assert_eq!(answer(path).await, answer(other).await, "{path}");
    }
}

#[tokio::test]
async fn health_static_files_and_the_login_are_open() {
    let server = protected(&[]).await;
    let site = server.folder.path().join("site");
    std::fs::create_dir_all(site.join("pkg")).unwrap();
    for file in ["pkg/x.css", "favicon.svg", "robots.txt"] {
        std::fs::write(site.join(file), "public").unwrap();
        assert_eq!(strange(&server, &format!("/{file}")).await.status(), 200);
    }
    std::fs::write(site.join("other.txt"), "not known to be public").unwrap();
    assert_closed(strange(&server, "/other.txt").await, "missing_token").await;
    assert_eq!(server.get_text("/login").await.matches("<form").count(), 1);
    let health = server.get_json("/coverages-api/health").await;
    assert_eq!(health["success"], "the database answers");
    let llms = server.get_text("/llms.txt").await;
    assert!(llms.contains(&server.url("/mcp")), "{llms}");
    let icon = strange(&server, "/favicon.ico").await;
    assert_eq!(location(&icon), "/favicon.svg");
    for outside in ["/pkg/../other.txt", "/pkg/%2e%2e/other.txt"] {
        // An HTTP client would normalise the first path.
        let response = strange(&server, outside).await;
        assert!(
            [401, 404].contains(&response.status().as_u16()),
            "{outside}"
        );
    }
}

#[tokio::test]
async fn badges_are_closed_unless_configured_as_public() {
    let (closed, open) = (protected(&[]).await, protected(&["--open-badges"]).await);
    for path in [
        "/coverages-api/badge?org_name=acme&repo_name=payments",
        "/coverages-api/badge.json?org_name=acme&repo_name=payments",
        "/coverages-api/trend.svg?org_name=acme&repo_name=payments",
    ] {
        assert_closed(strange(&closed, path).await, "missing_token").await;
        assert_eq!(strange(&open, path).await.status(), 200, "{path}");
        let post = ask(&open, Method::POST, path).send().await.unwrap();
        assert_closed(post, "missing_token").await;
    }
    for path in ["/coverages-api/badge/x", "/coverages-api", "/"] {
        assert_closed(strange(&open, path).await, "missing_token").await;
    }
}

#[tokio::test]
async fn an_upload_token_cannot_read_and_a_read_token_cannot_upload() {
    let server = protected(&[]).await;
    let upload_token = make_token(&server, "ci", Purpose::Upload, None).await;
    for token in [&upload_token, TOKEN, "wr0ng", "ghp_somebody_elses"] {
        let response = read(&server, token, "/coverages-api").await;
        assert_closed(response, "invalid_token").await;
    }
    let upload = || Upload::of(Archive::report("two", &cobertura(1, 2)).tar_gz());
    let with = |token: &str| upload().authorization(Some(&format!("Bearer {token}")));
    with(&upload_token).accepted(&server).await;
    let (status, problem) = with(&read_token(&server).await).refused(&server).await;
    assert_eq!(status, 403);
    assert_eq!(problem["code"], "token_not_for_repository");
    let branches = async |token: &str| {
        let list = serde_json::json!({
            "org_name": "acme",
            "repo_name": "payments",
            "commit_hash": "c1",
            "active_branches": ["main"],
        });
        let request = ask(&server, Method::PUT, "/coverages-api").json(&list);
        request.bearer_auth(token).send().await.unwrap().status()
    };
    assert_eq!(branches(&upload_token).await, 200);
    assert_eq!(branches("wr0ng").await, 401);
    let (status, problem) = upload().authorization(None).refused(&server).await;
    assert_eq!(status, 401);
    assert_eq!(problem["code"], "missing_token");
}

#[tokio::test]
async fn without_read_protection_everything_is_open_and_has_no_login() {
    let server = TestServer::start_with(&["--upload-token", TOKEN, "--accept", "codecov"]).await;
    upload(&server, "one").await;
    for path in CLOSED {
        let response = strange(&server, path).await;
        let status = response.status();
        assert!(
            [200, 307, 308].contains(&status.as_u16()),
            "{path}: {status}"
        );
        assert!(!header(&response, "vary").contains("cookie"), "{path}");
    }
    assert!(!server.get_text("/").await.contains("Log out"));
    let login = server.get_text("/login?next=/repos/x/y").await;
    assert!(login.contains("No login is needed"), "{login}");
    let request = ask(&server, Method::POST, "/logout").header("sec-fetch-site", "same-origin");
    let response = request.send().await.unwrap();
    assert_eq!(
        (response.status().as_u16(), header(&response, "location")),
        (303, "/")
    );
    assert_eq!(header(&response, "set-cookie"), "");
    // Only admins can log in, for admin pages.
    let read_token = read_token(&server).await;
    for token in ["", TOKEN, &read_token] {
        let response = log_in(&server, token, "/").await;
        assert!([401, 403].contains(&response.status().as_u16()), "{token}");
        assert_eq!(header(&response, "set-cookie"), "");
    }
}
