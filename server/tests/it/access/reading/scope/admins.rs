//! An administrator of one org learns nothing of another, from deletions or from the ledger.

use super::*;

#[tokio::test]
async fn an_admin_of_one_org_cannot_tell_records_of_another_from_missing_ones() {
    let (alone, seeded) = (service().await, with_another_org().await);
    let of_alone = token_for(&alone, Purpose::Admin, labs()).await;
    let of_both = token_for(&seeded.server, Purpose::Admin, labs()).await;
    for (method, path) in [
        (Method::DELETE, "/coverages-api/records/3"),
        (Method::DELETE, "/coverages-api/records/3/parts/-"),
        (Method::DELETE, "/coverages-api/records/3/parts/x"),
        (Method::POST, "/records/3/parts"),
        (Method::HEAD, "/records/3"),
        (Method::HEAD, "/reports/3.zip"),
    ] {
        let answer = async |server: &TestServer, token: &str| {
            let request = ask(server, method.clone(), path).bearer_auth(token);
            let request = request.header("sec-fetch-site", "same-origin");
            let request = request.header("content-type", "application/x-www-form-urlencoded");
            learned(server, request.body(format!("part=-&token={token}"))).await
        };
        let expected = answer(&alone, &of_alone).await;
        assert_eq!(
            answer(&seeded.server, &of_both).await,
            expected,
            "{method} {path}"
        );
    }
    let store = seeded.server.store().await;
    assert!(
        store.everything().shows_record(3).await.unwrap(),
        "it was not deleted"
    );
}

#[tokio::test]
async fn the_ledger_of_an_org_does_not_say_what_a_refused_token_is_for() {
    let server = service().await;
    let acme = Scope::Repository("acme/secret".parse().unwrap());
    let foreign = token_for(&server, Purpose::Upload, acme).await;
    let upload = Upload::of(Archive::report("x", &cobertura(1, 2)).tar_gz());
    let upload = upload.with("org_name", "labs").with("repo_name", "tools");
    let upload = upload.authorization(Some(&format!("Bearer {foreign}")));
    upload.refused(&server).await;
    let tokens = server.store().await.operator().tokens().await.unwrap();
    let by = Actor::service();
    assert!(
        server
            .store()
            .await
            .operator()
            .revoke_token(tokens[0].id, &by)
            .await
            .unwrap()
    );
    let token = token_for(&server, Purpose::Read, labs()).await;
    for page in ["/uploads", "/setup", "/setup?org_name=labs&repo_name=tools"] {
        let page = read(&server, &token, page).await.text().await.unwrap();
        assert!(!page.contains("acme/secret"), "{page}");
    }
    let uploads = read(&server, &token, "/uploads")
        .await
        .text()
        .await
        .unwrap();
    assert!(uploads.contains("token_not_for_repository"), "{uploads}");
}
