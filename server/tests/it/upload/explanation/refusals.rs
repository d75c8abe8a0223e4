//! Records that cannot be explained.

use super::*;

async fn code(server: &TestServer, path: &str) -> (u16, String) {
    let response = server.get(path).await;
    let status = response.status().as_u16();
    let problem: Value = response.json().await.unwrap();
    (
        status,
        problem["code"].as_str().unwrap_or_default().to_owned(),
    )
}

#[tokio::test]
async fn a_record_without_base_or_counts_has_no_explanation() {
    let server = TestServer::start().await;
    upload("m1", &[("a.c", "+-")]).accepted(&server).await;
    let empty = upload("m2", &[("a.c", "")]).accepted(&server).await;
    assert_eq!(empty["summary"]["explanation"], Value::Null);
    let of = |id: &str| format!("/coverages-api/records/{id}/explanation");
    for (path, status, expected) in [
        (of("1"), 404, "no_base"),
        (of("1") + "?base=77", 404, "no_base"),
        (of("2"), 404, "no_counts"),
        (of("77"), 404, "not_found"),
        (of("x"), 404, "not_found"),
        (of("1") + "?base=x", 422, "invalid_parameter"),
        (of("1") + "?base=-1", 422, "invalid_parameter"),
    ] {
        let answer = code(&server, &path).await;
        assert_eq!(answer, (status, expected.to_owned()), "{path}");
    }
}

#[tokio::test]
async fn lost_lines_are_unknown_if_a_former_rule_read_the_paths_of_the_base() {
    let server = TestServer::start().await;
    let with_paths = |upload: Upload| upload.after("paths", b"a.c\0");
    let base = with_paths(upload("m0", &[("a.c", "++")]));
    base.accepted(&server).await;
    let lost = async |commit| {
        let head = with_paths(on_branch(commit, &[("a.c", "+-")], "m0", ""));
        head.accepted(&server).await["summary"].clone()
    };
    assert_eq!(lost("f0").await["lost_lines"], 1);
    // Former releases stored a list.
    sqlx::query("update record_details set paths_unmatched = '[]' where record_id = 1")
        .execute(&mut server.database().await)
        .await
        .unwrap();
    let summary = lost("f1").await;
    assert!(summary["lost_lines"].is_null(), "{summary}");
    assert!(summary["text"].as_str().unwrap().contains("lost: unknown"));
    let record = summary["record"]["id"].as_i64().unwrap();
    let page = server.get_text(&format!("/records/{record}")).await;
    assert!(page.contains("Lost lines: unknown."), "{page}");
}
