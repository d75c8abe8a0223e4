//! `/compare`: two records side by side, from uploads to HTML.

use super::{assert_shows, of_files, upload};
use crate::harness::{Reachable, TestServer};

#[tokio::test]
async fn two_records_are_compared_by_number_and_by_branch() {
    let server = TestServer::start().await;
    let main = [("commit_hash", "m1")];
    let base = upload(&server, &main, &of_files(&[("a.c", 8, 10), ("b.c", 5, 10)])).await;
    let branch = [("branch_name", "fix/a@b"), ("commit_hash", "f1")];
    let head = upload(
        &server,
        &branch,
        &of_files(&[("a.c", 8, 10), ("b.c", 10, 10)]),
    )
    .await;
    let by_number = format!("/compare?base={base}&head={head}");
    let by_branch = "/compare?base=acme/payments@main&head=acme/payments%40fix/a%40b";
    for path in [by_number.as_str(), by_branch] {
        let page = server.get_text(path).await;
        assert_shows(
            &page,
            &[
                "+25.00: 5 unchanged lines of b.c are now run (+25.00).",
                "13 of 20",
                "18 of 20",
                &format!("href=\"/records/{base}\""),
                &format!("href=\"/records/{head}\""),
                &format!("href=\"/compare?base={head}&amp;head={base}\""),
            ],
        );
    }
}

#[tokio::test]
async fn branches_are_compared_in_a_language_that_both_have() {
    let server = TestServer::start().await;
    let of = |language: &'static str, branch: &'static str, commit: &'static str| {
        [
            ("language", language),
            ("branch_name", branch),
            ("commit_hash", commit),
        ]
    };
    let go = upload(
        &server,
        &of("go", "main", "m1"),
        &of_files(&[("a.go", 1, 2)]),
    )
    .await;
    upload(
        &server,
        &of("rust", "main", "m1"),
        &of_files(&[("a.rs", 1, 2)]),
    )
    .await;
    let head = upload(
        &server,
        &of("go", "next", "n1"),
        &of_files(&[("a.go", 2, 2)]),
    )
    .await;
    let page = server
        .get_text("/compare?base=acme/payments@main&head=acme/payments@next")
        .await;
    assert_shows(
        &page,
        &[
            &format!("href=\"/records/{go}\""),
            &format!("href=\"/records/{head}\""),
            "+50.00",
        ],
    );
    let path = "/compare?base=acme/payments@main&head=acme/payments@next&language=rust";
    let answer = server.get(path).await;
    assert_eq!(answer.status(), 404);
    let page = server
        .get_text("/compare?head=acme/payments@main&language=go")
        .await;
    assert_shows(&page, &["Choose a record…", &format!("value=\"{head}\"")]);
}

#[tokio::test]
async fn a_record_offers_branches_and_earlier_records_to_compare_with() {
    let server = TestServer::start().await;
    let first = upload(
        &server,
        &[("commit_hash", "m1")],
        &of_files(&[("a.c", 1, 4)]),
    )
    .await;
    let second = upload(
        &server,
        &[("commit_hash", "m2")],
        &of_files(&[("a.c", 2, 4)]),
    )
    .await;
    let elsewhere = [("repo_name", "other"), ("commit_hash", "o1")];
    let elsewhere = upload(&server, &elsewhere, &of_files(&[("a.c", 2, 4)])).await;
    let page = server.get_text(&format!("/compare?head={second}")).await;
    assert_shows(
        &page,
        &[
            "Earlier on main",
            &format!("<option value=\"{first}\""),
            &format!("<option value=\"{second}\" selected"),
        ],
    );
    assert!(!page.contains(&format!("<option value=\"{elsewhere}\"")));
    // A record of another repository can be compared, and the page states that.
    let across = format!("/compare?base={elsewhere}&head={second}");
    let page = server.get_text(&across).await;
    assert_shows(
        &page,
        &[
            "two repositories",
            &format!("<option value=\"{elsewhere}\" selected"),
        ],
    );
}
