//! The source text of an upload: what is kept, who reads it, and what happens to anything else.

use crate::harness::{Archive, Reachable, TOKEN, TestServer, Upload};
use ::zstd::encode_all;
use serde_json::Value;
use tar::EntryType;

const FEE: &str = "int fee(int n) {\r\n\treturn n; // \u{202e}</script>\u{fffd} 🦀\n}\n";
const TAX: &str = "\u{feff}int tax() { return 7; }";
/// Of a job in a container: only the list of the repository's paths tells which file is meant.
const LCOV: &str = "SF:/build/app/src/fee.c\nDA:1,1\nDA:2,0\nend_of_record\nSF:/build/app/src/tax.c\nDA:1,3\nend_of_record\n";
const PATHS: &[u8] = b"src/fee.c\0src/tax.c\0src/other.c\0";

async fn accepting() -> TestServer {
    TestServer::start_with(&["--upload-token", TOKEN, "--sources", "accept"]).await
}

fn sources() -> Archive {
    Archive::new()
        .file("src/fee.c", FEE)
        .file("./src/tax.c", TAX)
}

fn upload(sources: &[u8]) -> Upload {
    let archive = Archive::new().file("lcov.info", LCOV);
    Upload::of(archive.tar_gz())
        .with("coverage_xml_file_name", "lcov.info")
        .with("summary", "1")
        .before("sources", sources)
        .after("paths", PATHS)
}

fn source(answer: &Value, path: &str) -> String {
    let id = &answer["coverage"]["id"];
    format!("/coverages-api/records/{id}/source?path={path}")
}

fn notices(answer: &Value) -> Vec<&str> {
    let notices = answer["summary"]["notices"].as_array().unwrap();
    notices
        .iter()
        .map(|notice| notice.as_str().unwrap())
        .collect()
}

async fn stored_texts(server: &TestServer) -> i64 {
    let count = sqlx::query_scalar("select count(*) from source_texts");
    count.fetch_one(&mut server.database().await).await.unwrap()
}

