//! The tool `line_tests`.

use super::*;

const BEFORE: &str =
    "TN:pays\nSF:a.c\nDA:1,1\nDA:2,1\nend_of_record\nTN:refunds\nSF:a.c\nDA:2,1\nend_of_record\n";

/// Line 2 of before is line 3 now, and did not run.
const AFTER: &str = "TN:pays\nSF:a.c\nDA:1,1\nDA:2,1\nDA:3,0\nDA:9,0\nend_of_record\nTN:other\nSF:b.c\nDA:1,1\nend_of_record\n";
const ADDED: &str = "diff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n@@ -0,0 +1 @@\n";

fn lcov(upload: Upload) -> Upload {
    upload.with("coverage_xml_file_name", "lcov.info")
}

fn archive(text: &str) -> Vec<u8> {
    Archive::new().file("lcov.info", text).tar_gz()
}

#[tokio::test]
async fn a_lost_line_names_the_tests_that_ran_it_at_the_base() {
    let server = TestServer::start().await;
    let before = lcov(Upload::of(archive(BEFORE))).with("commit_hash", "c1");
    before.accepted(&server).await;
    let after = lcov(Upload::of(archive(AFTER)))
        .with("commit_hash", "c2")
        .with("branch_name", "fix")
        .with("base_commit", "c1")
        .after("changes", ADDED.as_bytes());
    after.accepted(&server).await;
    let agent = agent(&server).await;
    let ask = |record: i64, line: u32| json!({"record": record, "path": "a.c", "line": line});
    let now = answer(&agent, "line_tests", ask(1, 2)).await;
    assert!(
        now.contains("`a.c`, line 2: 2 of 2 tests ran it.\n- `pays`\n- `refunds`\n"),
        "{now}"
    );
    let lost = answer(&agent, "line_tests", ask(2, 3)).await;
    assert!(lost.contains("line 3: missed, so no test ran it.\nAt the base record 1, these tests ran it:\n- `pays`\n- `refunds`\n"), "{lost}");
    let new = answer(&agent, "line_tests", ask(2, 9)).await;
    assert!(!new.contains("base record"), "{new}");
    let json = server
        .get_json("/coverages-api/records/2/tests?path=a.c&line=3")
        .await;
    assert_eq!(
        json["former"],
        json!({"record": 1, "tests": ["pays", "refunds"]})
    );
    let wrong = json!({"record": 1, "path": "x/a.c", "line": 1});
    let refused = refusal(&agent, "line_tests", wrong).await;
    assert!(refused.contains("did you mean `a.c`?"), "{refused}");
    let refused = refusal(&agent, "line_tests", json!({"record": 1, "path": "a.c"})).await;
    assert!(refused.contains("Set `line` to"), "{refused}");
}

#[tokio::test]
async fn a_record_without_tests_is_refused_with_the_reason() {
    let server = with_change().await;
    let agent = agent(&server).await;
    let of = json!({"record": 1, "path": "src/fee.c", "line": 1});
    let refused = refusal(&agent, "line_tests", of).await;
    assert!(refused.contains("names no tests"), "{refused}");
}
