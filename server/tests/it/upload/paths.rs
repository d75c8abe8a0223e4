//! The form field `paths` of an upload: paths of the coverage file become paths of the repository.

mod layouts;

use crate::harness::{Archive, Reachable, TestServer, Upload, gzip};
use serde_json::{Value, json};
use std::{path::Path, process::Command};

const LCOV: &str = "SF:/builds/42/src/fee.c\nDA:1,1\nDA:2,0\nend_of_record\n\
    SF:/usr/include/stdio.h\nDA:5,1\nend_of_record\n";

fn archive(coverage: &str) -> Vec<u8> {
    let archive = Archive::new().file("index.html", "<p>report");
    archive.file("coverage.xml", coverage).tar_gz()
}

fn upload(coverage: &str) -> Upload {
    Upload::of(archive(coverage)).with("summary", "1")
}

async fn lines(server: &TestServer, answer: &Value, path: &str) -> Value {
    let id = &answer["coverage"]["id"];
    let address = format!("/coverages-api/records/{id}/lines?path={path}");
    server.get(&address).await.json().await.unwrap()
}

fn git(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    output.stdout
}

#[tokio::test]
async fn paths_become_those_of_the_repository_whether_sent_before_or_after_the_archive() {
    let server = TestServer::start().await;
    let list = b"README.md\0src/fee.c\0";
    let expected = json!({"matched": 1, "of": 2, "unmatched": ["/usr/include/stdio.h"]});
    for sent in [
        upload(LCOV).before("paths", list),
        upload(LCOV).after("paths", list),
        upload(LCOV)
            .after("note", b"unknown")
            .after("paths", &gzip(list)),
        // The first list counts.
        upload(LCOV)
            .before("paths", list)
            .after("paths", b"other\0"),
    ] {
        let answer = sent.accepted(&server).await;
        assert_eq!(answer["summary"]["paths"], expected);
        let file = lines(&server, &answer, "src/fee.c").await;
        assert_eq!(file["missed"], json!([[2, 2]]));
    }
}

#[tokio::test]
async fn a_list_that_git_writes_matches_a_report_from_another_folder() {
    let server = TestServer::start().await;
    let folder = tempfile::tempdir().unwrap();
    let at = |path: &str| folder.path().join(path);
    std::fs::create_dir_all(at("srv/ünï")).unwrap();
    for path in ["srv/ünï/a b.py", "setup.py"] {
        std::fs::write(at(path), "pass\n").unwrap();
    }
    git(folder.path(), &["init", "--quiet"]);
    git(folder.path(), &["add", "."]);
    let list = git(folder.path(), &["ls-files", "-z"]);
    let coverage = "<coverage line-rate='1'><sources><source>C:\\work\\srv</source></sources><packages><package><classes>\
        <class filename='ünï\\a b.py'><lines><line number='1' hits='1'/></lines></class>\
        </classes></package></packages></coverage>";
    let answer = upload(coverage)
        .after("paths", &list)
        .accepted(&server)
        .await;
    assert_eq!(answer["summary"]["paths"]["matched"], 1);
    let path = "srv%2F%C3%BCn%C3%AF%2Fa%20b.py";
    assert_eq!(lines(&server, &answer, path).await["hit"], json!([[1, 1]]));
}

#[tokio::test]
async fn few_matches_are_said_in_the_answer_on_the_page_and_in_the_ledger() {
    let server = TestServer::start().await;
    let answer = upload(LCOV)
        .after("paths", b"src/fee.c\0")
        .accepted(&server)
        .await;
    let said = "nly 1 of 2 paths in";
    let summary = &answer["summary"];
    assert!(
        summary["text"].as_str().unwrap().contains(said),
        "{summary}"
    );
    assert!(summary["notices"][0].as_str().unwrap().contains(said));
    let id = &answer["coverage"]["id"];
    let page = server.get_text(&format!("/records/{id}")).await;
    assert!(
        page.contains("1 of 2 are files of the repository"),
        "{page}"
    );
    assert!(page.contains("/usr/include/stdio.h"));
    let ledger = server.get_text("/uploads").await;
    assert!(ledger.contains(said), "{ledger}");
}

