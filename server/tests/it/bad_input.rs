//! Whatever is wrong with a request gets its status, its code and a sentence, and leaves nothing behind.

use crate::harness::{Archive, TestServer, Upload, cobertura};
use reqwest::multipart::Form;
use serde_json::Value;
use tar::EntryType;

fn good() -> Vec<u8> {
    Archive::report("<p>", &cobertura(1, 2)).tar_gz()
}

/// Sends it after a good upload, and checks that the good one is untouched.
async fn refused(upload: Upload, arguments: &[&str]) -> (u16, String, Value) {
    let arguments: Vec<&str> = ["--upload-token", "t0ken"]
        .iter()
        .chain(arguments)
        .copied()
        .collect();
    let server = TestServer::start_with(&arguments).await;
    let before = Upload::of(good()).accepted(&server).await;
    let response = upload.send(&server).await;
    let status = response.status().as_u16();
    assert_eq!(
        response.headers()["content-type"],
        "application/problem+json"
    );
    assert!(!response.headers()["x-request-id"].is_empty());
    let problem: Value = response.json().await.unwrap();
    assert_eq!(problem["status"], status);
    assert_eq!(problem["type"], "about:blank");
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.ends_with('.') || detail.ends_with(')'), "{detail}");
    assert_eq!(
        server.records().await,
        [before["coverage"].clone()],
        "the record that was there"
    );
    assert_eq!(server.stored_files().len(), 1, "the file that was there");
    assert_eq!(
        server
            .get_text(&format!("/reports/{}/index.html", before["coverage"]["id"]))
            .await,
        "<p>"
    );
    (
        status,
        problem["code"].as_str().unwrap().to_owned(),
        problem,
    )
}

async fn assert_refused(upload: Upload, expected: (u16, &str), in_detail: &str) {
    let (status, code, problem) = refused(upload, &[]).await;
    assert_eq!((status, code.as_str()), expected, "{problem}");
    assert!(
        problem["detail"].as_str().unwrap().contains(in_detail),
        "{problem}"
    );
}

#[tokio::test]
async fn all_missing_parameters_are_named_at_once() {
    let names = [
        "org_name",
        "repo_name",
        "branch_name",
        "commit_hash",
        "commit_author",
        "language",
        "coverage_xml_file_name",
    ];
    let upload = names
        .iter()
        .fold(Upload::of(good()), |upload, name| upload.without(name))
        .authorization(None);
    let (status, code, problem) = refused(upload, &[]).await;
    assert_eq!(
        (status, code.as_str()),
        (422, "invalid_parameter"),
        "parameters come before the token"
    );
    assert_eq!(
        problem["errors"].as_object().unwrap().keys().len(),
        7,
        "{problem}"
    );
    assert_eq!(problem["errors"]["org_name"], "is missing");
    assert_eq!(problem["title"], "Unprocessable Content");
}

#[tokio::test]
async fn every_parameter_has_its_rule() {
    for (name, value) in [
        ("org_name", "a/../b"),
        ("repo_name", "a/b"),
        ("branch_name", "a\nb"),
        ("commit_hash", "not a hash"),
        ("commit_author", "\u{7}"),
        ("language", "Rust"),
        ("coverage_xml_file_name", "../coverage.xml"),
        ("vcs_api_url", "ftp://vcs.example.com"),
    ] {
        let (status, code, problem) = refused(
            Upload::of(good())
                .with("commit_hash", "c2")
                .with(name, value),
            &[],
        )
        .await;
        assert_eq!(
            (status, code.as_str()),
            (422, "invalid_parameter"),
            "{name}"
        );
        assert_eq!(
            problem["errors"]
                .as_object()
                .unwrap()
                .keys()
                .collect::<Vec<_>>(),
            [name],
            "{problem}"
        );
    }
}

#[tokio::test]
async fn no_token_and_a_wrong_token_are_401_and_say_which_scheme() {
    let server = TestServer::start().await;
    for (value, code) in [
        (None, "missing_token"),
        (Some(""), "missing_token"),
        (Some("Bearer wr0ng"), "invalid_token"),
    ] {
        let response = Upload::of(b"no archive".to_vec())
            .authorization(value)
            .send(&server)
            .await;
        assert_eq!(
            (
                response.status().as_u16(),
                response.headers()["www-authenticate"].to_str().unwrap()
            ),
            (401, "Bearer")
        );
        assert_eq!(
            response.json::<Value>().await.unwrap()["code"],
            code,
            "the token comes before the body"
        );
    }
}

