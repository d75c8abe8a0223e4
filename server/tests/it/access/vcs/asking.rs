//! Which forges the service calls about a token, how often, and what it reveals to them.

use super::{server_with, upload};
use crate::harness::{
    Archive, COMMIT, ForgeStandIn, GOOD, Kind, ServerProcess, TOKEN, TestServer, Untouched, Upload,
    cobertura, files_below,
};
use futures::future::join_all;
use std::collections::HashSet;
use tempfile::TempDir;

fn with_url(url: &str) -> Upload {
    Upload::of(Archive::report("<p>", &cobertura(1, 2)).tar_gz())
        .with("commit_hash", COMMIT)
        .with("vcs_api_url", url)
        .authorization(Some(GOOD))
}

#[tokio::test]
async fn no_request_goes_to_an_unlisted_address() {
    let named = Untouched::listen();
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let listed = forge.api();
    let host = listed.strip_prefix("http://").unwrap();
    let named_host = named.url().replace("http://", "");
    for arguments in [vec![], vec![forge.listed()]] {
        let mut all = vec!["--upload-token".to_owned(), TOKEN.to_owned()];
        if let Some(listed) = arguments.first() {
            all.extend(["--vcs-api-urls".to_owned(), listed.clone()]);
        }
        let all: Vec<_> = all.iter().map(String::as_str).collect();
        let server = TestServer::start_with(&all).await;
        for url in [
            named.url(),
            format!("{}/api/v4", named.url()),
            format!("{listed}@{named_host}"),
            format!("http://{host}@{named_host}/"),
            format!("{}/?{listed}", named.url()),
            format!("{}/#{listed}", named.url()),
            format!("{listed}/extra"),
            format!("{listed}?x=1"),
            listed.replace("http", "HTTP"),
            listed.replace("127.0.0.1", "localhost"),
            "http://169.254.169.254/latest/meta-data".to_owned(),
        ] {
            let (status, problem) = with_url(&url).refused(&server).await;
            assert!([403, 422].contains(&status), "{url}: {problem}");
            let code = problem["code"].as_str().unwrap();
            assert!(
                ["vcs_api_url_not_allowed", "invalid_parameter"].contains(&code),
                "{url}: {problem}"
            );
        }
        let by_its_older_name = with_url("").with("github_api_url", &named.url());
        assert_eq!(by_its_older_name.refused(&server).await.0, 403);
    }
    named.assert_untouched();
    assert!(forge.calls().is_empty());
}

#[tokio::test]
async fn tokens_of_this_service_are_never_sent_to_a_forge() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&[&forge], &["--upload-token", TOKEN]).await;
    upload(&forge, 80)
        .authorization(Some(TOKEN))
        .accepted(&server)
        .await;
    for unknown in [
        "cov_0123456789",
        "cov_00112233445566778899aabbccddeeff00112233",
    ] {
        let (status, _) = upload(&forge, 80)
            .authorization(Some(unknown))
            .refused(&server)
            .await;
        assert_eq!(status, 401);
    }
    assert!(forge.calls().is_empty());
}

#[tokio::test]
async fn an_empty_or_overlong_secret_is_never_sent_to_a_forge() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&[&forge], &[]).await;
    for empty in ["Bearer ", "token", "Bearer"] {
        let (status, problem) = upload(&forge, 80)
            .authorization(Some(empty))
            .refused(&server)
            .await;
        assert_eq!(
            (status, problem["code"].as_str().unwrap()),
            (401, "missing_token"),
            "{empty:?}"
        );
    }
    for length in [5_000, 100_000] {
        let long = "x".repeat(length);
        let (status, problem) = upload(&forge, 80)
            .authorization(Some(&long))
            .refused(&server)
            .await;
        assert_eq!(
            (status, problem["code"].as_str().unwrap()),
            (401, "invalid_token")
        );
    }
    assert!(forge.calls().is_empty());
}

