use super::*;
use crate::harness::TOKEN;
use crate::read::line_history::with_history;
use serde_json::json;
use std::time::Duration;
use tokio::time::sleep;

fn unit() -> Upload {
    part("unit", &lcov("a.c", &[(1, 1), (2, 0)]))
}

fn web() -> Upload {
    part("web", &lcov("a.c", &[(2, 1)]))
}

async fn before(server: &TestServer) -> i64 {
    let upload = part("", &lcov("a.c", &[(1, 0), (2, 0)]));
    id(&upload.with("commit_hash", "c0").accepted(server).await)
}

#[tokio::test]
async fn a_record_is_current_when_its_expected_parts_have_arrived() {
    let server = TestServer::start().await;
    let before = before(&server).await;
    let response = unit().with("parts", "unit,web").send(&server).await;
    assert_eq!(response.status(), 201);
    let notice = response.headers()["x-coverage-notice"]
        .to_str()
        .unwrap()
        .to_owned();
    assert!(notice.contains("waiting for web"), "{notice}");
    let answer: Value = response.json().await.unwrap();
    assert_eq!(
        answer["data"][0]["id"],
        json!(before),
        "the last complete record"
    );
    assert_eq!(
        answer["summary"]["text"],
        "50.00 % (+50.00); waiting for web"
    );
    assert_eq!(answer["summary"]["parts"]["complete"], json!(false));
    assert_eq!(current(&server).await, [before]);
    let badge = server
        .get_json("/coverages-api/badge.json?org_name=acme&repo_name=payments")
        .await;
    assert_eq!(badge["message"], "0.00%", "{badge}");
    let page = server.get_text("/repos/acme/payments?tab=history").await;
    let state = "No trend includes this record while it waits for parts.";
    assert!(page.contains(state), "{page}");
    let answer = web().with("parts", "unit,web").accepted(&server).await;
    assert_eq!(answer["summary"]["parts"]["complete"], json!(true));
    assert_eq!(current(&server).await, [id(&answer)]);
    assert_eq!(answer["coverage"]["percentage"], json!(100.0));
}

#[tokio::test]
async fn lists_of_several_uploads_are_united_and_settings_count_too() {
    let server = TestServer::start().await;
    let settings = b"parts = [\"e2e\"]\n[gate]\nchanged = 80\nflavour = \"sweet\"\n";
    let answer = unit()
        .with("parts", "unit,web")
        .after("settings", settings)
        .accepted(&server)
        .await;
    let expected = &answer["summary"]["parts"]["expected"];
    assert_eq!(expected, &json!(["e2e", "unit", "web"]));
    let notices = answer["summary"]["notices"].to_string();
    assert!(notices.contains("gate.flavour"), "{notices}");
    let answer = web().with("parts", "lint").accepted(&server).await;
    assert_eq!(
        answer["summary"]["text"],
        "100.00 %; waiting for e2e and lint"
    );
}

#[tokio::test]
async fn finish_closes_a_commit_with_or_without_a_coverage_file() {
    let server = TestServer::start().await;
    unit().with("parts", "unit,web,e2e").accepted(&server).await;
    assert!(current(&server).await.is_empty());
    let answer = web().with("finish", "1").accepted(&server).await;
    assert_eq!(answer["summary"]["parts"]["complete"], json!(true));
    assert_eq!(current(&server).await, [id(&answer)]);

    let other = |upload: Upload| upload.with("commit_hash", "c2");
    let waiting = other(unit())
        .with("parts", "unit,web")
        .accepted(&server)
        .await;
    let response = other(notice("finish", "")).send(&server).await;
    assert_eq!(response.status(), 200);
    let answer: Value = response.json().await.unwrap();
    assert_eq!(id(&answer), id(&waiting));
    assert_eq!(current(&server).await, [id(&waiting)]);
    // A late part is still united.
    let late = other(web()).accepted(&server).await;
    assert_eq!(late["coverage"]["percentage"], json!(100.0));
    assert_eq!(late["summary"]["parts"]["complete"], json!(true));

    let (status, problem) = notice("finish", "")
        .with("commit_hash", "c9")
        .refused(&server)
        .await;
    assert_eq!((status, problem["code"].as_str()), (404, Some("not_found")));
}