#[tokio::test]
async fn a_source_hosting_service_that_the_operator_did_not_list_is_403() {
    let upload = Upload::of(good())
        .authorization(Some("gh-token"))
        .with("vcs_api_url", "https://vcs.example.com");
    assert_refused(upload, (403, "vcs_api_url_not_allowed"), "vcs_api_url").await;
}

#[tokio::test]
async fn a_body_without_the_file_part_is_422() {
    assert_refused(
        Upload::of(good()).in_part("archive"),
        (422, "missing_file_part"),
        "`file`",
    )
    .await;
}

#[tokio::test]
async fn a_body_that_is_not_multipart_is_415() {
    let server = TestServer::start().await;
    let url = server.url(
        "/coverages-api?org_name=a&repo_name=b&branch_name=c&commit_hash=d&commit_author=e&language=f&coverage_xml_file_name=g",
    );
    let response = server
        .client
        .post(url)
        .header("authorization", "t0ken")
        .body(good())
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 415);
    assert_eq!(
        response.json::<Value>().await.unwrap()["code"],
        "unsupported_media_type"
    );
}

#[tokio::test]
async fn a_multipart_body_that_breaks_off_is_400() {
    let server = TestServer::start().await;
    let url = server.url(
        "/coverages-api?org_name=a&repo_name=b&branch_name=c&commit_hash=d&commit_author=e&language=f&coverage_xml_file_name=g",
    );
    let body = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\nhalf";
    let request = server
        .client
        .post(url)
        .header("authorization", "t0ken")
        .header("content-type", "multipart/form-data; boundary=x");
    let response = request.body(body).send().await.unwrap();
    assert_eq!(response.status(), 400);
    assert_eq!(
        response.json::<Value>().await.unwrap()["code"],
        "malformed_request"
    );
    assert!(server.records().await.is_empty() && server.stored_files().is_empty());
}

#[tokio::test]
async fn what_is_no_archive_is_415() {
    for (body, what) in [
        (b"".to_vec(), "empty"),
        (b"<html>502 Bad Gateway</html>".to_vec(), "no archive"),
        (vec![b'x'; 4_096], "no archive"),
        (crate::harness::gzip(b"only text"), "no tar archive"),
        (b"PK\x03\x04rest".to_vec(), "zip"),
        (b"BZh9rest".to_vec(), "bzip2"),
        (b"\xfd7zXZ\0rest".to_vec(), "xz"),
        (b"\x28\xb5\x2f\xfdrest".to_vec(), "zstd"),
    ] {
        assert_refused(Upload::of(body), (415, "unsupported_media_type"), what).await;
    }
}

#[tokio::test]
async fn an_archive_without_the_named_report_lists_those_it_has() {
    let archive = Archive::new()
        .file("a/cobertura.xml", cobertura(1, 2))
        .file("index.html", "")
        .tar_gz();
    assert_refused(
        Upload::of(archive),
        (422, "coverage_file_not_found"),
        "a/cobertura.xml",
    )
    .await;
    assert_refused(
        Upload::of(Archive::new().tar()),
        (422, "coverage_file_not_found"),
        "nor any other XML",
    )
    .await;
}

#[tokio::test]
async fn a_report_that_cannot_be_read_says_where_and_what_was_expected() {
    for (xml, in_detail) in [
        ("", "coverage.xml"),
        ("no xml", "coverage.xml"),
        (
            "<coverage line-rate=\"0.5\" lines-valid=\"2\" lines-covered=\"1\"><packages>",
            "line 1",
        ),
        ("<testsuites></testsuites>", "testsuites"),
    ] {
        let archive = Archive::report("", xml).tar_gz();
        assert_refused(
            Upload::of(archive),
            (422, "unreadable_coverage_report"),
            in_detail,
        )
        .await;
    }
}

