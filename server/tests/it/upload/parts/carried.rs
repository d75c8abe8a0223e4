//! Parts that are carried forward: their unchanged lines come from an earlier commit.

use super::*;
use crate::read::line_history::with_history;
use domain::DAY;
use serde_json::json;

const SETTINGS: &[u8] = b"carry = [\"e2e\", \"load\"]\n";

/// Line 2 of `a.c` was edited, and two lines were added above the others.
const EDITED: &str = "diff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n@@ -0,0 +1,2 @@\n@@ -2 +4 @@\n";

/// A part of a commit of a branch, whose changes start from a commit.
fn on(branch: &'static str, commit: &'static str, upload: Upload) -> Upload {
    upload
        .with("branch_name", branch)
        .with("commit_hash", commit)
}

fn changed(upload: Upload, base: &str) -> Upload {
    let upload = upload.with("base_commit", base);
    upload.before("changes", EDITED.as_bytes())
}

fn unit() -> Upload {
    part("unit", &lcov("a.c", &[(1, 1), (2, 0), (3, 0), (4, 0)]))
}

fn unit_later() -> Upload {
    let hits = [(1, 0), (2, 0), (3, 1), (4, 0), (5, 0), (6, 0)];
    part("unit", &lcov("a.c", &hits))
}

fn e2e() -> Upload {
    part("e2e", &lcov("a.c", &[(1, 0), (2, 1), (3, 1), (4, 0)]))
}

/// Commit `c1` of the main branch has both parts, and settings with which e2e is carried.
async fn main_branch(server: &TestServer) -> i64 {
    let first = on("main", "c1", unit().before("settings", SETTINGS));
    first.accepted(server).await;
    let answer = on("main", "c1", e2e()).accepted(server).await;
    assert_eq!(answer["coverage"]["percentage"], json!(75.0));
    id(&answer)
}

async fn hit(server: &TestServer, id: i64) -> Value {
    let address = format!("/coverages-api/records/{id}/lines?path=a.c");
    server.get_json(&address).await["hit"].clone()
}

#[tokio::test]
async fn a_part_that_is_missing_keeps_its_unchanged_lines() {
    let server = TestServer::start().await;
    let base = main_branch(&server).await;
    let upload = changed(on("next", "c2", unit_later()), "c1");
    let answer = upload.accepted(&server).await;
    let record = id(&answer);
    // Line 3 was line 1, which unit runs; line 5 was line 3, which only e2e runs; line 4 was edited.
    assert_eq!(hit(&server, record).await, json!([[3, 3], [5, 5]]));
    assert_eq!(answer["coverage"]["percentage"], json!(33.33));
    let summary = &answer["summary"];
    assert_eq!(summary["parts"]["carried"], json!(["e2e"]));
    assert_eq!(summary["parts"]["arrived"], json!(["unit"]));
    assert_eq!(summary["lost_lines"], json!(0));
    assert_eq!(summary["changed_lines"]["covered"], json!(0));
    assert_eq!(summary["changed_lines"]["coverable"], json!(3));
    let text = summary["text"].as_str().unwrap();
    assert!(
        text.ends_with("; carried forward: e2e (from c1, less than a day)"),
        "{text}"
    );
    let explained = summary["explanation"].as_str().unwrap();
    assert!(!explained.contains("e2e"), "{explained}");
    let page = server.get_text(&format!("/records/{record}")).await;
    assert!(page.contains("1 part, 1 carried forward"), "{page}");
    assert!(page.contains(&format!("href=\"/records/{base}\"")));
    assert_well(&server);
}

#[tokio::test]
async fn a_part_that_arrives_replaces_what_was_carried() {
    let server = TestServer::start().await;
    main_branch(&server).await;
    let upload = changed(on("next", "c2", unit_later()), "c1");
    upload.accepted(&server).await;
    let measured = part("e2e", &lcov("a.c", &[(1, 1), (6, 1)]));
    let answer = on("next", "c2", measured).accepted(&server).await;
    let parts = &answer["summary"]["parts"];
    assert_eq!(parts["carried"], json!([]));
    assert_eq!(parts["arrived"], json!(["e2e", "unit"]));
    let expected = json!([[1, 1], [3, 3], [6, 6]]);
    assert_eq!(hit(&server, id(&answer)).await, expected);
}

