//! Readers named by a reverse proxy.

use super::*;

#[tokio::test]
async fn an_empty_or_repeated_user_header_is_ignored() {
    let server = protected(&[
        "--user-header",
        "X-Forwarded-User",
        "--trusted-proxies",
        "127.0.0.0/8",
    ])
    .await;
    let ask = || ask(&server, Method::GET, "/coverages-api");
    for request in [
        ask(),
        ask().header("x-forwarded-user", ""),
        ask().header("x-forwarded-user", "  \t"),
        ask()
            .header("x-forwarded-user", "kim")
            .header("x-forwarded-user", "kim"),
        ask()
            .header("x-forwarded-user", "")
            .header("x-forwarded-user", "kim"),
        ask()
            .header("x-forwarded-user", "kim")
            .header("x-forwarded-user", ""),
        ask().header("x-remote-user", "kim"),
    ] {
        assert_closed(request.send().await.unwrap(), "missing_token").await;
    }
    let named = ask()
        .header("x-forwarded-user", "kim")
        .send()
        .await
        .unwrap();
    assert_eq!(named.status(), 200);
}

#[tokio::test]
async fn the_user_header_counts_only_from_a_listed_proxy() {
    for arguments in [
        &[
            "--user-header",
            "x-user",
            "--trusted-proxies",
            "10.0.0.7,::1",
        ][..],
        &["--user-header", "x-user"],
        &["--trusted-proxies", "127.0.0.1"],
    ] {
        let server = protected(arguments).await;
        for forwarded in [None, Some("10.0.0.7"), Some("10.0.0.7, 127.0.0.1")] {
            let request = ask(&server, Method::GET, "/").header("x-user", "kim");
            let request = match forwarded {
                Some(address) => request
                    .header("x-forwarded-for", address)
                    .header("forwarded", format!("for={address}"))
                    .header("x-real-ip", address),
                None => request,
            };
            assert_closed(request.send().await.unwrap(), "missing_token").await;
        }
    }
}

#[tokio::test]
async fn a_token_works_behind_a_proxy_that_names_no_user() {
    let server = protected(&["--user-header", "x-user", "--trusted-proxies", "127.0.0.1"]).await;
    let token = read_token(&server).await;
    assert_eq!(read(&server, &token, "/").await.status(), 200);
}

#[tokio::test]
async fn the_groups_that_a_proxy_names_decide_what_the_person_reads() {
    let server = protected(&[
        "--user-header",
        "x-user",
        "--groups-header",
        "X-Forwarded-Groups",
        "--trusted-proxies",
        "127.0.0.1",
        "--read-orgs",
        "acme=payments,labs=lab,*=admins",
        "--admin-groups",
        "acme=payments",
    ])
    .await;
    let ask = |path: &str, groups: &[&'static str]| {
        let request = ask(&server, Method::GET, path).header("x-user", "kim");
        groups.iter().fold(request, |request, groups| {
            request.header("x-forwarded-groups", *groups)
        })
    };
    for (groups, status) in [
        (&["staff, payments"][..], 200),
        (&["admins"], 200),
        (&["lab"], 404),
        (&[], 403),
        (&[""], 403),
        (&["Payments"], 403),
        (&["payments\u{a0}"], 403),
        (&["\u{3000}admins"], 403),
        (&["lab", "payments"], 403),
    ] {
        let page = ask("/repos/acme/payments", groups);
        let response = page.send().await.unwrap();
        assert_eq!(response.status(), status, "{groups:?}");
        if status == 403 {
            let problem: Value = response.json().await.unwrap();
            assert_eq!(problem["code"], "not_a_reader");
        }
    }
    // The header of a stranger does not count.
    let page = ask("/repos/acme/payments", &["admins"]);
    let stranger = page.header("x-user", "lee");
    assert_closed(stranger.send().await.unwrap(), "missing_token").await;
    // Only a group of administrators administers.
    for (groups, status) in [("payments", 200), ("admins", 401)] {
        let page = ask("/audit", &[groups]).send().await.unwrap();
        assert_eq!(page.status(), status, "{groups}");
    }
}