#[tokio::test]
async fn a_skipped_part_counts_as_arrived_before_and_after_the_first_part() {
    let server = TestServer::start().await;
    unit().with("parts", "unit,web,e2e").accepted(&server).await;
    let answer = skip("web").accepted(&server).await;
    assert_eq!(
        answer["summary"]["parts"]["arrived"],
        json!(["unit", "web"])
    );
    let answer = skip("e2e").accepted(&server).await;
    assert_eq!(answer["summary"]["parts"]["complete"], json!(true));
    assert_eq!(answer["coverage"]["percentage"], json!(50.0));
    assert_eq!(current(&server).await, [id(&answer)]);
    // A part that comes nevertheless is united.
    let answer = web().accepted(&server).await;
    assert_eq!(answer["coverage"]["percentage"], json!(100.0));
    let answer = skip("web").accepted(&server).await;
    assert_eq!(
        answer["coverage"]["percentage"],
        json!(100.0),
        "it was measured"
    );

    let early = |upload: Upload| upload.with("commit_hash", "c2");
    let response = early(skip("e2e")).send(&server).await;
    assert_eq!(response.status(), 202);
    let answer: Value = response.json().await.unwrap();
    assert_eq!(answer["coverage"], Value::Null);
    let answer = early(unit())
        .with("parts", "unit,e2e")
        .accepted(&server)
        .await;
    assert_eq!(
        answer["summary"]["parts"]["arrived"],
        json!(["e2e", "unit"])
    );
    assert_eq!(answer["summary"]["parts"]["complete"], json!(true));
}

#[tokio::test]
async fn missing_parts_are_waited_for_until_the_timeout() {
    let server = TestServer::start_with(&["--upload-token", TOKEN, "--parts-timeout", "1s"]).await;
    let before = before(&server).await;
    let answer = unit().with("parts", "unit,web").accepted(&server).await;
    assert_eq!(current(&server).await, [before]);
    let mut tries = 0;
    while current(&server).await != [id(&answer)] {
        tries += 1;
        assert!(tries < 300, "it still waits");
        sleep(Duration::from_millis(100)).await;
    }
    with_history(&server, id(&answer)).await;
    let parts = summary(&server, id(&answer)).await["parts"].clone();
    assert_eq!(parts["complete"], json!(true));
    assert_eq!(parts["expected"], json!(["unit", "web"]));
    // The record counts as complete, also if another part than the missing one arrives.
    let late = part("lint", &lcov("a.c", &[(2, 1)])).with("parts", "unit,web");
    let late = late.accepted(&server).await;
    assert_eq!(late["summary"]["parts"]["complete"], json!(true));
    assert_eq!(current(&server).await, [id(&answer)]);
}

#[tokio::test]
async fn a_further_part_never_makes_a_superseded_record_current_again() {
    let server = TestServer::start().await;
    let old = unit().accepted(&server).await;
    let new = unit().with("commit_hash", "c2").accepted(&server).await;
    let answer = web().accepted(&server).await;
    assert_eq!(
        (id(&answer), &answer["coverage"]["percentage"]),
        (id(&old), &json!(100.0))
    );
    assert_eq!(
        answer["coverage"]["updated_at"], old["coverage"]["updated_at"],
        "its place in the trend"
    );
    assert_eq!(current(&server).await, [id(&new)]);
}

#[tokio::test]
async fn a_record_completed_after_a_newer_commit_takes_its_place_in_the_history() {
    let server = TestServer::start().await;
    let old = unit().with("parts", "unit,web").accepted(&server).await;
    let new = unit().with("commit_hash", "c2").accepted(&server).await;
    web().accepted(&server).await;
    assert_eq!(current(&server).await, [id(&new)]);
    let page = server.get_text(&format!("/records/{}", id(&new))).await;
    assert!(
        page.contains(&format!("/records/{}\" rel=\"prev\"", id(&old))),
        "{page}"
    );
    delete_record(&server, id(&new)).await;
    assert_eq!(current(&server).await, [id(&old)]);
}

