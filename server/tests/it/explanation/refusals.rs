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
