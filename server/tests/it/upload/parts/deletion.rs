use super::*;
use crate::harness::TOKEN;
use crate::read::line_history::with_history;
use serde_json::json;

async fn delete(server: &TestServer, token: &str, id: i64, part: &str) -> (u16, Value) {
    let path = format!("/coverages-api/records/{id}/parts/{part}");
    let request = ask(server, Method::DELETE, &path).bearer_auth(token);
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    let text = response.text().await.unwrap();
    (status, serde_json::from_str(&text).unwrap_or_default())
}

#[tokio::test]
async fn a_record_without_a_part_is_the_union_of_the_others() {
    let server = TestServer::start_without_grace().await;
    let admin = admin(&server).await;
    let unit = part("unit", STATED).accepted(&server).await;
    let id = id(&unit);
    let html = Archive::new()
        .file("index.html", "web")
        .file("coverage.xml", lcov("a.c", &[(2, 1), (3, 0)]));
    let web = Upload::of(html.tar_gz()).with("part", "web");
    web.accepted(&server).await;
    part("e2e", &lcov("b.c", &[(1, 0)])).accepted(&server).await;
    assert_eq!(delete(&server, &admin, id, "web").await.0, 204);
    let after = summary(&server, id).await;
    assert_eq!(after["record"]["percentage"], json!(33.33));
    assert_eq!(after["parts"]["arrived"], json!(["e2e", "unit"]));
    assert!(server.stored_files().is_empty());
    // The last one has the total of its tool again.
    assert_eq!(delete(&server, &admin, id, "e2e").await.0, 204);
    assert_eq!(
        summary(&server, id).await["record"]["percentage"],
        json!(90.0)
    );
    let (status, problem) = delete(&server, &admin, id, "unit").await;
    assert_eq!((status, &problem["code"]), (409, &json!("only_part")));
    for part in ["web", "-", "A"] {
        assert_eq!(delete(&server, &admin, id, part).await.0, 404, "{part}");
    }
    let audit = server.command(&["audit"]).output().unwrap();
    let audit = String::from_utf8_lossy(&audit.stdout).into_owned();
    assert!(audit.contains("part web of record"), "{audit}");
    // It can be united again.
    let answer = part("web", &lcov("a.c", &[(2, 1)])).accepted(&server).await;
    assert_eq!(answer["coverage"]["percentage"], json!(100.0));
    assert_well(&server);
}

#[tokio::test]
async fn a_deleted_part_is_no_longer_waited_for() {
    let server = TestServer::start().await;
    let admin = admin(&server).await;
    let unit = part("unit", &lcov("a.c", &[(1, 1)])).with("parts", "unit,web,e2e");
    let id = id(&unit.accepted(&server).await);
    skip("web").accepted(&server).await;
    assert_eq!(delete(&server, &admin, id, "web").await.0, 204);
    let parts = summary(&server, id).await["parts"].clone();
    assert_eq!(parts["expected"], json!(["e2e", "unit"]));
    assert_eq!(parts["arrived"], json!(["unit"]));
    skip("e2e").accepted(&server).await;
    assert_eq!(current(&server).await, [id]);
}

#[tokio::test]
async fn only_an_admin_of_the_repository_deletes_a_part() {
    let server = TestServer::start().await;
    let unit = part("unit", &lcov("a.c", &[(1, 1)]))
        .accepted(&server)
        .await;
    part("web", &lcov("a.c", &[(1, 1)])).accepted(&server).await;
    let path = format!("/coverages-api/records/{}/parts/web", id(&unit));
    let nothing = ask(&server, Method::DELETE, &path);
    assert_eq!(nothing.send().await.unwrap().status(), 401);
    assert_eq!(delete(&server, TOKEN, id(&unit), "web").await.0, 403);
    let form = format!("/records/{}/parts", id(&unit));
    let send = async |origin: &'static str, token: &str| {
        let request = ask(&server, Method::POST, &form)
            .header("content-type", "application/x-www-form-urlencoded")
            .body(format!("part=web&token={token}"));
        let response = request
            .header("sec-fetch-site", origin)
            .send()
            .await
            .unwrap();
        let to = response.headers().get("location").cloned();
        let to = to.map(|to| to.to_str().unwrap().to_owned());
        (response.status().as_u16(), to.unwrap_or_default())
    };
    let admin = admin(&server).await;
    let page = format!("/records/{}", id(&unit));
    assert_eq!(send("cross-site", &admin).await.0, 403);
    assert_eq!(
        send("same-origin", TOKEN).await,
        (303, format!("{page}?refused=admin_token_required#parts"))
    );
    assert_eq!(
        send("same-origin", "").await,
        (303, format!("{page}?refused=missing_token#parts"))
    );
    let refused = server
        .get_text(&format!("{page}?refused=admin_token_required"))
        .await;
    assert!(
        refused.contains("the token is not an admin token"),
        "{refused}"
    );
    assert_eq!(
        send("same-origin", &admin).await,
        (303, format!("{page}#parts"))
    );
    assert_eq!(
        summary(&server, id(&unit)).await["parts"]["arrived"],
        json!(["unit"])
    );
}

#[tokio::test]
async fn without_a_deleted_part_a_line_has_not_run() {
    let server = TestServer::start().await;
    for (name, hits) in [("unit", 0), ("e2e", 1)] {
        part(name, &lcov("a.c", &[(1, hits)]))
            .accepted(&server)
            .await;
    }
    with_history(&server, 1).await;
    let history = "/coverages-api/records/1/lines?path=a.c&history";
    let before = server.get_json(history).await;
    assert_eq!(before["history"][0]["last_run"]["id"], 1);
    let token = admin(&server).await;
    delete(&server, &token, 1, "e2e").await;
    with_history(&server, 1).await;
    let after = server.get_json(history).await;
    assert_eq!(after["history"][0]["last_run"], Value::Null);
}
