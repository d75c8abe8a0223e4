//! Parts over the languages of a commit: a part that arrived in one language has arrived for all records.

use super::*;
use serde_json::json;

fn of(language: &str, name: &str) -> Upload {
    part(name, &lcov("a.c", &[(1, 1), (2, 0)])).with("language", language)
}

async fn summary(server: &TestServer, answer: &Value) -> Value {
    let path = format!("/coverages-api/records/{}", id(answer));
    server.get_json(&path).await
}

#[tokio::test]
async fn a_part_that_arrived_in_one_language_completes_the_others() {
    let server = TestServer::start().await;
    let settings = b"parts = [\"unit\", \"web\"]\n[gate]\nfloor = 10\n";
    let python = of("python", "unit").before("settings", settings);
    let python = python.accepted(&server).await;
    assert_eq!(python["summary"]["parts"]["complete"], json!(false));
    assert_eq!(current(&server).await, [0_i64; 0]);
    let web = of("typescript", "web").before("settings", settings);
    let web = web.accepted(&server).await;
    assert_eq!(web["summary"]["parts"]["complete"], json!(true), "{web}");
    let python = summary(&server, &python).await;
    assert_eq!(python["parts"]["complete"], json!(true), "{python}");
    assert_eq!(python["gate"]["verdict"], "passed");
    assert_eq!(current(&server).await.len(), 2);
    let verdicts = sqlx::query_scalar::<_, Option<String>>("select verdict from record_analyses");
    let verdicts = verdicts
        .fetch_all(&mut server.database().await)
        .await
        .unwrap();
    assert_eq!(
        verdicts,
        [Some("passed".to_owned()), Some("passed".to_owned())]
    );
}

#[tokio::test]
async fn a_name_with_a_language_is_waited_for_in_that_language_only() {
    let server = TestServer::start().await;
    let parts = "unit,web:typescript";
    let python = of("python", "unit").with("parts", parts);
    let python = python.accepted(&server).await;
    assert_eq!(
        python["summary"]["parts"]["complete"],
        json!(true),
        "{python}"
    );
    assert_eq!(python["summary"]["parts"]["expected"], json!(["unit"]));
    of("python", "web")
        .with("parts", parts)
        .accepted(&server)
        .await;
    let typescript = of("typescript", "lint").with("parts", parts);
    let typescript = typescript.accepted(&server).await;
    let text = typescript["summary"]["text"].as_str().unwrap();
    assert!(text.ends_with("waiting for web"), "{text}");
    let web = of("typescript", "web").with("parts", parts);
    let web = web.accepted(&server).await;
    assert_eq!(web["summary"]["parts"]["complete"], json!(true), "{web}");
}

#[tokio::test]
async fn a_part_that_is_skipped_in_one_language_is_not_waited_for_in_others() {
    let server = TestServer::start().await;
    let python = of("python", "unit").with("parts", "unit,web");
    let python = python.accepted(&server).await;
    of("typescript", "lint").accepted(&server).await;
    skip("web")
        .with("language", "typescript")
        .accepted(&server)
        .await;
    let python = summary(&server, &python).await;
    assert_eq!(python["parts"]["complete"], json!(true), "{python}");
}

#[tokio::test]
async fn a_part_that_is_skipped_before_its_language_has_a_record_is_not_waited_for_in_others() {
    let server = TestServer::start().await;
    let skipped = async || {
        let skip = skip("web").with("language", "typescript");
        assert_eq!(skip.send(&server).await.status(), 202);
    };
    let python = of("python", "unit").with("parts", "unit,web");
    let python = python.accepted(&server).await;
    skipped().await;
    let python = summary(&server, &python).await;
    assert_eq!(python["parts"]["complete"], json!(true), "{python}");
    let rust = of("rust", "unit").with("parts", "unit,web");
    let rust = rust.accepted(&server).await;
    assert_eq!(rust["summary"]["parts"]["complete"], json!(true), "{rust}");
}

#[tokio::test]
async fn no_language_of_a_finished_commit_waits_for_parts() {
    let server = TestServer::start().await;
    let python = of("python", "unit").with("parts", "unit,web");
    let python = python.accepted(&server).await;
    let typescript = of("typescript", "lint").with("finish", "1");
    typescript.accepted(&server).await;
    let python = summary(&server, &python).await;
    assert_eq!(python["parts"]["complete"], json!(true), "{python}");
}

#[tokio::test]
async fn a_part_that_was_measured_in_another_language_is_not_carried() {
    let server = TestServer::start().await;
    let settings = b"carry = [\"e2e\", \"load:python\"]\n";
    let at = |commit: &'static str, upload: Upload| upload.with("commit_hash", commit);
    for name in ["unit", "e2e", "load"] {
        let upload = of("python", name).before("settings", settings);
        at("c1", upload).accepted(&server).await;
    }
    for name in ["e2e", "load"] {
        at("c2", of("typescript", name)).accepted(&server).await;
    }
    let unit = at("c2", of("python", "unit")).with("base_commit", "c1");
    let unit = unit.before("changes", b"").accepted(&server).await;
    assert_eq!(
        unit["summary"]["parts"]["carried"],
        json!(["load"]),
        "{unit}"
    );
}

#[tokio::test]
async fn a_carried_part_that_arrives_later_in_another_language_is_dropped() {
    let server = TestServer::start().await;
    let settings = b"carry = [\"e2e\", \"load:python\"]\n[gate]\nfloor = 10\n";
    let measured = |name, lines: &[(u32, u32)]| part(name, &lcov("a.c", lines));
    let of = |upload: Upload, commit| {
        let upload = upload.before("settings", settings);
        upload
            .with("language", "python")
            .with("commit_hash", commit)
    };
    for (name, line) in [("unit", 1), ("e2e", 2), ("load", 3)] {
        let lines = [(1, 0), (2, 0), (3, 0), (4, 0), (line, 1)];
        of(measured(name, &lines), "c1").accepted(&server).await;
    }
    let unit = measured("unit", &[(1, 1), (2, 0), (3, 0), (4, 0)]);
    let unit = of(unit, "c2").with("base_commit", "c1");
    let unit = unit.before("changes", b"").accepted(&server).await;
    let carried = json!(["e2e", "load"]);
    assert_eq!(unit["summary"]["parts"]["carried"], carried);
    assert_eq!(unit["coverage"]["percentage"], json!(75.0), "{unit}");
    for name in ["e2e", "load"] {
        let typescript = measured(name, &[(1, 1)]).with("language", "typescript");
        let typescript = typescript.with("commit_hash", "c2");
        typescript.accepted(&server).await;
    }
    let after = summary(&server, &unit).await;
    assert_eq!(after["parts"]["carried"], json!(["load"]), "{after}");
    assert_eq!(after["record"]["percentage"], json!(50.0), "{after}");
    assert_eq!(after["gate"]["verdict"], "passed");
}