#[tokio::test]
async fn an_archive_cut_off_anywhere_is_refused_and_leaves_nothing() {
    let server = TestServer::start().await;
    let html = "<p>a page that is long enough to be cut in its middle</p>".repeat(40);
    let tar = Archive::new()
        .file("coverage.xml", cobertura(1, 2))
        .file("index.html", &html)
        .tar();
    let tar_gz = crate::harness::gzip(&tar);
    // Two blocks of zeros end a tar archive; without the second it is still whole.
    let in_tar = (1..tar.len() - 1_023)
        .step_by(97)
        .map(|end| tar[..end].to_vec());
    let in_tar_gz = (1..tar_gz.len())
        .step_by(7)
        .map(|end| tar_gz[..end].to_vec());
    for body in in_tar.chain(in_tar_gz) {
        let length = body.len();
        let status = Upload::of(body).send(&server).await.status().as_u16();
        assert!(
            matches!(status, 415 | 422),
            "{status} for the first {length} bytes"
        );
    }
    assert!(server.records().await.is_empty());
    assert!(
        server.stored_files().is_empty(),
        "{:?}",
        server.stored_files()
    );
}

#[tokio::test]
async fn a_damaged_gzip_stream_is_422() {
    let mut body = good();
    let at = body.len() - 6;
    body[at] ^= 0xff;
    assert_refused(Upload::of(body), (422, "corrupt_archive"), "damaged").await;
}

#[tokio::test]
async fn entries_that_no_honest_report_holds_are_422() {
    let long = [b'x'; 90];
    for (kind, path) in [
        (EntryType::Regular, &b"../evil.html"[..]),
        (EntryType::Regular, b"/etc/passwd"),
        (EntryType::Regular, b"a\\b.html"),
        (EntryType::Regular, b"C:/x.html"),
        (EntryType::Regular, b"\xff.html"),
        (EntryType::Symlink, b"link"),
        (EntryType::Link, b"link"),
        (EntryType::Fifo, b"fifo"),
        (EntryType::Char, b"device"),
        (EntryType::Regular, b"index.html"),
        (EntryType::Regular, &long),
    ] {
        let archive = Archive::report("", &cobertura(1, 2))
            .entry(kind, path, b"")
            .tar_gz();
        let expected = if path == long {
            (413, "archive_too_large")
        } else {
            (422, "unsafe_archive_entry")
        };
        let (status, code, problem) =
            refused(Upload::of(archive), &["--max-path-bytes", "80"]).await;
        assert_eq!((status, code.as_str()), expected, "{problem}");
    }
}

