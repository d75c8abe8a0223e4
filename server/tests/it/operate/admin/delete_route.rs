//! `DELETE /coverages-api/records/{id}`.

use super::*;
use crate::harness::TOKEN;

#[tokio::test]
async fn deleting_a_record_removes_its_html_and_restores_the_one_before() {
    let server = TestServer::start().await;
    let first = upload(&server, "main", "c1", 80).await;
    let second = upload(&server, "main", "c2", 30).await;
    let page = versioned(&server, second).await;
    assert_eq!(server.get(&page).await.status(), 200, "the report is open");
    let files = server.stored_files().len();
    let admin = token(&server, "ops", "admin", &[]);

    let response = delete(&server, &admin, second).await;
    assert_eq!(response.status(), 204);
    assert_eq!(response.text().await.unwrap(), "");
    for path in [
        page.clone(),
        format!("/reports/{second}/"),
        format!("/reports/{second}/index.html"),
        format!("/reports/{second}.zip"),
        format!("/records/{second}"),
    ] {
        assert_eq!(server.get(&path).await.status(), 404, "{path}");
    }
    assert_eq!(server.stored_files().len(), files - 1);
    let current = server.current_records().await;
    assert_eq!((current.len(), &current[0]["id"]), (1, &first.into()));
    assert_eq!(server.records().await.len(), 1);
    let badge = "/coverages-api/badge.json?org_name=acme&repo_name=payments";
    assert_eq!(server.get_json(badge).await["message"], "80.00%");
    let uploads = server.get_text("/uploads").await;
    assert!(
        !uploads.contains(&format!("/records/{second}\"")),
        "{uploads}"
    );
    assert!(uploads.contains(&format!("/records/{first}\"")));

    let again = delete(&server, &admin, second).await;
    assert_eq!(refusal(again).await, (404, "not_found".to_owned()));
    let next = upload(&server, "main", "c2", 90).await;
    assert!(next > second, "a number is never given twice");
}

#[tokio::test]
async fn only_an_admin_token_deletes_a_record() {
    let server = TestServer::start().await;
    let id = upload(&server, "main", "c1", 80).await;
    let path = format!("/coverages-api/records/{id}");
    let [reads, uploads, revoked] = [("r", "read"), ("u", "upload"), ("x", "admin")]
        .map(|(name, purpose)| token(&server, name, purpose, &[]));
    done(&server, &["token", "revoke", "x"]);
    let elsewhere = token(&server, "o", "admin", &["--org", "acme2"]);
    let beside = ["--org", "acme", "--repo", "other"];
    let beside = token(&server, "b", "admin", &beside);

    let nothing = ask(&server, Method::DELETE, &path).send().await.unwrap();
    assert_eq!(refusal(nothing).await, (401, "missing_token".to_owned()));
    let admin = token(&server, "ops", "admin", &[]);
    let cookie = format!("coverage-reader={admin}");
    let session = ask(&server, Method::DELETE, &path).header("cookie", cookie);
    let session = session.send().await.unwrap();
    assert_eq!(refusal(session).await, (401, "missing_token".to_owned()));
    for (token, status, code) in [
        ("wr0ng", 401, "invalid_token"),
        ("cov_damaged", 401, "invalid_token"),
        (&revoked, 401, "invalid_token"),
        (&reads, 403, "admin_token_required"),
        (&uploads, 403, "admin_token_required"),
        (TOKEN, 403, "admin_token_required"),
        (&elsewhere, 404, "not_found"),
        (&beside, 404, "not_found"),
    ] {
        let refused = refusal(delete(&server, token, id).await).await;
        assert_eq!(refused, (status, code.to_owned()), "{token}");
    }
    for path in ["/coverages-api/records/x", "/coverages-api/records/99999"] {
        let request = ask(&server, Method::DELETE, path).bearer_auth(&admin);
        let refused = refusal(request.send().await.unwrap()).await;
        assert_eq!(refused, (404, "not_found".to_owned()));
    }
    assert_eq!(server.records().await.len(), 1);
    assert_eq!(
        actions(&audit(&server, &["--action", "record_deleted"])),
        [""; 0]
    );
}

#[tokio::test]
async fn an_admin_token_deletes_in_its_scope_reads_and_cannot_upload() {
    let server = TestServer::start_with(&["--upload-token", TOKEN, "--protect-reading"]).await;
    let id = upload(&server, "main", "c1", 80).await;
    let admin = token(&server, "ops", "admin", &["--org", "acme"]);
    let listing = ask(&server, Method::GET, "/coverages-api").bearer_auth(&admin);
    assert_eq!(listing.send().await.unwrap().status(), 200);
    let (status, problem) = Upload::of(Archive::report("<p>", &cobertura(1, 2)).tar_gz())
        .authorization(Some(&admin))
        .refused(&server)
        .await;
    assert_eq!(
        (status, &problem["code"]),
        (403, &"token_not_for_repository".into())
    );
    assert!(
        problem["detail"]
            .as_str()
            .unwrap()
            .contains("administration")
    );
    let nothing = format!("/coverages-api/records/{id}");
    let nothing = ask(&server, Method::DELETE, &nothing).send().await.unwrap();
    assert_eq!(refusal(nothing).await, (401, "missing_token".to_owned()));
    assert_eq!(delete(&server, &admin, id).await.status(), 204);
}

#[tokio::test]
async fn too_many_wrong_admin_tokens_are_429_and_a_valid_one_still_works() {
    let server =
        TestServer::start_with(&["--upload-token", TOKEN, "--failed-tries-per-address", "3"]).await;
    let id = upload(&server, "main", "c1", 80).await;
    let admin = token(&server, "ops", "admin", &[]);
    for _ in 0..3 {
        assert_eq!(delete(&server, "wr0ng", id).await.status(), 401);
    }
    let refused = delete(&server, "wr0ng", id).await;
    assert!(refused.headers().contains_key("retry-after"));
    assert_eq!(
        refusal(refused).await,
        (429, "too_many_requests".to_owned())
    );
    assert_eq!(delete(&server, &admin, id).await.status(), 204);
}