#[tokio::test]
async fn a_list_with_a_missing_part_makes_the_last_complete_record_current_again() {
    let server = TestServer::start().await;
    let before = before(&server).await;
    let answer = unit().accepted(&server).await;
    assert_eq!(current(&server).await, [id(&answer)]);
    web().with("parts", "unit,web,e2e").accepted(&server).await;
    assert_eq!(current(&server).await, [before]);
    part("e2e", &lcov("a.c", &[(1, 1)])).accepted(&server).await;
    assert_eq!(current(&server).await, [id(&answer)]);
    assert_well(&server);
}

#[tokio::test]
async fn finishing_again_keeps_the_time_of_the_upload() {
    let server = TestServer::start().await;
    let unit = unit().accepted(&server).await;
    let finished = notice("finish", "").accepted(&server).await;
    assert_eq!(
        finished["coverage"]["updated_at"],
        unit["coverage"]["updated_at"]
    );
    assert_eq!(finished["data"][0], finished["coverage"]);
}

#[tokio::test]
async fn an_early_skip_may_name_the_expected_parts() {
    let server = TestServer::start().await;
    let early = skip("e2e")
        .with("parts", "unit,web,e2e")
        .send(&server)
        .await;
    assert_eq!(early.status(), 202);
    let answer = unit().accepted(&server).await;
    assert_eq!(answer["summary"]["text"], "50.00 %; waiting for web");
}

#[tokio::test]
async fn the_badge_of_a_record_changes_its_version_with_a_late_part() {
    let server = TestServer::start().await;
    let old = unit().accepted(&server).await;
    unit().with("commit_hash", "c2").accepted(&server).await;
    let badge = format!("/coverages-api/badge?record={}", id(&old));
    let address = async || {
        let response = ask(&server, Method::GET, &badge).send().await.unwrap();
        response.headers()["location"].to_str().unwrap().to_owned()
    };
    let before = address().await;
    web().accepted(&server).await;
    assert_ne!(address().await, before);
}

#[tokio::test]
async fn an_upload_that_replaces_other_results_is_told_how_to_use_parts() {
    let server = TestServer::start().await;
    let notices = async |upload: Upload| {
        let answer = upload.accepted(&server).await;
        answer["summary"]["notices"].to_string()
    };
    let of_job = |hits| part("", &lcov("a.c", hits));
    let (one, other) = ([(1, 1), (2, 0)], [(1, 0), (2, 1)]);
    let told = "the option --part of the uploader";
    assert!(!notices(of_job(&one)).await.contains(told), "the first");
    assert!(!notices(of_job(&one)).await.contains(told), "a re-run");
    let replaced = notices(of_job(&other)).await;
    assert!(replaced.contains(told), "equal percentages: {replaced}");
    let named = |hits| part("unit", &lcov("a.c", hits)).with("commit_hash", "c2");
    assert!(!notices(named(&one)).await.contains(told));
    assert!(!notices(named(&other)).await.contains(told), "a part");

    let mut database = server.database().await;
    sqlx::query("update records set updated_at = updated_at - 3600000001, created_at = created_at - 3600000001")
        .execute(&mut database)
        .await
        .unwrap();
    assert!(!notices(of_job(&one)).await.contains(told), "an hour later");
}

#[tokio::test]
async fn a_request_without_an_archive_may_have_an_empty_form() {
    let server = TestServer::start().await;
    unit().with("parts", "unit,web").accepted(&server).await;
    let names = "org_name=acme&repo_name=payments&branch_name=main&commit_hash=c1&commit_author=Kim&language=rust";
    let post = |more: &str| {
        let url = server.url(&format!("/coverages-api?{names}&{more}"));
        server.client.post(url).bearer_auth(TOKEN)
    };
    let form = "application/x-www-form-urlencoded";
    for request in [
        post("skip=web&reason=docs")
            .header("content-type", form)
            .body(""),
        post("skip=web&reason=docs"),
        post("finish=1").header("content-type", form).body(""),
        post("finish=1"),
    ] {
        let response = request.send().await.unwrap();
        let status = response.status();
        assert_eq!(status, 200, "{}", response.text().await.unwrap());
    }
    let filled = post("finish=1").header("content-type", form).body("a=b");
    assert_eq!(filled.send().await.unwrap().status(), 415);
}
