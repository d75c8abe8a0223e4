//! The forms of administrators in the session of an admin token, where reading is open.

use super::*;

async fn send(server: &TestServer, cookie: &str, path: &str, form: &str) -> Response {
    let request = ask(server, Method::POST, path).header("cookie", cookie);
    let request = request.header("content-type", "application/x-www-form-urlencoded");
    let request = request.header("sec-fetch-site", "same-origin");
    request.body(form.to_owned()).send().await.unwrap()
}

#[tokio::test]
async fn the_session_of_an_admin_token_administers_in_the_browser() {
    let server = TestServer::start().await;
    let first = upload(&server, "main", "c1", 80).await;
    let second = upload(&server, "main", "c2", 30).await;
    let cookie = |token: &str| format!("coverage-reader={token}");
    let admin = cookie(&token(&server, "ops", "admin", &["--org", "acme"]));
    let reads = cookie(&token(&server, "reads", "read", &[]));
    let page = async |cookie: &str| {
        let request = ask(&server, Method::GET, &format!("/records/{second}"));
        let page = request.header("cookie", cookie).send().await.unwrap();
        page.text().await.unwrap()
    };
    let link = format!("/admin/delete?record={second}");
    let shown = page(&admin).await;
    assert!(
        shown.contains(&link) && shown.contains("Log out"),
        "{shown}"
    );
    assert!(!page(&reads).await.contains(&link) && !page("").await.contains(&link));

    let (path, form) = ("/admin/records/delete", format!("record={second}"));
    for (cookie, expected) in [
        ("", (401, "missing_token")),
        (&reads, (403, "admin_token_required")),
        ("coverage-reader=wr0ng", (401, "invalid_token")),
    ] {
        let refused = refusal(send(&server, cookie, path, &form).await).await;
        assert_eq!(refused, (expected.0, expected.1.to_owned()), "{cookie}");
    }
    let files = server.stored_files().len();
    let deleted = send(&server, &admin, path, &form).await;
    assert_eq!(deleted.headers()["location"], "/repos/acme/payments");
    assert_eq!(server.stored_files().len(), files - 1);
    let current = server.current_records().await;
    assert_eq!((current.len(), &current[0]["id"]), (1, &first.into()));
    let (printed, _) = done(
        &server,
        &["audit", "--action", "record_deleted", "--format", "ndjson"],
    );
    let row: Value = serde_json::from_str(printed.trim()).unwrap();
    assert_eq!(
        (&row["actor_kind"], &row["actor"]),
        (&"token".into(), &"ops".into())
    );
    let last = send(&server, &admin, path, &format!("record={first}")).await;
    assert_eq!(last.headers()["location"], "/", "the repository is gone");
}