#[tokio::test]
async fn each_limit_has_its_own_sentence() {
    let archive = Archive::report(&"<p>".repeat(3_000), &cobertura(1, 2)).tar_gz();
    for (limit, code, name) in [
        (
            ["--max-unpacked-bytes", "5000"],
            "archive_too_large",
            "MAX_UNPACKED_BYTES",
        ),
        (
            ["--max-file-bytes", "5000"],
            "archive_too_large",
            "MAX_FILE_BYTES",
        ),
        (["--max-entries", "2"], "archive_too_large", "MAX_ENTRIES"),
    ] {
        let archive = if name == "MAX_ENTRIES" {
            Archive::report("", "").file("more.css", "").tar()
        } else {
            archive.clone()
        };
        let (status, got, problem) = refused(Upload::of(archive), &limit).await;
        assert_eq!((status, got.as_str()), (413, code), "{problem}");
        assert!(
            problem["detail"].as_str().unwrap().contains(name),
            "{problem}"
        );
    }
    let noise: Vec<u8> = (0..200_000_u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    let large = Archive::new().file("noise.bin", noise).tar();
    let (status, code, _) = refused(Upload::of(large), &["--max-upload-bytes", "100000"]).await;
    assert_eq!((status, code.as_str()), (413, "upload_too_large"));
}

#[tokio::test]
async fn routes_and_methods_that_are_not_there_answer_with_problems_too() {
    let server = TestServer::start().await;
    let missing = server.get("/coverages-api/nothing").await;
    assert_eq!(
        (
            missing.status().as_u16(),
            missing.json::<Value>().await.unwrap()["code"].as_str()
        ),
        (404, Some("not_found"))
    );
    let deleted = server
        .client
        .delete(server.url("/coverages-api"))
        .multipart(Form::new())
        .send()
        .await
        .unwrap();
    assert_eq!(deleted.status(), 405);
    assert_eq!(
        deleted.json::<Value>().await.unwrap()["code"],
        "method_not_allowed"
    );
}

#[tokio::test]
async fn a_request_id_is_echoed_or_made() {
    let server = TestServer::start().await;
    let echoed = server
        .client
        .get(server.url("/coverages-api/health"))
        .header("x-request-id", "ci-42")
        .send()
        .await
        .unwrap();
    assert_eq!(echoed.headers()["x-request-id"], "ci-42");
    let made = server
        .client
        .get(server.url("/coverages-api/health"))
        .header("x-request-id", "x".repeat(200))
        .send()
        .await
        .unwrap();
    assert_eq!(made.headers()["x-request-id"].len(), 16);
}

/// An upload of 20 MB as a client sends it that looks for the answer only when it is done.
async fn send_first_read_later(
    server: &TestServer,
    query: &str,
    authorization: &str,
    boundary: &str,
    body: Vec<u8>,
) -> String {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let address = server.url("").replace("http://", "");
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let head = format!(
        "POST /coverages-api?{query} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: {authorization}\r\n\
         content-type: multipart/form-data; boundary={boundary}\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(&body).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

const QUERY: &str = "org_name=a&repo_name=b&branch_name=c&commit_hash=d&commit_author=e&language=f&coverage_xml_file_name=g.xml";

fn multipart(content: &[u8]) -> Vec<u8> {
    let head = b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\n";
    [&head[..], content, b"\r\n--x--\r\n"].concat()
}

#[tokio::test]
async fn a_client_that_sends_everything_first_still_hears_why_it_was_refused() {
    let server =
        TestServer::start_with(&["--upload-token", "t0ken", "--max-upload-bytes", "15000000"])
            .await;
    let large = multipart(&vec![b'x'; 20_000_000]);
    let fits = multipart(&vec![b'x'; 10_000_000]);
    for (query, authorization, body, code) in [
        ("org_name=a", "t0ken", &large, "invalid_parameter"),
        (QUERY, "wr0ng", &large, "invalid_token"),
        (QUERY, "t0ken", &fits, "unsupported_media_type"),
    ] {
        let answer = send_first_read_later(&server, query, authorization, "x", body.clone()).await;
        assert!(answer.contains(code), "{code}: {answer}");
    }
    let too_large = multipart(&Archive::new().file("noise", vec![b'x'; 20_000_000]).tar());
    let answer = send_first_read_later(&server, QUERY, "t0ken", "x", too_large).await;
    assert!(answer.contains("upload_too_large"), "{answer}");
}

#[tokio::test]
async fn what_stands_before_the_file_part_is_bounded() {
    let server = TestServer::start().await;
    let never_begins = vec![b'x'; 4_000_000];
    let answer = send_first_read_later(&server, QUERY, "t0ken", "never", never_begins).await;
    assert!(
        answer.starts_with("HTTP/1.1 400") && answer.contains("malformed_request"),
        "{answer}"
    );
}

#[tokio::test]
async fn a_client_that_stops_in_the_middle_is_let_go() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let server = TestServer::start_with(&[
        "--upload-token",
        "t0ken",
        "--upload-idle-seconds",
        "1",
        "--concurrent-uploads",
        "1",
    ])
    .await;
    let mut stream = tokio::net::TcpStream::connect(server.url("").replace("http://", ""))
        .await
        .unwrap();
    let head = format!(
        "POST /coverages-api?{QUERY} HTTP/1.1\r\nhost: x\r\nauthorization: t0ken\r\nconnection: close\r\n\
         content-type: multipart/form-data; boundary=x\r\ncontent-length: 100000\r\n\r\n\
         --x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\nhalf"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    Upload::of(good()).accepted(&server).await;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.contains("malformed_request"), "{answer}");
}

#[tokio::test]
async fn headers_of_an_entry_are_bounded_before_they_are_read() {
    let long_name = vec![b'x'; 3_000_000];
    let archive = Archive::report("", &cobertura(1, 2)).entry(
        EntryType::GNULongName,
        b"././@LongLink",
        &long_name,
    );
    let archive = archive.file("short", "").tar_gz();
    assert_refused(
        Upload::of(archive),
        (413, "archive_too_large"),
        "MAX_HEADER_BYTES",
    )
    .await;
}

#[tokio::test]
async fn a_query_that_is_not_utf_8_is_400() {
    let server = TestServer::start().await;
    for path in ["/coverages-api?keyword=%ff", "/coverages-api?%ff=1"] {
        let response = server.get(path).await;
        assert_eq!(response.status(), 400, "{path}");
        assert_eq!(
            response.json::<Value>().await.unwrap()["code"],
            "malformed_request"
        );
    }
}
