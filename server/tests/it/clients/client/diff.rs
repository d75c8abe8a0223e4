//! `coverage-dashboard diff`.

use super::{asks, measured};
use crate::harness::TestServer;
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn lines_keep_their_states_with_the_numbers_of_the_working_tree() {
    let server = TestServer::start().await;
    let job = measured(&server).await;
    let first = job.head();
    let diff = || {
        let ran = asks(&job, &server, &["diff", "--json"]);
        assert_eq!(ran.code, 0, "{}", ran.notes);
        serde_json::from_str::<Value>(&ran.out).unwrap()
    };
    let unchanged = diff();
    assert_eq!(unchanged["files"], json!([]));
    assert_eq!(unchanged["record"]["commit_hash"], *first);
    assert_eq!(unchanged["record"].as_object().unwrap().len(), 10);
    // A commit without a record, a change that is staged, one that is not, and a new file.
    job.write("src/fee.py", "zero\none\ntwo\n");
    job.commit("zero");
    job.write("src/fee.py", "zero\none\nand\ntwo\n");
    job.git(&["add", "-A"]);
    job.write("src/fee.py", "zero\none\nand\ntwo\nthree\n");
    job.write("src/new.py", "one\ntwo");
    job.write("notes.txt", "no source code\n");
    assert_eq!(
        diff()["files"],
        json!([
            {"path": "src/fee.py", "covered": [[2, 2]], "missed": [[4, 4]], "not_measured": [[1, 1], [3, 3], [5, 5]]},
            {"path": "src/new.py", "covered": [], "missed": [], "not_measured": [[1, 2]]},
        ])
    );
    let text = asks(&job, &server, &["diff"]).out;
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], "src/fee.py: not measured yet 1, 3, 5; missed 4");
    assert_eq!(lines[1], "src/new.py: not measured yet 1–2");
    assert!(
        lines[2].starts_with("2 files have changed since record "),
        "{text}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renamed_file_keeps_its_states_and_hostile_names_stay_in_their_line() {
    let server = TestServer::start().await;
    let job = measured(&server).await;
    let body: String = (0..20).map(|n| format!("line {n}\n")).collect();
    job.write("src/fee.py", &body);
    job.commit("long");
    job.write_coverage(&[(1, 1), (2, 0), (20, 1)]);
    assert_eq!(job.upload(&server).run().code, 0);
    job.git(&["mv", "src/fee.py", "src/a b\u{1b}[31m.py"]);
    job.write("src/a b\u{1b}[31m.py", &format!("first\n{body}"));
    job.git(&["add", "-A"]);
    let ran = asks(&job, &server, &["diff", "--json"]);
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        answer["files"],
        json!([{"path": "src/a b\u{1b}[31m.py", "covered": [[2, 2], [21, 21]], "missed": [[3, 3]], "not_measured": [[1, 1]]}]),
        "{}",
        ran.notes
    );
    let text = asks(&job, &server, &["diff"]).out;
    assert!(!text.contains('\u{1b}'), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_whose_lines_are_gone_is_named() {
    let server = TestServer::start().await;
    let job = measured(&server).await;
    let mut database = server.database().await;
    sqlx::query("delete from record_lines")
        .execute(&mut database)
        .await
        .unwrap();
    let ran = asks(&job, &server, &["diff"]);
    assert_eq!(ran.code, 1);
    assert!(ran.notes.contains("are not kept"), "{}", ran.notes);
}
