//! Which missed ranges and files come first.

use super::*;
use crate::read::line_history::with_history;

#[tokio::test]
async fn missed_ranges_beside_partial_lines_come_first_then_beside_covered_ones() {
    let server = TestServer::start().await;
    // 1 is alone; 10 is beside a covered line; 21 to 22 beside a partial one, with a gap; 34 is too far from 31.
    let coverage = "SF:a.c\nDA:1,0\nDA:9,1\nDA:10,0\nDA:19,1\nBRDA:19,0,0,1\nBRDA:19,0,1,0\nDA:21,0\nDA:22,0\nDA:31,1\nDA:34,0\nend_of_record\n";
    upload("c1", coverage).accepted(&server).await;
    let agent = agent(&server).await;
    let text = answer(&agent, "file_lines", json!({"record": 1, "path": "a.c"})).await;
    assert!(
        text.contains("\nMissed, beside lines that ran: 21–22, 10.\nMissed: 1, 34.\n"),
        "{text}"
    );
    with_history(&server, 1).await;
    let text = answer(&agent, "file_lines", json!({"record": 1, "path": "a.c"})).await;
    assert!(
        text.contains("\n21–22: not run since ") && text.contains(" or earlier."),
        "{text}"
    );
}

#[tokio::test]
async fn files_with_the_most_missed_lines_come_first_and_untested_ones_last() {
    let server = TestServer::start().await;
    upload("c1", BASE).accepted(&server).await;
    let (mut coverage, mut diff) = (String::new(), String::new());
    for (path, hits) in [
        ("new.c", "0000"),
        ("a.c", "101"),
        ("b.c", "1000"),
        ("done.c", "11"),
    ] {
        coverage += &format!("SF:{path}\n");
        for (index, hits) in hits.chars().enumerate() {
            coverage += &format!("DA:{},{hits}\n", index + 1);
        }
        coverage += "end_of_record\n";
        diff += &format!(
            "diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,9 @@\n"
        );
    }
    changed("c2", &coverage, &diff).accepted(&server).await;
    let agent = agent(&server).await;
    let text = answer(&agent, "uncovered_in_change", json!({"record": 2})).await;
    let files: Vec<_> = text.lines().filter(|line| line.starts_with("- ")).collect();
    assert_eq!(
        files,
        [
            "- `b.c`: 1 of 4 covered. Missed, beside lines that ran: 2–4.",
            "- `a.c`: 2 of 3 covered. Missed, beside lines that ran: 2.",
            "- `new.c`: 0 of 4 covered. Missed: 1–4.",
        ]
    );
}
