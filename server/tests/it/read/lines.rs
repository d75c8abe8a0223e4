//! The state of every line: stored with an upload, and read again.

use crate::harness::{Archive, Reachable, TestServer, Upload, cobertura};
use reqwest::{Client, redirect::Policy};
use serde_json::{Value, json};

const LCOV: &str = "TN:\nSF:src/fee.c\nBRDA:4,0,0,1\nBRDA:4,0,1,0\nDA:1,3\nDA:2,3\nDA:3,0\nDA:4,1\nDA:9,0\nend_of_record\n\
    TN:\nSF:src/deep/tax.c\nDA:7,300\nend_of_record\n";

async fn upload(server: &TestServer, commit: &str, coverage: &str) -> i64 {
    let name = if coverage.starts_with('<') {
        "coverage.xml"
    } else {
        "lcov.info"
    };
    let archive = Archive::new()
        .file("index.html", "<p>report")
        .file(name, coverage);
    let upload = Upload::of(archive.tar_gz())
        .with("commit_hash", commit)
        .with("coverage_xml_file_name", name);
    upload.accepted(server).await["coverage"]["id"]
        .as_i64()
        .unwrap()
}

fn lines(id: i64, path: &str) -> String {
    format!("/coverages-api/records/{id}/lines?path={path}")
}

/// The status and the code of a refusal.
pub(super) async fn refused(server: &TestServer, path: &str) -> (u16, Value) {
    let response = server.get(path).await;
    let status = response.status().as_u16();
    let problem: Value = response.json().await.unwrap();
    (status, problem["code"].clone())
}

#[tokio::test]
async fn the_lines_of_a_file_are_ranges_of_each_state() {
    let server = TestServer::start().await;
    let id = upload(&server, "c1", LCOV).await;
    let expected = json!({
        "path": "src/fee.c",
        "covered": 3,
        "coverable": 5,
        "hit": [[1, 2]],
        "partial": [[4, 4]],
        "missed": [[3, 3], [9, 9]],
    });
    assert_eq!(server.get_json(&lines(id, "src/fee.c")).await, expected);
}

#[tokio::test]
async fn missing_lines_files_and_records_have_codes_of_their_own() {
    let server = TestServer::start().await;
    let id = upload(&server, "c1", LCOV).await;
    let without = upload(&server, "c2", &cobertura(1, 2)).await;
    for (path, code) in [
        (lines(id, "src/other.c"), "no_such_file"),
        (lines(without, "src/fee.c"), "no_lines"),
        (lines(99, "src/fee.c"), "not_found"),
        (lines(id, "a").replace(&id.to_string(), "x"), "not_found"),
        (
            format!("/coverages-api/records/{without}/report.lcov"),
            "no_lines",
        ),
        (
            "/coverages-api/records/99/report.lcov".to_owned(),
            "not_found",
        ),
    ] {
        assert_eq!(refused(&server, &path).await, (404, json!(code)), "{path}");
    }
    let without_path = format!("/coverages-api/records/{id}/lines");
    let long = lines(id, &"a".repeat(4_097));
    for path in [without_path, long] {
        let expected = (422, json!("invalid_parameter"));
        assert_eq!(refused(&server, &path).await, expected, "{path}");
    }
}

#[tokio::test]
async fn exports_have_the_lines_of_all_files_and_are_read_as_the_same_lines() {
    let server = TestServer::start().await;
    let id = upload(&server, "c1", LCOV).await;
    let read = |text: &str| {
        let report =
            formats::read_with_lines(text.as_bytes(), &formats::Limits::default()).unwrap();
        let mut files = report.files;
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files
    };
    let expected = read(&LCOV.replace("DA:7,300", "DA:7,255"));
    for export in ["lcov", "cobertura.xml"] {
        let path = format!("/coverages-api/records/{id}/report.{export}");
        let found = read(&server.get_text(&path).await);
        assert_eq!(found.len(), 2);
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found.path, expected.path);
            // Hits are kept up to 255.
            assert_eq!(found.lines, expected.lines);
            let numbers = |file: &formats::FileCoverage| {
                let partial = file.partial.iter();
                let numbers = partial.map(|partial| (partial.line, partial.taken, partial.total));
                numbers.collect::<Vec<_>>()
            };
            assert_eq!(numbers(found), numbers(expected), "{export}");
        }
    }
}

#[tokio::test]
async fn an_unchanged_answer_is_304_until_the_commit_is_uploaded_again() {
    let server = TestServer::start().await;
    let id = upload(&server, "c1", LCOV).await;
    for path in [
        lines(id, "src/fee.c"),
        format!("/coverages-api/records/{id}/report.lcov"),
        format!("/coverages-api/records/{id}/report.cobertura.xml"),
    ] {
        let first = server.get(&path).await;
        let etag = first.headers()["etag"].clone();
        let again = || {
            let request = server.client.get(server.url(&path));
            request.header("if-none-match", &etag).send()
        };
        assert_eq!(again().await.unwrap().status(), 304, "{path}");
        upload(&server, "c1", &LCOV.replace("DA:3,0", "DA:3,5")).await;
        assert_eq!(again().await.unwrap().status(), 200, "{path}");
        upload(&server, "c1", LCOV).await;
    }
}

