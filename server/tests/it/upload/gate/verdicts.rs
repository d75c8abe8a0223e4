//! The verdict of a gate about a record.

use super::*;
use serde_json::{Value, json};

/// An upload with `covered` of 100 lines of `src/fee.c`.
fn measured(covered: u32, commit: &str) -> Upload {
    let line = |number| format!("DA:{number},{}\n", u8::from(number <= covered));
    let lines: String = (1..=100).map(line).collect();
    let lcov = format!("SF:src/fee.c\n{lines}end_of_record\n");
    Upload::of(Archive::new().file("coverage.xml", &lcov).tar_gz())
        .with("commit_hash", commit)
        .with("summary", "1")
}

/// An upload of a branch whose changes add these lines to the commit `m1`.
fn on_branch(covered: u32, commit: &str, hunk: &str) -> Upload {
    let diff =
        format!("diff --git a/src/fee.c b/src/fee.c\n--- a/src/fee.c\n+++ b/src/fee.c\n{hunk}\n");
    measured(covered, commit)
        .with("branch_name", "fix")
        .with("base_commit", "m1")
        .after("changes", diff.as_bytes())
}

async fn verdict(server: &TestServer, upload: Upload) -> Value {
    upload.accepted(server).await["summary"]["gate"].clone()
}

#[tokio::test]
async fn a_gate_judges_changed_and_lost_lines_and_the_floor() {
    let server = TestServer::start().await;
    assert_eq!(verdict(&server, measured(80, "m1")).await, Value::Null);
    let rules = [
        "set",
        "--org=acme",
        "--repo=payments",
        "--changed=80",
        "--lost=0",
        "--floor=70",
    ];
    gate(&server, &rules).unwrap();
    // Lines 71 to 80 are changed, and 75 of 100 lines run: 5 of 10 changed lines.
    let failed = on_branch(75, "f1", "@@ -71,10 +71,10 @@").with("pull_request", "7");
    let failed = verdict(&server, failed).await;
    let expected = json!({
        "verdict": "failed",
        "reasons": ["5 of 10 changed lines are covered, 80 % needs 8: src/fee.c 76–80"],
        "skipped": []
    });
    assert_eq!(failed, expected);
    for list in ["/repos/acme/payments/pulls", "/gates?org_name=acme"] {
        let list = server.get_text(list).await;
        let reason = "<bdi>5 of 10 changed lines are covered, 80\u{a0}% needs 8</bdi>";
        assert!(list.contains(reason), "{list}");
        assert!(list.contains("1 pull request, 1 fails"), "{list}");
    }
    // The same lines are lost if they are not changed.
    let lost = verdict(&server, on_branch(69, "f2", "@@ -81,10 +81,10 @@")).await;
    assert_eq!(lost["verdict"], "failed");
    let reasons = lost["reasons"].to_string();
    for expected in [
        "0 of 10 changed lines are covered, 80 % needs 8: src/fee.c 81–90",
        "11 unchanged lines are no longer run, 0 are allowed: src/fee.c 70–80",
        "69 of 100 lines are covered, 70 % needs 70",
    ] {
        assert!(reasons.contains(expected), "{reasons}");
    }
    let passed = verdict(&server, on_branch(80, "f3", "@@ -1,10 +1,10 @@")).await;
    let expected = json!({"verdict": "passed", "reasons": [], "skipped": []});
    assert_eq!(passed, expected);
    let page = server.get_text("/records/2").await;
    assert!(page.contains("The gate failed"), "{page}");
    let history = "/repos/acme/payments?tab=history&branch_name=fix";
    let history = server.get_text(history).await;
    assert!(
        history.contains("<span class=\"verdict failed\">"),
        "{history}"
    );
    // Without changes, only the floor applies.
    let upload = measured(71, "f4").with("branch_name", "fix");
    let floor = verdict(&server, upload).await;
    assert_eq!(floor["verdict"], "passed");
    let skipped = json!([
        "changed: no changes were sent",
        "lost: there is no record of the base commit"
    ]);
    assert_eq!(floor["skipped"], skipped);
}

