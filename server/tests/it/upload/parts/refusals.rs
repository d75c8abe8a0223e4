use super::*;
use crate::harness::cobertura;
use serde_json::json;

#[tokio::test]
async fn parameters_of_parts_are_checked() {
    let server = TestServer::start().await;
    let upload = || Upload::of(archive(&cobertura(1, 2)));
    let many: Vec<_> = (0..51).map(|number| format!("p{number}")).collect();
    for (upload, named) in [
        (upload().with("part", "../etc"), "part"),
        (upload().with("part", "Unit"), "part"),
        (upload().with("part", &"a".repeat(65)), "part"),
        (upload().with("parts", "unit,a/b"), "parts"),
        (upload().with("parts", &many.join(",")), "parts"),
        (upload().with("finish", "maybe"), "finish"),
        (upload().with("skip", "e2e"), "reason"),
        (
            upload()
                .with("skip", "e2e")
                .with("reason", &"x".repeat(256)),
            "reason",
        ),
        (
            upload().with("skip", "e2e").with("reason", "a\nb"),
            "reason",
        ),
        (
            upload().without("coverage_xml_file_name"),
            "coverage_xml_file_name",
        ),
        (
            upload()
                .with("finish", "1")
                .without("coverage_xml_file_name"),
            "coverage_xml_file_name",
        ),
    ] {
        let (status, problem) = upload.refused(&server).await;
        assert_eq!(
            (status, &problem["code"]),
            (422, &json!("invalid_parameter")),
            "{problem}"
        );
        assert!(problem["errors"][named].is_string(), "{named}: {problem}");
    }
    assert!(server.records().await.is_empty());
}

#[tokio::test]
async fn a_commit_has_at_most_fifty_parts() {
    let server = TestServer::start().await;
    let parts: Vec<_> = (0..50).map(|number| format!("p{number}")).collect();
    let coverage = lcov("a.c", &[(1, 1)]);
    let first = part("p0", &coverage).with("parts", &parts.join(","));
    first.accepted(&server).await;
    let (status, problem) = part("more", &coverage).refused(&server).await;
    assert_eq!(
        (status, &problem["code"]),
        (422, &json!("invalid_parameter"))
    );
    let (status, _) = skip("more").refused(&server).await;
    assert_eq!(status, 422);
    part("p49", &coverage).accepted(&server).await;
    for number in 0..50 {
        let early = skip(&format!("p{number}")).with("commit_hash", "c2");
        assert_eq!(early.send(&server).await.status(), 202);
    }
    let (status, _) = skip("more")
        .with("commit_hash", "c2")
        .refused(&server)
        .await;
    assert_eq!(status, 422);
}

#[tokio::test]
async fn settings_are_refused_with_their_line() {
    let server = TestServer::start().await;
    let upload =
        |settings: &[u8]| part("unit", &lcov("a.c", &[(1, 1)])).before("settings", settings);
    let (status, problem) = upload(b"[gate]\nchanged = \"80\"\n").refused(&server).await;
    assert_eq!(
        (status, &problem["code"]),
        (422, &json!("invalid_settings"))
    );
    assert!(
        problem["detail"].as_str().unwrap().contains("line 2"),
        "{problem}"
    );
    let (status, problem) = upload(&vec![b'#'; (64 << 10) + 1]).refused(&server).await;
    assert_eq!(
        (status, &problem["code"]),
        (413, &json!("upload_too_large"))
    );
    assert!(server.records().await.is_empty());
    upload(&[b'#'; 64 << 10]).accepted(&server).await;
}

#[tokio::test]
async fn a_request_without_an_archive_needs_a_reason_to_be_sent() {
    let server = TestServer::start().await;
    let (status, problem) = notice("part", "unit")
        .with("coverage_xml_file_name", "c.xml")
        .refused(&server)
        .await;
    assert_eq!(
        (status, &problem["code"]),
        (422, &json!("missing_file_part"))
    );
    let unauthorized = skip("e2e").authorization(Some("Bearer wrong"));
    assert_eq!(unauthorized.refused(&server).await.0, 401);
    // An archive without a form is not lost silently.
    let address = "/coverages-api?org_name=acme&repo_name=payments&branch_name=main&commit_hash=c1\
        &commit_author=Kim&language=rust&finish";
    let raw = server
        .client()
        .post(server.url(address))
        .bearer_auth(crate::harness::TOKEN);
    let raw = raw
        .header("content-type", "application/gzip")
        .body(archive(""))
        .send()
        .await
        .unwrap();
    assert_eq!(raw.status(), 415);
    // Without any form.
    part("unit", &lcov("a.c", &[(1, 1)]))
        .with("parts", "unit,web")
        .accepted(&server)
        .await;
    let request = server
        .client()
        .post(server.url(address))
        .bearer_auth(crate::harness::TOKEN);
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(current(&server).await.len(), 1);
}