#[tokio::test]
async fn a_part_is_followed_through_the_changes_of_records_between() {
    let server = TestServer::start().await;
    let measured = main_branch(&server).await;
    let second = changed(on("main", "c2", unit_later()), "c1");
    // Only the settings of the current commit count.
    let second = second.before("settings", SETTINGS);
    second.accepted(&server).await;
    let hits = [(1, 0), (5, 1), (7, 0)];
    let third = changed(on("main", "c3", part("unit", &lcov("a.c", &hits))), "c2");
    let answer = third.accepted(&server).await;
    // Line 3 of c1 is line 5 of c2 and line 7 of c3. Line 1 of c1 is line 3 of c2, and only unit ran it.
    assert_eq!(hit(&server, id(&answer)).await, json!([[5, 5], [7, 7]]));
    let text = answer["summary"]["text"].as_str().unwrap();
    assert!(text.contains("e2e (from c1, "), "{text}");
    delete_record(&server, measured).await;
    let page = server.get_text(&format!("/records/{}", id(&answer))).await;
    assert!(page.contains("carried forward from"), "{page}");
    assert!(!page.contains(&format!("href=\"/records/{measured}\"")));
}

#[tokio::test]
async fn a_skipped_part_is_carried_and_stays_skipped() {
    let server = TestServer::start().await;
    main_branch(&server).await;
    let upload = changed(on("next", "c2", unit_later()), "c1");
    let upload = upload
        .with("skip", "e2e")
        .with("reason", "only docs changed");
    let answer = upload.accepted(&server).await;
    let parts = &answer["summary"]["parts"];
    assert_eq!(parts["arrived"], json!(["e2e", "unit"]));
    assert_eq!(parts["carried"], json!(["e2e"]));
    assert_eq!(hit(&server, id(&answer)).await, json!([[3, 3], [5, 5]]));
}

#[tokio::test]
async fn a_branch_cannot_turn_carrying_on() {
    let server = TestServer::start().await;
    on("main", "c1", unit()).accepted(&server).await;
    on("main", "c1", e2e()).accepted(&server).await;
    let upload = changed(on("next", "c2", unit_later()), "c1");
    let upload = upload.before("settings", SETTINGS);
    let answer = upload.accepted(&server).await;
    assert_eq!(answer["summary"]["parts"]["carried"], json!([]));
    assert_eq!(hit(&server, id(&answer)).await, json!([[3, 3]]));
}

/// The notice of an upload without a carried part.
async fn reason(server: &TestServer, upload: Upload) -> String {
    let answer = upload.accepted(server).await;
    assert_eq!(answer["summary"]["parts"]["carried"], json!([]));
    let notices = answer["summary"]["notices"].as_array().unwrap();
    let mut notices = notices.iter().filter_map(Value::as_str);
    let of_e2e = notices.find(|notice| notice.starts_with("Part e2e is not carried forward: "));
    of_e2e.expect("a notice").to_owned()
}

#[tokio::test]
async fn a_part_is_not_carried_without_changes_or_without_the_record_that_they_start_from() {
    let server = TestServer::start().await;
    main_branch(&server).await;
    let without = reason(&server, on("next", "c2", unit_later())).await;
    assert!(without.ends_with("no changes were sent."), "{without}");
    let unknown = changed(on("next", "c3", unit_later()), "c0");
    let unknown = reason(&server, unknown).await;
    assert!(
        unknown.contains("no record along the stored changes"),
        "{unknown}"
    );
}

#[tokio::test]
async fn a_part_is_not_carried_if_its_paths_are_not_those_of_the_repository() {
    let server = TestServer::start().await;
    let first = on("main", "c1", unit().before("settings", SETTINGS));
    first.accepted(&server).await;
    let elsewhere = part("e2e", &lcov("/home/ci/a.c", &[(3, 1)]));
    on("main", "c1", elsewhere).accepted(&server).await;
    let upload = changed(on("next", "c2", unit_later()), "c1");
    let paths = reason(&server, upload).await;
    assert!(
        paths.contains("its paths are not the paths of the repository"),
        "{paths}"
    );
}

#[tokio::test]
async fn a_part_is_not_carried_after_two_weeks() {
    let server = TestServer::start().await;
    main_branch(&server).await;
    // A newer record of the main branch has no e2e.
    let old = format!("update records set updated_at = updated_at - {}", 15 * DAY);
    let old_parts = format!(
        "update record_parts set arrived_at = arrived_at - {}",
        15 * DAY
    );
    let mut database = server.database().await;
    for statement in [old, old_parts] {
        let statement = sqlx::AssertSqlSafe(statement);
        sqlx::query(statement).execute(&mut database).await.unwrap();
    }
    let upload = changed(on("next", "c2", unit_later()), "c1");
    let old = reason(&server, upload).await;
    assert!(
        old.contains("has not measured it in the last 14 days"),
        "{old}"
    );
}

