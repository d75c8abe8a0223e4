//! Coverage files whose lines, files and branches have their own rules, from the upload to the lines of the record.

use crate::harness::{Archive, Reachable, TestServer, Upload};
use serde_json::{Value, json};

fn upload(coverage: &str) -> Upload {
    let archive = Archive::new().file("coverage.xml", coverage).tar_gz();
    Upload::of(archive).with("summary", "1")
}

fn in_pull_request(coverage: &str, paths: &str, changes: &str) -> Upload {
    upload(coverage)
        .with("branch_name", "x")
        .with("base_commit", "0a1b2c3")
        .with("pull_request", "7")
        .with("target_branch", "main")
        .before("paths", paths.as_bytes())
        .before("changes", changes.as_bytes())
}

async fn lines(server: &TestServer, answer: &Value, path: &str) -> Value {
    let id = &answer["coverage"]["id"];
    let address = format!("/coverages-api/records/{id}/lines?path={path}");
    server.get_json(&address).await
}

fn changed(answer: &Value) -> [&Value; 2] {
    let changed = &answer["summary"]["changed_lines"];
    [&changed["covered"], &changed["coverable"]]
}

#[tokio::test]
async fn both_forms_of_codecov_json_have_their_own_line_numbers() {
    let server = TestServer::start().await;
    for coverage in [
        r#"{"coverage": {"src/fee/core.clj": [null, 1, 0, null, true, 0], "src/fee/util.clj": [null, 2, "1/3", null, 0]}}"#,
        r#"{"coverage": {"src/fee/core.clj": {"1": 1, "2": 0, "4": true, "5": 0}, "src/fee/util.clj": {"1": 2, "2": "1/3", "4": 0}}}"#,
    ] {
        let answer = upload(coverage).accepted(&server).await;
        assert_eq!(answer["coverage"]["percentage"], 57.14);
        let core = lines(&server, &answer, "src/fee/core.clj").await;
        assert_eq!(core["hit"], json!([[1, 1]]));
        assert_eq!(core["partial"], json!([[4, 4]]));
        assert_eq!(core["missed"], json!([[2, 2], [5, 5]]));
        let util = lines(&server, &answer, "src/fee/util.clj").await;
        assert_eq!(util["partial"], json!([[2, 2]]));
        assert_eq!(util["missed"], json!([[4, 4]]));
    }
}

#[tokio::test]
async fn the_body_of_an_upload_to_coveralls_is_a_coverage_file() {
    let server = TestServer::start().await;
    let coverage = r#"{"repo_token": "t", "source_files": [{"source": "a\nb", "coverage": [null, 2, 0, 1, null],
        "branches": [2, 0, 3, 1, 2, 0, 4, 0, 4, 0, 5, 1], "name": "src/fee.py"}]}"#;
    let answer = upload(coverage).accepted(&server).await;
    assert_eq!(answer["coverage"]["percentage"], 66.67);
    let fee = lines(&server, &answer, "src/fee.py").await;
    assert_eq!(fee["hit"], json!([[4, 4]]));
    assert_eq!(fee["partial"], json!([[2, 2]]));
    assert_eq!(fee["missed"], json!([[3, 3]]));
}

/// A class of Kover with the numbers of lines that ran and that did not. Line 15 has no instructions.
fn kover(ran: &[u32], missed: &[u32]) -> String {
    let line = |line: &u32, mi: u32, ci: u32| {
        format!("<line nr=\"{line}\" mi=\"{mi}\" ci=\"{ci}\" mb=\"0\" cb=\"0\"/>")
    };
    let lines: String = ran
        .iter()
        .map(|number| line(number, 0, 3))
        .chain(missed.iter().map(|number| line(number, 2, 0)))
        .chain([line(&15, 0, 0)])
        .collect();
    let counter = format!(
        "<counter type=\"LINE\" missed=\"{}\" covered=\"{}\"/>",
        missed.len(),
        ran.len()
    );
    format!(
        "<report name=\"Intellij Coverage Report\"><package name=\"com/acme/fee\">\
         <sourcefile name=\"Fee.kt\">{lines}{counter}</sourcefile>{counter}</package>{counter}</report>"
    )
}

#[tokio::test]
async fn lines_of_kover_without_instructions_are_no_lines() {
    const PATH: &str = "src/main/kotlin/com/acme/fee/Fee.kt";
    let changes =
        format!("diff --git a/{PATH} b/{PATH}\n--- a/{PATH}\n+++ b/{PATH}\n@@ -12,0 +13,3 @@\n");
    let server = TestServer::start().await;
    let sent = in_pull_request(&kover(&[10, 11, 12], &[13]), PATH, &changes);
    let first = sent.with("part", "one").accepted(&server).await;
    assert_eq!(changed(&first), [&json!(0), &json!(1)]);
    let sent = in_pull_request(&kover(&[10, 13], &[11, 12]), PATH, &changes);
    let both = sent.with("part", "two").accepted(&server).await;
    assert_eq!(both["coverage"]["percentage"], 100.0);
    assert_eq!(changed(&both), [&json!(1), &json!(1)]);
}