#[tokio::test]
async fn a_gate_judges_branches_and_functions() {
    let server = TestServer::start().await;
    server.get("/coverages-api/health").await;
    let rules = ["--branches-floor=60", "--functions-floor=50"];
    gate(&server, &[&["set", "--org=acme"], &rules[..]].concat()).unwrap();
    let lcov = "SF:src/fee.c\nFN:1,a\nFN:3,b\nFNDA:1,a\nFNDA:0,b\nDA:1,1\nDA:2,1\nDA:3,0\n\
                BRDA:2,0,0,1\nBRDA:2,0,1,0\nend_of_record\n";
    let upload = || Upload::of(Archive::new().file("coverage.xml", lcov).tar_gz());
    let failed = verdict(&server, upload().with("summary", "1")).await;
    let expected = json!({
        "verdict": "failed",
        "reasons": ["1 of 2 branches are covered, 60 % needs 2"],
        "skipped": []
    });
    assert_eq!(failed, expected);
    let without = verdict(&server, measured(80, "m2")).await;
    let skipped = json!([
        "branches_floor: the coverage file does not state the number of branches",
        "functions_floor: the coverage file does not state the number of functions"
    ]);
    assert_eq!(
        (&without["verdict"], &without["reasons"]),
        (&json!("unknown"), &skipped)
    );
}

#[tokio::test]
async fn a_trend_marks_the_records_whose_gate_failed() {
    let server = TestServer::start().await;
    verdict(&server, measured(80, "m1")).await;
    let of = |parameters: &str| {
        format!("/coverages-api/trend?org_name=acme&repo_name=payments{parameters}")
    };
    let trend = server.get_json(&of("")).await;
    assert_eq!(trend["series"][0].get("failed"), None, "{trend}");
    let rules = ["set", "--org=acme", "--repo=payments", "--floor=70"];
    gate(&server, &rules).unwrap();
    for (commit, covered) in [("m2", 75), ("m3", 60), ("m4", 72)] {
        verdict(&server, measured(covered, commit)).await;
    }
    let trend = server.get_json(&of("&branch_name=main")).await;
    assert_eq!(trend["series"][0]["failed"], json!([2]), "{trend}");
    let page = server.get_text("/repos/acme/payments").await;
    assert!(page.contains("class=\"failed\""), "{page}");
    assert!(page.contains("gate failed"));
}

#[tokio::test]
async fn settings_count_only_from_the_main_branch() {
    let server = TestServer::start().await;
    let settings = |floor: u32| format!("[gate]\nfloor = {floor}\n");
    let main = measured(80, "m1").before("settings", settings(70).as_bytes());
    assert_eq!(verdict(&server, main).await["verdict"], "passed");
    // A pull request cannot lower its own floor.
    let lower = on_branch(60, "f1", "@@ -1 +1 @@").before("settings", settings(10).as_bytes());
    assert_eq!(verdict(&server, lower).await["verdict"], "failed");
    let main = measured(80, "m2").before("settings", settings(50).as_bytes());
    main.accepted(&server).await;
    let now = server.get_json("/coverages-api/records/2").await;
    assert_eq!(now["gate"]["verdict"], "passed");
}

#[tokio::test]
async fn missing_parts_make_a_verdict_incomplete_until_they_arrive() {
    let server = TestServer::start().await;
    // The start creates the database.
    server.get("/coverages-api/health").await;
    gate(&server, &["set", "--org=acme", "--floor=90"]).unwrap();
    let part = |name: &str, covered| {
        measured(covered, "c1")
            .with("part", name)
            .with("parts", "unit,e2e")
    };
    let waiting = verdict(&server, part("unit", 80)).await;
    let expected = json!({"verdict": "incomplete", "reasons": ["waiting for e2e"], "skipped": []});
    assert_eq!(waiting, expected);
    let arrived = verdict(&server, part("e2e", 95)).await;
    assert_eq!(arrived["verdict"], "passed");
}

const EDIT: &str =
    "diff --git a/src/fee.c b/src/fee.c\n--- a/src/fee.c\n+++ b/src/fee.c\n@@ -1 +1 @@\n";

