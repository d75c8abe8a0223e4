//! No log, response or file contains a credential of the storage.

use super::{large_upload, small_upload};
use crate::harness::{ObjectStorage, Reachable, SECRET, ServerProcess, files_below};
use std::fs;
use tempfile::TempDir;

const SESSION: &str = "s3ssion-of-the-object-storage";

#[tokio::test]
async fn storage_credentials_are_in_no_log_response_or_file() {
    let Some(mut storage) = ObjectStorage::start() else {
        return;
    };
    let folder = TempDir::new().unwrap();
    let log = folder.path().join("log");
    let mut command = storage.command();
    command.env("AWS_SESSION_TOKEN", SESSION);
    let url = storage.url("x");
    let server =
        ServerProcess::start_logging_by(command, folder.path(), &["--reports-url", &url], &log);
    small_upload("<p>").accepted(&server).await;
    large_upload()
        .with("commit_hash", "c2")
        .accepted(&server)
        .await;
    let mut messages = server.get_text("/reports/1/index.html").await;
    storage.stop();
    messages += &server
        .get("/reports/2/large.png")
        .await
        .text()
        .await
        .unwrap();
    let (_, problem) = small_upload("<p>")
        .with("commit_hash", "c3")
        .refused(&server)
        .await;
    messages += &problem.to_string();
    server.kill();
    assert!(
        !messages.contains(SECRET) && !messages.contains(SESSION),
        "{messages}"
    );
    assert!(
        fs::metadata(&log).unwrap().len() > 10_000,
        "everything is logged"
    );
    for file in files_below(folder.path().to_owned()) {
        let content = fs::read(&file).unwrap();
        let is_told = content
            .windows(SECRET.len())
            .any(|bytes| bytes == SECRET.as_bytes());
        assert!(!is_told, "{}", file.display());
    }
}