/// The status and the code of a refusal.
async fn refused(server: &TestServer, path: &str) -> (u16, String) {
    let answer = server.get(path).await;
    let status = answer.status().as_u16();
    let problem: Value = answer.json().await.unwrap();
    (status, problem["code"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn an_upload_of_lcov_alone_shows_the_exact_text_of_its_files() {
    let server = accepting().await;
    let tar = sources().file("src/other.c", "not measured").tar();
    let packed = [
        tar.clone(),
        sources().tar_gz(),
        encode_all(&*tar, 1).unwrap(),
    ];
    for (number, sources) in packed.into_iter().enumerate() {
        let upload = upload(&sources).with("commit_hash", &format!("c{number}"));
        let answer = upload.accepted(&server).await;
        assert!(notices(&answer).is_empty(), "{answer}");
        for (path, text) in [("src/fee.c", FEE), ("src/tax.c", TAX)] {
            let read = server.get(&source(&answer, path)).await;
            let header = |name| read.headers()[name].to_str().unwrap().to_owned();
            assert_eq!(header("content-type"), "text/plain; charset=utf-8");
            assert_eq!(header("x-content-type-options"), "nosniff");
            let known = ("if-none-match", header("etag"));
            assert_eq!(read.bytes().await.unwrap(), text.as_bytes());
            let url = server.url(&source(&answer, path));
            let again = server.client().get(url).header(known.0, known.1);
            assert_eq!(again.send().await.unwrap().status(), 304);
        }
        let other = refused(&server, &source(&answer, "src/other.c")).await;
        assert_eq!(other, (404, "no_source".to_owned()));
    }
    assert_eq!(stored_texts(&server).await, 2, "each text once");
    let missing = refused(&server, "/coverages-api/records/99/source?path=src/fee.c").await;
    assert_eq!(missing, (404, "not_found".to_owned()));
    let delete = ["delete", "record", "1", "--yes"];
    assert!(server.command(&delete).output().unwrap().status.success());
    assert_eq!(
        stored_texts(&server).await,
        2,
        "two records still name them"
    );
    for id in ["2", "3"] {
        let delete = ["delete", "record", id, "--yes"];
        assert!(server.command(&delete).output().unwrap().status.success());
    }
    assert_eq!(stored_texts(&server).await, 0);
}

#[tokio::test]
async fn by_default_no_byte_of_source_text_is_stored_and_a_notice_says_so() {
    let server = TestServer::start().await;
    let answer = upload(&sources().tar_gz()).accepted(&server).await;
    assert_eq!(answer["coverage"]["percentage"], 66.67);
    let [notice] = notices(&answer)[..] else {
        panic!("{answer}");
    };
    assert!(notice.contains("SOURCES=accept"), "{notice}");
    assert_eq!(stored_texts(&server).await, 0);
    let read = refused(&server, &source(&answer, "src/fee.c")).await;
    assert_eq!(read, (404, "no_source".to_owned()));
}

#[tokio::test]
async fn entries_that_are_no_text_of_the_repository_are_counted_in_one_notice() {
    let server = accepting().await;
    let hostile = Archive::new()
        .file("src/tax.c", TAX)
        .file("src/tax.c", "again")
        .hard_link("src/fee.c", "src/tax.c")
        .entry(EntryType::Symlink, b"src/link.c", b"")
        .entry(EntryType::Char, b"src/device.c", b"")
        .entry(EntryType::Regular, b"../fee.c", b"outside")
        .entry(EntryType::Regular, b"/etc/passwd", b"absolute")
        .entry(EntryType::Regular, b"C:/fee.c", b"drive")
        .entry(EntryType::Regular, b"a\xff.c", b"name")
        .folder("src")
        .file("src/latin1.c", b"caf\xe9")
        .file("src/nul.c", b"a\0b")
        .file("src/large.c", vec![b' '; (1 << 20) + 1])
        .file("src/fee.c", FEE);
    let answer = upload(&hostile.tar_gz()).accepted(&server).await;
    assert_eq!(answer["coverage"]["percentage"], 66.67);
    assert_eq!(
        notices(&answer),
        [
            "Left out of the source text: 1 file of more than 1 MiB; 2 files that are not UTF-8 text; 8 entries that are no files with \
             their own paths in the repository."
        ]
    );
    assert_eq!(stored_texts(&server).await, 2);
    for (path, text) in [("src/tax.c", TAX), ("src/fee.c", FEE)] {
        assert_eq!(server.get_text(&source(&answer, path)).await, text);
    }
}

#[tokio::test]
async fn a_text_of_exactly_one_mebibyte_is_kept() {
    let server = accepting().await;
    let text = "x".repeat(1 << 20);
    let sources = Archive::new().file("src/fee.c", &text).tar_gz();
    let answer = upload(&sources).accepted(&server).await;
    assert!(notices(&answer).is_empty(), "{answer}");
    let read = server.get_text(&source(&answer, "src/fee.c")).await;
    assert_eq!((read.len(), read == text), (1 << 20, true));
    let id = &answer["coverage"]["id"];
    let page = format!("/records/{id}/source?path=src/fee.c");
    let page = server.get_text(&page).await;
    assert!(page.contains("more characters"), "the line is cut");
}

#[tokio::test]
async fn a_tar_that_cannot_be_read_to_its_end_loses_no_coverage() {
    let server = accepting().await;
    let many = |archive: Archive| (0..100).fold(archive, |tar, _| tar.file("src/same.c", ""));
    let beyond = vec![b'\n'; 1 << 20];
    let full = (0..64).fold(sources(), |tar, n| tar.file(&format!("{n}.c"), &beyond));
    let bomb = many(many(sources())).file("zeros", vec![0; 70 << 20]);
    let cases = [
        (b"no tar".to_vec(), "what follows in the tar", 0),
        (Vec::new(), "what follows in the tar", 0),
        (
            sources().unfinished(),
            "the end of the archive is missing",
            2,
        ),
        (
            sources().tar()[..540].to_vec(),
            "what follows in the tar",
            0,
        ),
        (
            sources().file("other.c", "").pax(&[("size", b"x")]).tar(),
            "what follows in the tar",
            2,
        ),
        (full.tar(), "1 file beyond the limit of 64 MiB", 2),
        (encode_all(&*bomb.tar(), 1).unwrap(), "199 entries", 2),
    ];
    for (number, (tar, expected, kept)) in cases.into_iter().enumerate() {
        let upload = upload(&tar).with("commit_hash", &format!("c{number}"));
        let answer = upload.accepted(&server).await;
        assert_eq!(answer["coverage"]["percentage"], 66.67, "case {number}");
        let [notice] = notices(&answer)[..] else {
            panic!("case {number}: {answer}");
        };
        assert!(notice.contains(expected), "case {number}: {notice}");
        let count = sqlx::query_scalar("select count(*) from record_sources where record_id = $1")
            .bind(answer["coverage"]["id"].as_i64());
        let lists: i64 = count.fetch_one(&mut server.database().await).await.unwrap();
        assert_eq!(lists, i64::from(kept > 0), "case {number}");
    }
    assert_eq!(stored_texts(&server).await, 2);
}

#[tokio::test]
async fn a_million_entries_are_read_up_to_the_limit_of_entries() {
    let server = TestServer::start_with(
        &[
            &["--upload-token", TOKEN, "--sources", "accept"][..],
            &["max_entries", "1000"],
        ]
        .concat(),
    )
    .await;
    let entry = Archive::new().file("same.c", "").unfinished();
    let million = [sources().unfinished(), entry.repeat(2_000)].concat();
    let answer = upload(&encode_all(&*million, 1).unwrap())
        .accepted(&server)
        .await;
    let [notice] = notices(&answer)[..] else {
        panic!("{answer}");
    };
    assert!(notice.contains("997 entries"), "{notice}");
    assert_eq!(server.get_text(&source(&answer, "src/fee.c")).await, FEE);
}

#[tokio::test]
async fn parts_unite_their_files_and_the_newest_text_of_a_path_counts() {
    let server = accepting().await;
    let unit = upload(&sources().tar()).with("part", "unit");
    unit.accepted(&server).await;
    let newer = Archive::new().file("src/fee.c", "newer");
    let e2e = upload(&newer.tar()).with("part", "e2e");
    let answer = e2e.accepted(&server).await;
    let read = async |path| server.get_text(&source(&answer, path)).await;
    assert_eq!(read("src/fee.c").await, "newer");
    assert_eq!(read("src/tax.c").await, TAX);
    let without = upload(&Archive::new().tar()).with("part", "e2e");
    without.accepted(&server).await;
    assert_eq!(
        read("src/fee.c").await,
        FEE,
        "a retry replaces its part alone"
    );
}

/// A row of the code on a page: the line, its mark, and its text.
fn row(id: u64, line: u32, mark: &str, text: &str) -> [String; 2] {
    let href = format!("href=\"/records/{id}/source?path=src%2Ftax.c&amp;line={line}#L{line}\"");
    [
        format!("{mark}<a {href}"),
        format!(">{line}</a><i title=\"missed\">✗</i><code>{text}"),
    ]
}

#[tokio::test]
async fn pages_show_changed_gained_and_lost_lines_with_three_lines_around_them() {
    let server = accepting().await;
    let upload = |commit: &str, states: &[u8; 30], base: &str, diff: &str| {
        let lines = (1..)
            .zip(states)
            .map(|(line, ran)| format!("DA:{line},{}\n", ran - b'0'));
        let lcov = format!("SF:src/tax.c\n{}end_of_record\n", lines.collect::<String>());
        let text: String = (1..=30).map(|line| format!("<i>{line}</i>;\n")).collect();
        let sources = Archive::new().file("src/tax.c", &text).tar();
        let archive = Archive::new().file("lcov.info", lcov);
        Upload::of(archive.tar_gz())
            .with("coverage_xml_file_name", "lcov.info")
            .with("commit_hash", commit)
            .with("base_commit", base)
            .with("pull_request", "7")
            .before("sources", &sources)
            .after("changes", diff.as_bytes())
    };
    let base = upload("c1", b"011111111111111111111111111111", "c0", "");
    base.accepted(&server).await;
    let diff = "diff --git a/src/tax.c b/src/tax.c\n--- a/src/tax.c\n+++ b/src/tax.c\n@@ -20 +20 @@\n-x\n+y\n";
    let head = upload("c2", b"111111111011111111101111111111", "c1", diff);
    let id = head.accepted(&server).await["coverage"]["id"]
        .as_u64()
        .unwrap();
    let of_record = server.get_text(&format!("/records/{id}")).await;
    let of_pull_request = server.get_text("/repos/acme/payments/pulls/7").await;
    let changed = row(
        id,
        20,
        "<b title=\"changed\">+</b>",
        "&lt;i&gt;<span class=\"l\">20",
    );
    for page in [&of_record, &of_pull_request] {
        for shown in &changed {
            assert!(page.contains(shown), "{shown} in {page}");
        }
        for (line, is_shown) in [(16, false), (17, true), (23, true), (24, false)] {
            let text = format!("&lt;i&gt;<span class=\"l\">{line}</span>&lt;/<wbr>i&gt;;</code>");
            assert_eq!(page.contains(&text), is_shown, "{line} in {page}");
        }
    }
    let compared = server.get_text(&format!("/compare?base=1&head={id}")).await;
    let lost = row(
        id,
        10,
        "<b title=\"lost: it ran at the base\">▼</b>",
        "&lt;i&gt;<span class=\"l\">10",
    );
    let gained = "<b title=\"gained: it did not run at the base\">▲</b>".to_owned();
    for page in [&of_record, &of_pull_request, &compared] {
        for shown in &lost {
            assert!(page.contains(shown), "{shown} in {page}");
        }
    }
    assert!(compared.contains(&gained), "{gained} in {compared}");
    let lost = row(id, 20, "<b title=\"lost: it ran at the base\">▼</b>", "");
    assert!(!compared.contains(&lost[0]), "a changed line is not lost");
}
