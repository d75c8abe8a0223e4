//! Ignored files of records with several parts.

use super::*;
use crate::upload::parts::{admin, ask};
use reqwest::Method;

fn part(name: &str, commit: &str, coverage: &str) -> Upload {
    upload(commit, coverage).with("part", name)
}

const FEE: &str = "SF:src/fee.c\nDA:1,0\nDA:2,1\nend_of_record\n";

#[tokio::test]
async fn every_part_uses_the_rules_of_the_first_upload_of_the_record() {
    let server = TestServer::start().await;
    let first = part("unit", "c1", LCOV).before("settings", SETTINGS.as_bytes());
    first.accepted(&server).await;
    let web = part("web", "c1", FEE).before("settings", b"ignore = [\"src/**\"]\n");
    let answer = web.accepted(&server).await;
    assert_eq!(answer["coverage"]["percentage"], json!(100.0));
    // Only one part has ignored files, so their lines are known.
    let expected = json!({"files": 1, "covered": 0, "total": 2, "percentage_without_rules": 50.0});
    assert_eq!(ignored(&answer), &expected);
    let answer = part("e2e", "c1", LCOV).accepted(&server).await;
    let unknown =
        json!({"files": null, "covered": null, "total": null, "percentage_without_rules": null});
    assert_eq!(ignored(&answer), &unknown);
    let page = format!("/records/{}", answer["coverage"]["id"]);
    let page = server.get_text(&page).await;
    assert!(
        page.contains("files of several parts, so their number is not known"),
        "{page}"
    );
    // Without the last part, the numbers are known again.
    let id = &answer["coverage"]["id"];
    let path = format!("/coverages-api/records/{id}/parts/e2e");
    let request = ask(&server, Method::DELETE, &path).bearer_auth(admin(&server).await);
    let deleted = request.send().await.unwrap();
    assert!(deleted.status().is_success(), "{deleted:?}");
    assert_eq!(server.get_json(&record(&answer)).await["ignored"], expected);
}

/// A record of the main branch that measures e2e, and carries it from then on.
async fn measured(server: &TestServer, settings: &str) {
    let settings = format!("carry = [\"e2e\"]\n{settings}");
    let unit = part("unit", "c1", FEE).before("settings", settings.as_bytes());
    unit.accepted(server).await;
    part("e2e", "c1", LCOV).accepted(server).await;
}

fn carrying(commit: &str, base: &str) -> Upload {
    let unit = part("unit", commit, FEE).with("base_commit", base);
    unit.before("changes", b"")
}

#[tokio::test]
async fn the_lines_of_carried_parts_lose_the_files_that_are_now_ignored() {
    let server = TestServer::start().await;
    measured(&server, "").await;
    let settings = format!("carry = [\"e2e\"]\n{SETTINGS}");
    let upload = carrying("c2", "c1").before("settings", settings.as_bytes());
    let answer = upload.accepted(&server).await;
    assert_eq!(answer["summary"]["parts"]["carried"], json!(["e2e"]));
    assert_eq!(answer["coverage"]["percentage"], json!(100.0));
    let expected = json!({"files": 1, "covered": 0, "total": 2, "percentage_without_rules": 50.0});
    assert_eq!(ignored(&answer), &expected);
}

#[tokio::test]
async fn a_part_that_was_measured_with_other_rules_is_not_carried() {
    let server = TestServer::start().await;
    measured(&server, SETTINGS).await;
    let settings = format!("carry = [\"e2e\"]\n{SETTINGS}");
    let same = carrying("c2", "c1").before("settings", settings.as_bytes());
    let same = same.accepted(&server).await;
    assert_eq!(same["summary"]["parts"]["carried"], json!(["e2e"]));
    assert_eq!(ignored(&same)["files"], json!(1));
    let upload = carrying("c3", "c2").before("settings", b"carry = [\"e2e\"]\n");
    let answer = upload.accepted(&server).await;
    assert_eq!(answer["summary"]["parts"]["carried"], json!([]));
    let notice = "Part e2e is not carried forward: its commit ignored other files, whose lines are not stored.";
    let notices = answer["summary"]["notices"].as_array().unwrap();
    assert!(notices.contains(&json!(notice)), "{notices:?}");
}