#[tokio::test]
async fn a_retry_without_lines_removes_those_of_the_first_upload() {
    let server = TestServer::start().await;
    let id = upload(&server, "c1", LCOV).await;
    assert_eq!(upload(&server, "c1", &cobertura(1, 2)).await, id);
    let refusal = refused(&server, &lines(id, "src/fee.c")).await;
    assert_eq!(refusal, (404, json!("no_lines")));
}

#[tokio::test]
async fn paths_are_those_of_the_records_page() {
    let server = TestServer::start().await;
    let class = |path: &str| {
        format!("<class filename=\"{path}\"><lines><line number=\"1\" hits=\"1\"/></lines></class>")
    };
    let classes = [
        class("C:\\job\\src\\a.cs"),
        class("C:\\job\\src\\lib\\b.cs"),
    ]
    .concat();
    let xml = format!(
        "<coverage version=\"1\"><packages><package><classes>{classes}</classes></package></packages></coverage>"
    );
    let id = upload(&server, "c1", &xml).await;
    for path in ["a.cs", "lib/b.cs"] {
        let answer = server.get_json(&lines(id, path)).await;
        assert_eq!(answer["hit"], json!([[1, 1]]), "{path}");
    }
}

#[tokio::test]
async fn damaged_lines_fail_alone() {
    let server = TestServer::start().await;
    let damaged = upload(&server, "c1", LCOV).await;
    let good = upload(&server, "c2", LCOV).await;
    sqlx::query("update record_lines set lines = $1 where record_id = $2")
        .bind(&b"CVL\x01 something else"[..])
        .bind(damaged)
        .execute(&mut server.database().await)
        .await
        .unwrap();
    let refusal = refused(&server, &lines(damaged, "src/fee.c")).await;
    assert_eq!(refusal, (503, json!("unavailable")));
    assert_eq!(
        server.get(&format!("/records/{damaged}")).await.status(),
        200
    );
    assert_eq!(server.get(&lines(good, "src/fee.c")).await.status(), 200);
}

#[tokio::test]
async fn the_page_of_a_source_file_has_its_missed_lines_and_its_page_of_the_tool() {
    let server = TestServer::start().await;
    let archive = Archive::new()
        .file("html/index.html", "<p>all")
        .file("html/src/fee.c.gcov.html", "<p>fees<span id=\"L3\">")
        .file("lcov.info", LCOV);
    let upload = Upload::of(archive.tar_gz()).with("coverage_xml_file_name", "lcov.info");
    let id = upload.accepted(&server).await["coverage"]["id"].clone();
    let record = server.get_text(&format!("/records/{id}?view=flat")).await;
    let link = format!("/records/{id}/source?path=src%2Ffee.c");
    assert!(record.contains(&link), "{record}");
    let page = server.get_text(&link).await;
    for shown in ["3 of 5 lines covered", " 2 missed", " 1 partial"] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    let shown = async |path: &str| {
        server
            .get_text(&format!("/reports/{id}/?source={path}"))
            .await
    };
    assert_eq!(shown("src%2Ffee.c").await, "<p>fees<span id=\"L3\">");
    let client = Client::builder().redirect(Policy::none()).build().unwrap();
    let opened = async |line: &str| {
        let address = format!("/reports/{id}/?source=src%2Ffee.c&line={line}");
        let response = client.get(server.url(&address)).send().await.unwrap();
        let location = response.headers()["location"].to_str().unwrap();
        let anchor = location.split_once("fee.c.gcov.html").unwrap().1;
        anchor.strip_prefix('#').map(ToOwned::to_owned)
    };
    assert_eq!(opened("3").await.as_deref(), Some("L3"));
    for unmarked in ["4", "-1", "x", ""] {
        assert_eq!(opened(unmarked).await, None, "{unmarked}");
    }
    let link = format!("href=\"/reports/{id}/?source=src%2Ffee.c&amp;line=");
    assert!(page.contains(&link), "{page}");
    let at_line = server
        .get_text(&format!("/records/{id}/source?path=src%2Ffee.c&line=3"))
        .await;
    let frame = format!("src=\"/reports/{id}/?source=src%2Ffee.c&amp;line=3\"");
    assert!(at_line.contains(&frame), "{at_line}");
    // The tool wrote no page of this file.
    assert_eq!(shown("src%2Fdeep%2Ftax.c").await, "<p>all");
    assert_eq!(shown("").await, "<p>all");
    let unknown = server
        .get(&format!("/records/{id}/source?path=other.c"))
        .await;
    assert_eq!(unknown.status(), 200);
    assert!(
        unknown
            .text()
            .await
            .unwrap()
            .contains("no lines of this file")
    );
    assert_eq!(server.get("/records/99/source?path=a").await.status(), 404);
}

#[tokio::test]
async fn a_record_from_before_lines_were_kept_says_that_newer_uploads_have_them() {
    let server = TestServer::start().await;
    let id = upload(&server, "c1", LCOV).await;
    sqlx::query("delete from record_lines")
        .execute(&mut server.database().await)
        .await
        .unwrap();
    let page = server
        .get_text(&format!("/records/{id}/source?path=src%2Ffee.c"))
        .await;
    assert!(page.contains("Lines of newer uploads are kept"), "{page}");
}
