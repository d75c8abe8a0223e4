//! The page of a repository over HTTP, and its trend as a picture.

use crate::harness::{Archive, Reachable, TestServer, Upload, cobertura};

async fn upload(server: &TestServer, names: &[(&'static str, &str)], covered: u32) {
    let upload = Upload::of(Archive::report("<p>", &cobertura(covered, 10_000)).tar_gz());
    names
        .iter()
        .fold(upload, |upload, (name, value)| upload.with(name, value))
        .accepted(server)
        .await;
}

fn assert_shown(page: &str, all: &[&str]) {
    for shown in all {
        assert!(page.contains(shown), "{shown} is not on the page: {page}");
    }
}

const NESTED: (&str, &str) = ("org_name", "acme/platform");

#[tokio::test]
async fn a_repository_page_shows_its_branches_a_trend_and_a_history() {
    let server = TestServer::start().await;
    upload(&server, &[NESTED], 8_000).await;
    upload(&server, &[NESTED, ("commit_hash", "c2")], 8_100).await;
    let rtl = ("branch_name", "fix/مرحبا");
    upload(&server, &[NESTED, rtl, ("commit_author", "Zoë <b>")], 7_000).await;
    let page = server.get_text("/repos/acme/platform/payments").await;
    assert_shown(
        &page,
        &[
            "81.00",
            "+1.00",
            "8,100 of 10,000 lines",
            "fix/مرحبا",
            "<svg",
            "main · rust: 81.00 % on",
        ],
    );
    let branches = server
        .get_text("/repos/acme/platform/payments?tab=branches")
        .await;
    assert_shown(
        &branches,
        &[
            "Zoë &lt;b",
            "−11.00",
            "href=\"/authors/Zo%C3%AB%20%3Cb%3E\"",
        ],
    );
    let history = server
        .get_text("/repos/acme/platform/payments?tab=history")
        .await;
    assert_shown(&history, &["href=\"/records/1\"", "2 records"]);
}

#[tokio::test]
async fn a_repository_page_lists_the_files_of_its_current_record_with_their_change() {
    let server = TestServer::start().await;
    for (commit, hits) in [("c1", 0), ("c2", 1)] {
        let lcov = format!(
            "SF:src/a.c\nDA:1,1\nDA:2,{hits}\nend_of_record\nSF:src/b/c.c\nDA:1,0\nend_of_record\n"
        );
        let upload = Upload::of(Archive::new().file("coverage.xml", &lcov).tar_gz());
        upload.with("commit_hash", commit).accepted(&server).await;
    }
    let page = server.get_text("/repos/acme/payments").await;
    assert_shown(
        &page,
        &[
            "2 files, 1 line missed; change since the previous record",
            "href=\"/records/2/source?path=src%2Fa.c\"",
            "+50.00",
            "href=\"/repos/acme/payments?dir=src%2Fb#files\"",
        ],
    );
    let folder = server.get_text("/repos/acme/payments?dir=src%2Fb").await;
    assert_shown(&folder, &["href=\"/records/2/source?path=src%2Fb%2Fc.c\""]);
    assert!(!folder.contains("src%2Fa.c"), "{folder}");
}

#[tokio::test]
async fn the_whole_page_shows_the_chosen_branch_beside_the_main_branch() {
    let server = TestServer::start().await;
    upload(&server, &[], 8_100).await;
    upload(&server, &[("branch_name", "fix/مرحبا")], 7_000).await;
    let encoded = "fix%2F%D9%85%D8%B1%D8%AD%D8%A8%D8%A7";
    let page = async |parameters: &str| {
        let path = format!("/repos/acme/payments?branch_name={encoded}{parameters}");
        server.get_text(&path).await
    };
    let both = page("").await;
    let badge = format!("branch_name={encoded}\" alt=\"coverage: 70.00 %\"");
    assert_shown(
        &both,
        &[
            "fix/مرحبا · rust: 70.00 % on",
            "main · rust: 81.00 % on",
            "7,000 of 10,000 lines",
        ],
    );
    assert_shown(&page("&tab=badge").await, &[&badge]);
    let alone = page("&compare=-").await;
    assert!(!alone.contains("main · rust"), "{alone}");
}

#[tokio::test]
async fn the_next_history_page_continues_where_the_last_one_ended() {
    let server = TestServer::start().await;
    for n in 0..53 {
        upload(
            &server,
            &[("commit_hash", &format!("commit-{n:02}"))],
            8_000 + n,
        )
        .await;
    }
    let history = |page: &str| page.split("id=\"history\"").nth(1).unwrap().to_owned();
    let first = history(&server.get_text("/repos/acme/payments?tab=history").await);
    assert!(first.contains("title=\"commit-52\"") && first.contains("title=\"commit-03\""));
    assert!(!first.contains("title=\"commit-02\""), "{first}");
    let older = first
        .split("href=\"/repos/acme/payments?tab=history&amp;before=")
        .nth(1)
        .unwrap();
    let older = older.split('#').next().unwrap();
    let second = server
        .get_text(&format!("/repos/acme/payments?before={older}"))
        .await;
    let second = history(&second);
    assert_eq!(second.matches("title=\"commit-").count(), 3, "{second}");
    assert!(second.contains("title=\"commit-02\"") && second.contains("Newer"));
}

#[tokio::test]
async fn a_trend_picture_changes_with_each_upload() {
    let server = TestServer::start().await;
    upload(&server, &[], 8_000).await;
    upload(
        &server,
        &[("commit_hash", "c2"), ("language", "c++")],
        7_000,
    )
    .await;
    let path = "/coverages-api/trend.svg?org_name=acme&repo_name=payments&branch_name=main";
    let response = server.get(path).await;
    let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("content-type"), "image/svg+xml; charset=utf-8");
    assert_eq!(header("cache-control"), "no-cache");
    assert_eq!(
        header("content-security-policy"),
        "default-src 'none'; style-src 'unsafe-inline'"
    );
    let svg = response.text().await.unwrap();
    assert_shown(
        &svg,
        &[
            "Coverage of acme/payments, main",
            "c++: 70.00 %",
            "rust: 80.00 %",
        ],
    );
    let asked_with = async |etag: &str| {
        let request = server.client.get(server.url(path));
        let response = request.header("if-none-match", etag).send().await.unwrap();
        let etag = response.headers()["etag"].to_str().unwrap().to_owned();
        (response.status(), etag)
    };
    // It is drawn again every hour, so an hour may begin between two of three requests.
    let (_, first) = asked_with("\"none\"").await;
    let (second_status, second) = asked_with(&first).await;
    let (third_status, etag) = asked_with(&second).await;
    assert!(second_status == 304 || third_status == 304);
    upload(&server, &[("commit_hash", "c3")], 9_000).await;
    assert_eq!(asked_with(&etag).await.0, 200);
    let one = server
        .get_text(&format!("{path}&language=c%2B%2B&range=all"))
        .await;
    assert!(
        one.contains("c++: 70.00 %") && !one.contains("rust"),
        "{one}"
    );
}

#[tokio::test]
async fn an_org_has_a_trend_picture() {
    let server = TestServer::start().await;
    upload(&server, &[NESTED], 8_000).await;
    upload(&server, &[NESTED, ("repo_name", "b")], 6_000).await;
    let path = "/coverages-api/trend.svg?org_name=acme%2Fplatform&over=all";
    let svg = server.get_text(path).await;
    assert_shown(
        &svg,
        &["Coverage of acme/platform", "weighted by lines: 70.00 %"],
    );
    let plain = server
        .get_text(&format!("{path}&mean=plain&range=all"))
        .await;
    assert_shown(&plain, &["plain average: 70.00 %"]);
}

#[tokio::test]
async fn a_trend_picture_of_something_unknown_says_so() {
    let server = TestServer::start().await;
    upload(&server, &[], 8_000).await;
    for query in [
        "",
        "?org_name=acme&repo_name=none",
        "?org_name=none",
        "?org_name=..&repo_name=%2F",
        "?org_name=acme&repo_name=payments&branch_name=gone",
        "?org_name=acme&repo_name=payments&language=go",
        "?org_name=acme&repo_name=payments&range=1y",
        "?org_name=acme&repo_name=payments&branch_name=%3Cscript%3E",
    ] {
        let response = server
            .get(&format!("/coverages-api/trend.svg{query}"))
            .await;
        assert_eq!(response.status(), 200, "{query}");
        let svg = response.text().await.unwrap();
        assert!(
            svg.starts_with("<svg") && svg.contains("role=\"img\""),
            "{query}: {svg}"
        );
        assert!(
            !svg.contains("<script") && !svg.contains("polyline "),
            "{query}: {svg}"
        );
    }
}