#[tokio::test]
async fn an_accepted_token_is_not_checked_again_at_once() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&[&forge], &[]).await;
    for language in ["go", "rust", "java"] {
        upload(&forge, 80)
            .with("language", language)
            .accepted(&server)
            .await;
    }
    assert_eq!(forge.states(), ["pending", "success", "success", "success"]);
    // Another commit is another check.
    upload(&forge, 80)
        .with("commit_hash", &"b".repeat(40))
        .accepted(&server)
        .await;
    assert_eq!(forge.calls().len(), 6);
}

#[tokio::test]
async fn a_refused_token_is_not_checked_again_at_once() {
    let forge = ForgeStandIn::start(Kind::GitLab).await;
    let server = server_with(&[&forge], &[]).await;
    for _ in 0..3 {
        let wrong = upload(&forge, 80).authorization(Some("wr0ng"));
        assert_eq!(wrong.refused(&server).await.0, 401);
        let elsewhere = upload(&forge, 80).with("repo_name", "secret");
        assert_eq!(elsewhere.refused(&server).await.0, 403);
    }
    assert_eq!(forge.calls().len(), 2);
    upload(&forge, 80).accepted(&server).await;
}

#[tokio::test]
async fn concurrent_uploads_check_a_token_once_over_few_connections() {
    let forge = ForgeStandIn::start(Kind::Gitea).await;
    let server = server_with(&[&forge], &[]).await;
    let languages = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let uploads = languages.map(|language| upload(&forge, 80).with("language", language));
    join_all(uploads.map(|upload| upload.accepted(&server))).await;
    let pending = forge
        .states()
        .iter()
        .filter(|state| *state == "pending")
        .count();
    assert_eq!((pending, forge.calls().len()), (1, 9));
    for language in languages {
        upload(&forge, 80)
            .with("language", language)
            .accepted(&server)
            .await;
    }
    let later = &forge.calls()[9..];
    let peers: HashSet<_> = later.iter().map(|call| call.peer).collect();
    assert_eq!(
        (later.len(), peers.len()),
        (8, 1),
        "sequential calls share one connection"
    );
}

#[tokio::test]
async fn no_token_is_in_a_log_response_or_file() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let folder = TempDir::new().unwrap();
    let log = folder.path().join("log.txt");
    let listed = forge.listed();
    let server = ServerProcess::start_logging(folder.path(), &["--vcs-api-urls", &listed], &log);
    let wrong = "forge-t0ken-that-is-wrong";
    upload(&forge, 80).accepted(&server).await;
    let refusals = [
        upload(&forge, 80).authorization(Some(wrong)),
        upload(&forge, 80).with("repo_name", "secret"),
        upload(&forge, 80).with("coverage_xml_file_name", "other.xml"),
        with_url("http://127.0.0.1:9/"),
    ];
    for refusal in refusals {
        let (_, problem) = refusal.refused(&server).await;
        assert!(!problem.to_string().contains("t0ken"), "{problem}");
    }
    forge.behave(crate::harness::ForgeBehaviour::HangUp);
    let broken = upload(&forge, 80).with("commit_hash", &"c".repeat(40));
    assert_eq!(broken.refused(&server).await.0, 502);
    server.kill();
    let log_length = std::fs::read(&log).unwrap().len();
    assert!(log_length > 1_000, "the log has only {log_length} bytes");
    for file in files_below(folder.path().to_owned()) {
        let bytes = std::fs::read(&file).unwrap();
        for token in [GOOD, wrong, TOKEN] {
            let found = bytes
                .windows(token.len())
                .any(|part| part == token.as_bytes());
            assert!(!found, "{token} is in {}", file.display());
        }
    }
}

#[tokio::test]
async fn the_ledger_names_the_forge_that_confirmed_the_token() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&[&forge], &[]).await;
    upload(&forge, 80).accepted(&server).await;
    let row = server
        .store()
        .await
        .writer()
        .ledger(1)
        .await
        .unwrap()
        .remove(0);
    let host = forge.api().replace("http://", "");
    assert_eq!(row.token_name, Some(format!("token of {host}")));
}
