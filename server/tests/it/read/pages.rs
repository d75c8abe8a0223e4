//! The dashboard's HTML before any script runs.

use crate::harness::{Archive, Reachable, TestServer, Upload, cobertura};
use reqwest::{Client, redirect::Policy};

async fn upload(server: &TestServer, names: &[(&'static str, &str)], covered: u32) {
    let upload = Upload::of(Archive::report("<p>", &cobertura(covered, 10_000)).tar_gz());
    names
        .iter()
        .fold(upload, |upload, (name, value)| upload.with(name, value))
        .accepted(server)
        .await;
}

#[tokio::test]
async fn a_new_service_shows_how_to_upload() {
    let server = TestServer::start().await;
    let page = server.get_text("/").await;
    assert!(page.contains("Waiting for the first upload"), "{page}");
    assert!(page.contains(&server.url("/upload.sh | ")), "{page}");
}

#[tokio::test]
async fn the_overview_groups_repositories_with_the_record_of_their_main_branch() {
    let server = TestServer::start().await;
    upload(&server, &[], 8_000).await;
    upload(&server, &[("commit_hash", "c2")], 8_042).await;
    upload(&server, &[("branch_name", "feature/x")], 1_000).await;
    upload(
        &server,
        &[
            ("org_name", "zoo/sub"),
            ("repo_name", "b"),
            ("branch_name", "trunk"),
        ],
        1,
    )
    .await;
    let page = server.get_text("/").await;
    for shown in [
        "acme",
        "payments",
        "80.42",
        "+0.42",
        "zoo/sub",
        "trunk",
        "0.01",
        "2 repositories",
        "href=\"/repos/acme/payments\"",
    ] {
        assert!(page.contains(shown), "{shown} is not on the page: {page}");
    }
    assert!(
        !page.contains("feature/x"),
        "only the main branch belongs on the overview"
    );
}

#[tokio::test]
async fn the_address_filters_and_pages_the_overview() {
    let server = TestServer::start().await;
    for n in 0..51 {
        upload(&server, &[("repo_name", &format!("repo-{n:02}"))], 1).await;
    }
    let page = async |query: &str| server.get_text(&format!("/?{query}")).await;
    let first = page("").await;
    assert!(
        first.contains("repo-49") && !first.contains("repo-50"),
        "fifty stand on a page"
    );
    assert!(first.contains("href=\"/?p=2\""), "{first}");
    let second = page("p=2").await;
    assert!(second.contains("repo-50") && !second.contains("repo-49"));
    let filtered = page("q=REPO-1").await;
    assert!(
        filtered.contains("repo-19")
            && !filtered.contains("repo-20")
            && filtered.contains("10 repositories")
    );
    let nothing = page("q=%3Cscript%3E").await;
    assert!(
        nothing.contains("Nothing found") && !nothing.contains("<script>“"),
        "{nothing}"
    );
}

#[tokio::test]
async fn an_address_without_a_name_redirects_to_the_list_of_all() {
    let server = TestServer::start().await;
    upload(&server, &[], 1).await;
    let client = Client::builder().redirect(Policy::none()).build().unwrap();
    for (path, to) in [("/orgs/", "/orgs"), ("/repos", "/"), ("/repos/", "/")] {
        let response = client.get(server.url(path)).send().await.unwrap();
        assert_eq!(response.status(), 307, "{path}");
        assert_eq!(response.headers()["location"], to, "{path}");
    }
}

#[tokio::test]
async fn an_unknown_page_is_404_in_html() {
    let server = TestServer::start().await;
    upload(&server, &[], 1).await;
    for path in [
        "/nothing",
        "/repos/acme/nothing",
        "/repos/acme",
        "/repos/a/b/%00",
    ] {
        let response = server.get(path).await;
        assert_eq!(response.status(), 404, "{path}");
        assert!(
            response.headers()["content-type"]
                .to_str()
                .unwrap()
                .starts_with("text/html"),
            "{path}"
        );
        assert!(
            response.text().await.unwrap().contains("Not found"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_page_of_what_has_no_current_record_says_what_is_missing() {
    let server = TestServer::start().await;
    let waiting = [
        ("org_name", "slow"),
        ("part", "unit"),
        ("parts", "unit,e2e"),
        ("pull_request", "7"),
    ];
    upload(&server, &waiting, 1).await;
    for (path, shown) in [
        ("/orgs/slow", "href=\"/repos/slow/payments\""),
        ("/orgs/slow/owners", "No current record yet"),
        ("/owners?org_name=slow", "No current record yet"),
        ("/report?org_name=slow", "No current record yet"),
        ("/repos/slow/payments", "waits for parts"),
        (
            "/repos/slow/payments?branch_name=new",
            "No upload of this branch yet",
        ),
        ("/repos/slow/payments/pulls/7", "incomplete"),
        ("/records/1", "waiting for e2e"),
        ("/", "The records wait for parts"),
    ] {
        let page = server.get_text(path).await;
        assert!(page.contains(shown), "{path}: {page}");
    }
    for path in [
        "/orgs/slo",
        "/repos/slow/none",
        "/report?org_name=slo",
        "/owners?org_name=slo",
    ] {
        assert_eq!(server.get(path).await.status(), 404, "{path}");
    }
}

#[tokio::test]
async fn each_page_has_a_strict_policy_with_its_own_nonce() {
    let server = TestServer::start().await;
    let nonce = async || {
        let response = server.get("/").await;
        let policy = response.headers()["content-security-policy"]
            .to_str()
            .unwrap()
            .to_owned();
        assert!(
            policy.starts_with("default-src 'none'") && !policy.contains("unsafe-inline"),
            "{policy}"
        );
        let nonce = policy
            .split("'nonce-")
            .nth(1)
            .unwrap()
            .split('\'')
            .next()
            .unwrap()
            .to_owned();
        let page = response.text().await.unwrap();
        assert_eq!(
            page.matches("<script").count(),
            page.matches(&format!("nonce=\"{nonce}\"")).count() - 1,
            "{page}"
        );
        nonce
    };
    assert_ne!(nonce().await, nonce().await);
}

#[tokio::test]
async fn a_missing_file_of_the_site_is_not_cached() {
    let server = TestServer::start().await;
    for path in ["/pkg/nothing.js", "/nothing.png"] {
        let response = server.get(path).await;
        assert_eq!(response.status(), 404);
        let cache = response
            .headers()
            .get("cache-control")
            .map(|value| value.to_str().unwrap().to_owned());
        assert!(
            cache.as_deref().is_none_or(|cache| cache == "no-store"),
            "{path}: {cache:?}"
        );
    }
}

// A page that waited is written on another thread.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_page_has_a_description_even_after_waiting_for_data() {
    let server = TestServer::start().await;
    upload(&server, &[], 8_000).await;
    for path in [
        "/",
        "/orgs/acme",
        "/repos/acme/payments",
        "/records/1",
        "/authors/Kim",
        "/uploads",
        "/storage",
        "/setup",
        "/compare",
        "/records/7",
    ] {
        // Whether the page waits for its data depends on timing.
        for _ in 0..12 {
            let page = server.client.get(server.url(path)).send().await.unwrap();
            let page = page.text().await.unwrap();
            let (head, _) = page.split_once("</head>").unwrap();
            assert_eq!(
                head.matches("<meta name=\"description\" content=\"")
                    .count(),
                1,
                "{path}: {head}"
            );
        }
    }
}