#[tokio::test]
async fn statements_of_scoverage_say_which_of_two_files_of_one_name_they_are_in() {
    let statement = |path: &str, line: u32, count: u32| {
        format!(
            "<statement source=\"/home/ci/pay/{path}\" line=\"{line}\" branch=\"false\" \
             invocation-count=\"{count}\" ignored=\"false\"/>"
        )
    };
    let class = |filename: &str, path: &str, first: u32| {
        let statements = [statement(path, first, 1), statement(path, first + 1, 0)].concat();
        format!(
            "<class name=\"X\" filename=\"{filename}\"><methods><method name=\"run\">\
             <statements>{statements}</statements></method></methods></class>"
        )
    };
    let coverage = format!(
        "<scoverage statement-count=\"4\" statements-invoked=\"2\" statement-rate=\"50.00\" version=\"1.0\">\
         <packages><package name=\"com.acme\"><classes>{}{}</classes></package></packages></scoverage>",
        class("Main.scala", "core/src/main/scala/Main.scala", 3),
        class(
            "com/acme/Fee.scala",
            "core/src/main/scala/com/acme/Fee.scala",
            5
        ),
    );
    let paths = "build.sbt\0core/src/main/scala/Main.scala\0core/src/main/scala/com/acme/Fee.scala\0\
        web/src/main/scala/com/acme/Fee.scala\0";
    let changes = "diff --git a/core/src/main/scala/Main.scala b/core/src/main/scala/Main.scala\n\
        --- a/core/src/main/scala/Main.scala\n+++ b/core/src/main/scala/Main.scala\n@@ -3,0 +4,1 @@\n";
    let server = TestServer::start().await;
    let answer = in_pull_request(&coverage, paths, changes)
        .accepted(&server)
        .await;
    assert_eq!(
        answer["summary"]["paths"],
        json!({"matched": 2, "of": 2, "unmatched": []})
    );
    assert_eq!(changed(&answer), [&json!(0), &json!(1)]);
}

/// Two lines, the first with two branches of a block, the first of which was taken.
fn shard(block: u32) -> String {
    format!(
        "TN:\nSF:src/x.ts\nDA:10,1\nDA:11,1\nBRDA:10,{block},0,1\nBRDA:10,{block},1,0\nend_of_record\n"
    )
}

#[tokio::test]
async fn a_branch_that_one_part_misses_and_another_does_not_know_stays_missed() {
    let server = TestServer::start().await;
    for blocks in [[3, 5], [5, 3]] {
        let [one, other] = blocks.map(shard);
        upload(&one).with("part", "one").accepted(&server).await;
        let both = upload(&other).with("part", "other").accepted(&server).await;
        let file = lines(&server, &both, "src/x.ts").await;
        assert_eq!(file["partial"], json!([[10, 10]]));
        assert_eq!(file["hit"], json!([[11, 11]]));
        let id = &both["coverage"]["id"];
        let address = format!("/coverages-api/records/{id}/report.lcov");
        let lcov = server.get_text(&address).await;
        // As lcov -a: two of four.
        assert!(lcov.contains("BRF:4\nBRH:2\n"), "{lcov}");
    }
}

#[tokio::test]
async fn a_total_of_0_of_0_does_not_contradict_the_lines() {
    let server = TestServer::start().await;
    let empty =
        "<coverage lines-valid=\"0\" lines-covered=\"0\" line-rate=\"1\"><packages/></coverage>";
    let answer = upload(empty).accepted(&server).await;
    assert_eq!(answer["coverage"]["percentage"], 100.0);
    assert_eq!(answer["summary"]["notices"], json!([]));
    let id = &answer["coverage"]["id"];
    let page = server.get_text(&format!("/records/{id}")).await;
    assert!(!page.contains("add up to"), "{page}");
    let listed = "<coverage lines-valid=\"0\" lines-covered=\"0\" line-rate=\"0\"><packages><class filename=\"a.py\">\
        <lines><line number=\"1\" hits=\"1\"/><line number=\"2\" hits=\"0\"/></lines></class></packages></coverage>";
    let answer = upload(listed)
        .with("commit_hash", "c0ffee1")
        .accepted(&server)
        .await;
    assert_eq!(answer["coverage"]["percentage"], 50.0);
    assert_eq!(answer["summary"]["notices"], json!([]));
}