#[tokio::test]
async fn a_record_without_one_of_its_parts_still_carries() {
    let server = TestServer::start().await;
    main_branch(&server).await;
    let upload = changed(on("next", "c2", unit_later()), "c1");
    let record = id(&upload.accepted(&server).await);
    let web = part("web", &lcov("a.c", &[(1, 1)]));
    on("next", "c2", web).accepted(&server).await;
    assert_eq!(hit(&server, record).await, json!([[1, 1], [3, 3], [5, 5]]));
    let path = format!("/coverages-api/records/{record}/parts/web");
    let request = ask(&server, Method::DELETE, &path).bearer_auth(admin(&server).await);
    assert_eq!(request.send().await.unwrap().status(), 204);
    assert_eq!(hit(&server, record).await, json!([[3, 3], [5, 5]]));
    let summary = summary(&server, record).await;
    assert_eq!(summary["record"]["percentage"], json!(33.33));
    assert_eq!(summary["parts"]["carried"], json!(["e2e"]));
    assert_well(&server);
}

#[tokio::test]
async fn a_part_that_is_no_longer_carried_is_absent_and_its_lines_are_not_lost() {
    let server = TestServer::start().await;
    main_branch(&server).await;
    let second = changed(on("main", "c2", unit_later()), "c1");
    second
        .before("settings", b"carry = []\n")
        .accepted(&server)
        .await;
    let hits = [
        (1, 0),
        (2, 0),
        (3, 0),
        (4, 0),
        (5, 1),
        (6, 0),
        (7, 0),
        (8, 0),
    ];
    let third = changed(on("next", "c3", part("unit", &lcov("a.c", &hits))), "c2");
    let answer = third.accepted(&server).await;
    assert_eq!(answer["summary"]["parts"]["carried"], json!([]));
    assert_eq!(answer["summary"]["lost_lines"], json!(0));
    let explained = answer["summary"]["explanation"].as_str().unwrap();
    assert!(explained.contains("e2e did not report"), "{explained}");
}

#[tokio::test]
async fn measured_lines_ran_in_a_record_whose_parts_have_different_folders() {
    let server = TestServer::start().await;
    main_branch(&server).await;
    with_history(&server, 1).await;
    // The coverage file has absolute paths, the carried part has relative ones: the folder is put back.
    let unit = part("unit", &lcov("/w/src/a.c", &[(1, 1), (2, 0)]));
    let upload = on("main", "c2", unit).before("settings", SETTINGS);
    let record = id(&changed(upload, "c1").accepted(&server).await);
    with_history(&server, record).await;
    let last_runs = async |path: &str| {
        let lines = format!("/coverages-api/records/{record}/lines?path={path}&history");
        let lines = server.get_json(&lines).await;
        let ranges = lines["history"].as_array().unwrap().iter();
        let ranges = ranges.map(|range| range["last_run"]["id"].clone());
        ranges.collect::<Vec<_>>()
    };
    assert_eq!(last_runs("/w/src/a.c").await, [json!(record), json!(null)]);
    // The carried part ran in the record that measured it.
    assert!(!last_runs("a.c").await.contains(&json!(record)));
}

#[tokio::test]
async fn branches_are_carried_unless_their_file_has_changed() {
    let server = TestServer::start().await;
    let branches = |path: &str, taken: u8| {
        format!("SF:{path}\nDA:1,1\nBRDA:1,0,0,1\nBRDA:1,0,1,{taken}\nDA:9,1\nend_of_record\n")
    };
    let unit = || part("unit", &branches("a.c", 0));
    // Branches of ignored files are carried no more than their lines.
    let settings = b"carry = [\"e2e\"]\nignore = [\"gen/**\"]\n[gate]\nbranches_floor = 100\n";
    let first = on("main", "c1", unit().before("settings", settings));
    first.accepted(&server).await;
    let e2e = part("e2e", &(branches("b.c", 1) + &branches("gen/d.c", 0)));
    on("main", "c1", e2e).accepted(&server).await;
    for (commit, path, line, reason) in [
        (
            "c2",
            "a.c",
            20,
            "3 of 4 branches are covered, 100 % needs 4; the base failed too, with 3 of 4",
        ),
        (
            "c3",
            "b.c",
            5,
            "branches_floor: the parts do not all name their branches, or not in the same way",
        ),
    ] {
        let changes = format!(
            "diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -{line} +{line} @@\n"
        );
        let upload = on(commit, commit, unit().with("base_commit", "c1"));
        let upload = upload.before("changes", changes.as_bytes());
        let answer = upload.accepted(&server).await;
        let summary = &answer["summary"];
        assert_eq!(summary["parts"]["carried"], json!(["e2e"]));
        assert_eq!(summary["gate"]["reasons"], json!([reason]));
    }
}