#[tokio::test]
async fn a_gate_that_could_judge_nothing_is_unknown_and_says_why() {
    let server = TestServer::start().await;
    measured(80, "m1").accepted(&server).await;
    gate(
        &server,
        &["set", "--org=acme", "--repo=payments", "--lost=0"],
    )
    .unwrap();
    let base = "lost: there is no record of the base commit";
    let changes = "lost: no changes were sent";
    let fix = |commit: &str, base: &str| {
        measured(70, commit)
            .with("branch_name", "fix")
            .with("base_commit", base)
    };
    for (upload, why) in [
        (fix("f1", "m1"), changes),
        (fix("f2", "m0").after("changes", EDIT.as_bytes()), base),
    ] {
        let summary = &upload.accepted(&server).await["summary"];
        let expected = json!({"verdict": "unknown", "reasons": [why], "skipped": [why]});
        assert_eq!(summary["gate"], expected);
        assert_eq!(summary["lost_lines"], Value::Null);
        for text in ["text", "markdown"] {
            let said = summary[text].as_str().unwrap();
            assert!(said.contains(why), "{said}");
            assert!(!said.contains("passed"), "{said}");
        }
        let page = format!("/records/{}", summary["record"]["id"]);
        let page = server.get_text(&page).await;
        assert!(
            page.contains("The gate is unknown") && page.contains(why),
            "{page}"
        );
        assert!(!page.contains("The gate passed"), "{page}");
    }
    let summary = server.get_json("/coverages-api/records/3").await;
    for text in ["text", "markdown"] {
        let said = summary[text].as_str().unwrap();
        assert!(said.contains("lost: unknown"), "{said}");
    }
}

#[tokio::test]
async fn lines_of_a_file_that_nothing_measures_any_more_are_lost() {
    let server = TestServer::start().await;
    let both = "SF:a.c\nDA:1,1\nend_of_record\nSF:old.c\nDA:1,1\nDA:2,1\nDA:3,0\nend_of_record\n";
    let only = "SF:a.c\nDA:1,1\nend_of_record\n";
    let of = |lcov: &str, commit: &str| {
        Upload::of(Archive::new().file("coverage.xml", lcov).tar_gz())
            .with("commit_hash", commit)
            .with("summary", "1")
    };
    of(both, "m1").accepted(&server).await;
    gate(
        &server,
        &["set", "--org=acme", "--repo=payments", "--lost=0"],
    )
    .unwrap();
    let deleted = "diff --git a/old.c b/old.c\ndeleted file mode 100644\n--- a/old.c\n+++ /dev/null\n@@ -1,3 +0,0 @@\n";
    let renamed = "diff --git a/old.c b/new.c\nrename from old.c\nrename to new.c\n";
    let reason =
        "2 unchanged lines are no longer run, 0 are allowed: old.c (no longer measured) 1–2";
    for (diff, lost, reasons) in [
        ("", 2, json!([reason])),
        (deleted, 0, json!([])),
        (renamed, 0, json!([])),
    ] {
        let upload = of(only, &format!("f{}", diff.len()))
            .with("branch_name", "fix")
            .with("base_commit", "m1")
            .after("changes", diff.as_bytes());
        let summary = &upload.accepted(&server).await["summary"];
        assert_eq!(summary["lost_lines"], lost, "{diff}: {summary}");
        assert_eq!(summary["gate"]["reasons"], reasons);
        // An empty diff means that nothing changed.
        assert_eq!(summary["changed_lines"]["coverable"], 0);
    }
}