#[tokio::test]
async fn the_summary_of_a_record_is_that_of_its_upload() {
    let server = TestServer::start().await;
    let answer = upload(LCOV)
        .after("paths", b"src/fee.c\0")
        .accepted(&server)
        .await;
    let address = format!("/coverages-api/records/{}", answer["coverage"]["id"]);
    let summary = server.get_json(&address).await;
    assert_eq!(summary, answer["summary"]);
    let url = summary["url"].as_str().unwrap();
    assert!(
        url.ends_with(&format!("/records/{}", answer["coverage"]["id"])),
        "{url}"
    );
    let report = summary["report_url"].as_str().unwrap();
    assert!(
        report.starts_with("http") && report.contains("/reports/"),
        "{report}"
    );
    let etag = server.get(&address).await.headers()["etag"].clone();
    let again = server
        .client()
        .get(server.url(&address))
        .header("if-none-match", etag);
    assert_eq!(again.send().await.unwrap().status(), 304);
    for unknown in ["/coverages-api/records/99", "/coverages-api/records/x"] {
        assert_eq!(server.get(unknown).await.status(), 404);
    }
}

#[tokio::test]
async fn without_the_parameter_an_answer_has_no_summary() {
    let server = TestServer::start().await;
    for sent in [
        Upload::of(archive(LCOV)),
        Upload::of(archive(LCOV)).with("summary", "0"),
    ] {
        let answer = sent.accepted(&server).await;
        let members: Vec<_> = answer.as_object().unwrap().keys().collect();
        assert_eq!(members, ["coverage", "data"]);
    }
    let (status, problem) = upload(LCOV).with("summary", "maybe").refused(&server).await;
    assert_eq!(
        (status, &problem["code"]),
        (422, &json!("invalid_parameter"))
    );
}

#[tokio::test]
async fn malformed_lists_refuse_the_upload_and_store_nothing() {
    let server = TestServer::start().await;
    let cut = gzip(b"src/fee.c\0");
    let cut = &cut[..cut.len() - 6];
    for (list, said) in [
        (
            &b"README.md\nsrc/fee.c\n"[..],
            "Path 1 contains a line feed",
        ),
        (b"README.md\0/src/fee.c\0", "Path 2 is absolute"),
        (b"a/../../b\0", "Path 1 leaves the repository"),
        (cut, "gzip"),
    ] {
        for sent in [
            upload(LCOV).before("paths", list),
            upload(LCOV).after("paths", list),
        ] {
            let (status, problem) = sent.refused(&server).await;
            assert_eq!((status, &problem["code"]), (422, &json!("invalid_paths")));
            assert!(
                problem["detail"].as_str().unwrap().contains(said),
                "{problem}"
            );
        }
    }
    assert_eq!(server.get_json("/coverages-api").await["data"], json!({}));
    assert!(server.stored_files().is_empty());
}

#[tokio::test]
async fn a_list_above_a_limit_is_ignored_with_a_notice() {
    let server = TestServer::start().await;
    let long = "a\0".repeat(1_000_001);
    let large = gzip(&vec![b'a'; (16 << 20) + 1]);
    for list in [long.as_bytes(), &large, b""] {
        let answer = upload(LCOV).after("paths", list).accepted(&server).await;
        assert_eq!(answer["summary"]["paths"], Value::Null);
        let notice = answer["summary"]["notices"][0].as_str().unwrap();
        assert!(notice.contains("as in the coverage file"), "{notice}");
        let page = format!("/records/{}", answer["coverage"]["id"]);
        assert!(server.get_text(&page).await.contains(notice));
    }
}

#[tokio::test]
async fn two_names_of_one_file_are_one_file_with_each_line_once() {
    let server = TestServer::start().await;
    let coverage = "SF:/w/src/fee.c\nDA:1,1\nDA:2,0\nend_of_record\nSF:src/fee.c\nDA:1,0\nDA:2,1\nend_of_record\n";
    let answer = upload(coverage)
        .after("paths", b"src/fee.c\0")
        .accepted(&server)
        .await;
    let file = lines(&server, &answer, "src/fee.c").await;
    assert_eq!(
        (&file["covered"], &file["coverable"]),
        (&json!(2), &json!(2))
    );
    let page = format!("/records/{}", answer["coverage"]["id"]);
    assert!(server.get_text(&page).await.contains("1 file"));
}

#[tokio::test]
async fn what_cannot_be_read_after_the_archive_is_ignored_with_a_notice() {
    let server = TestServer::start().await;
    let sent = upload(LCOV)
        .after("note", &vec![b'x'; 3 << 20])
        .after("paths", b"src/fee.c\0");
    let answer = sent.accepted(&server).await;
    assert_eq!(answer["coverage"]["id"], 1);
    let summary = &answer["summary"];
    assert_eq!(summary["paths"], Value::Null);
    let notice = summary["notices"][0].as_str().unwrap();
    assert!(notice.contains("later fields were ignored"), "{notice}");
}
