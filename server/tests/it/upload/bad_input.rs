//! Each invalid request gets its status, code and sentence, and leaves nothing behind.

mod archives;
mod connections;
mod requests;

use crate::harness::{Archive, Reachable, TestServer, Upload, cobertura};
use serde_json::Value;

/// The parameters of an upload whose body is refused.
pub const QUERY: &str = "org_name=a&repo_name=b&branch_name=c&commit_hash=d&commit_author=e&language=f&coverage_xml_file_name=g.xml";

fn good() -> Vec<u8> {
    Archive::report("<p>", &cobertura(1, 2)).tar_gz()
}

/// Sends the upload after a valid one, and checks that the valid one is unchanged.
pub async fn refused(upload: Upload, arguments: &[&str]) -> (u16, String, Value) {
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

pub async fn assert_refused(upload: Upload, expected: (u16, &str), in_detail: &str) {
    let (status, code, problem) = refused(upload, &[]).await;
    assert_eq!((status, code.as_str()), expected, "{problem}");
    assert!(
        problem["detail"].as_str().unwrap().contains(in_detail),
        "{problem}"
    );
}