#[tokio::test]
async fn changed_lines_of_a_binary_file_are_not_known() {
    let server = TestServer::start().await;
    measured(80, "m1").accepted(&server).await;
    let rules = [
        "set",
        "--org=acme",
        "--repo=payments",
        "--changed=80",
        "--lost=0",
    ];
    gate(&server, &rules).unwrap();
    let binary = "diff --git a/src/fee.c b/src/fee.c\nindex 1..2 100644\nBinary files a/src/fee.c and b/src/fee.c differ\n";
    let picture = "diff --git a/logo.png b/logo.png\nindex 1..2 100644\nBinary files a/logo.png and b/logo.png differ\n";
    let of = |commit: &str, diff: &str| {
        measured(80, commit)
            .with("branch_name", "fix")
            .with("base_commit", "m1")
            .after("changes", diff.as_bytes())
    };
    let summary = &of("f1", binary).accepted(&server).await["summary"];
    let skipped = json!([
        "changed: the changed lines of 1 file are not known",
        "lost: the changed lines of 1 file are not known"
    ]);
    let gate = &summary["gate"];
    assert_eq!(
        (&gate["verdict"], &gate["skipped"]),
        (&json!("unknown"), &skipped)
    );
    assert_eq!(summary["changed_lines"]["unknown_files"], 1);
    assert_eq!(summary["lost_lines"], Value::Null);
    let notices = summary["notices"].to_string();
    assert!(notices.contains(".gitattributes"), "{notices}");
    // A picture has no coverage.
    let summary = &of("f2", picture).accepted(&server).await["summary"];
    assert_eq!(summary["gate"]["verdict"], "passed");
    assert_eq!(summary["changed_lines"]["unknown_files"], 0);
}

#[tokio::test]
async fn only_main_makes_a_gate_judge_what_pushes_to_the_main_branch_change() {
    let server = TestServer::start().await;
    measured(80, "m1").accepted(&server).await;
    let own = ["set", "--org=acme", "--repo=payments"];
    gate(
        &server,
        &[&own[..], &["--changed=80", "--changed-min=1", "--lost=0"]].concat(),
    )
    .unwrap();
    let pushed = |commit: &str, base: &str| {
        measured(60, commit)
            .with("base_commit", base)
            .after("changes", EDIT.as_bytes())
    };
    let summary = &pushed("m2", "m1").accepted(&server).await["summary"];
    assert_eq!(
        (&summary["gate"], &summary["lost_lines"]),
        (&Value::Null, &json!(20))
    );
    gate(&server, &[&own[..], &["--floor=50"]].concat()).unwrap();
    let passed = json!({"verdict": "passed", "reasons": [], "skipped": []});
    assert_eq!(verdict(&server, pushed("m3", "m1")).await, passed);
    gate(&server, &[&own[..], &["--main"]].concat()).unwrap();
    assert_eq!(
        verdict(&server, pushed("m4", "m1")).await["verdict"],
        "failed"
    );
}

#[tokio::test]
async fn partial_lines_are_missed_in_every_number_if_the_settings_say_so() {
    let server = TestServer::start().await;
    let lcov = "SF:src/fee.c\nDA:1,1\nDA:2,1\nBRDA:2,0,0,1\nBRDA:2,0,1,0\nend_of_record\n";
    let upload = |commit: &str| {
        Upload::of(Archive::new().file("coverage.xml", lcov).tar_gz())
            .with("commit_hash", commit)
            .with("summary", "1")
            .before(
                "settings",
                b"partial = \"miss\"\n[gate]\nchanged = 90\nchanged_min = 1\n",
            )
    };
    upload("m1").accepted(&server).await;
    let diff = EDIT.replace("-1 +1", "-1,2 +1,2");
    let head = upload("f1")
        .with("branch_name", "fix")
        .with("base_commit", "m1")
        .after("changes", diff.as_bytes());
    let summary = &head.accepted(&server).await["summary"];
    let reason = "1 of 2 changed lines are fully covered, 90 % needs 2: src/fee.c 2";
    assert_eq!(summary["gate"]["reasons"], json!([reason]));
    assert_eq!(summary["changed_lines"]["covered"], 1);
    let changes = server.get_json("/coverages-api/records/2/changes").await;
    assert_eq!(
        (&changes["covered"], &changes["files"][0]["covered"]),
        (&json!(1), &json!(1))
    );
    for text in ["text", "markdown"] {
        let said = summary[text].as_str().unwrap();
        assert!(said.contains("1 of 2"), "{said}");
    }
}
