//! First and later starts of the service.

use crate::harness::{
    Archive, BINARY, Reachable, ServerProcess, TestServer, Upload, cobertura, database_url,
    files_below, within_deadline,
};
use access::Tokens;
use clap::Parser;
use server::commands::{Cli, Command};
use store::Store;
use tempfile::TempDir;
use tokio::net::TcpListener;

fn upload() -> Upload {
    Upload::of(Archive::report("<h1>kept</h1>", &cobertura(1, 2)).tar_gz())
}

#[tokio::test]
async fn the_first_start_creates_one_token_and_stores_only_its_hash() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(&database_url(folder.path())).await.unwrap();
    let tokens = Tokens::new(None, store.clone());
    let token = tokens.make_first().await.unwrap().unwrap();
    assert_eq!(tokens.make_first().await.unwrap(), None, "one is enough");
    store.close().await;
    for file in files_below(folder.path().to_owned()) {
        let stored = std::fs::read(&file).unwrap();
        assert!(
            !stored
                .windows(token.len())
                .any(|bytes| bytes == token.as_bytes()),
            "the token itself is in the database"
        );
    }
    let server = TestServer::start_in(folder, &[]).await;
    upload().authorization(Some(&token)).accepted(&server).await;
    assert_eq!(
        upload().send(&server).await.status(),
        401,
        "no other token works"
    );
}

#[tokio::test]
async fn a_restart_keeps_records_and_reports_and_sweeps_unfinished_files() {
    let server = TestServer::start().await;
    let answer = upload().accepted(&server).await;
    let folder = server.stop().await;
    let unfinished = folder.path().join("reports/.incoming/half.zip");
    std::fs::write(&unfinished, "half").unwrap();
    let server = TestServer::start_in(folder, &["--upload-token", "t0ken"]).await;
    assert_eq!(server.records().await, [answer["coverage"].clone()]);
    assert_eq!(
        server.get_text("/reports/1/index.html").await,
        "<h1>kept</h1>"
    );
    assert!(!unfinished.exists());
}

#[tokio::test]
async fn an_empty_token_in_the_configuration_is_ignored() {
    let server = TestServer::start_with(&["--upload-token", ""]).await;
    assert_eq!(
        upload()
            .authorization(Some(""))
            .send(&server)
            .await
            .status(),
        401
    );
    let folder = server.stop().await;
    let store = Store::open(&database_url(folder.path())).await.unwrap();
    assert!(
        store.writer().has_any_token().await.unwrap(),
        "a first token was made"
    );
}

#[tokio::test]
async fn an_in_memory_database_is_refused_and_a_path_with_a_space_works() {
    assert!(Store::open("sqlite::memory:").await.is_err());
    assert!(Store::open("mysql://x").await.is_err());
    let folder = TempDir::new().unwrap();
    Store::open(&format!(
        "sqlite://{}/a%20b/coverage.db",
        folder.path().display()
    ))
    .await
    .unwrap()
    .close()
    .await;
    assert!(folder.path().join("a b/coverage.db").is_file());
}

#[test]
fn an_empty_variable_counts_as_not_set() {
    let folder = TempDir::new().unwrap();
    let log = folder.path().join("log");
    let mut command = std::process::Command::new(BINARY);
    for variable in ["MAX_UPLOAD_BYTES", "QUOTA_BYTES_PER_ORG", "SCRATCH_FOLDER"] {
        command.env(variable, "");
    }
    ServerProcess::start_logging_by(command, folder.path(), &[], &log).kill();
}

#[test]
fn no_help_prints_the_value_of_a_variable() {
    for name in ["serve", "config", "prune", "verify", "export"] {
        let mut command = std::process::Command::new(BINARY);
        command.args([name, "--help"]);
        command.env("DATABASE_URL", "postgres://user:s3cret@host/db");
        let output = command.output().unwrap();
        let help = String::from_utf8(output.stdout).unwrap();
        assert!(
            help.contains("DATABASE_URL") && !help.contains("s3cret"),
            "{help}"
        );
    }
}

#[tokio::test]
async fn a_reports_origin_equal_to_the_dashboard_is_refused() {
    for (origin, public_url) in [
        (
            "https://coverage.example.com",
            "https://coverage.example.com/",
        ),
        (
            "https://reports.example.com/x",
            "https://coverage.example.com",
        ),
        ("reports.example.com", "https://coverage.example.com"),
    ] {
        let folder = TempDir::new().unwrap();
        let in_folder = |name| folder.path().join(name).display().to_string();
        let Command::Serve(config) = Cli::parse_from([
            "coverage-dashboard",
            "serve",
            "--reports-origin",
            origin,
            "--public-url",
            public_url,
            "--reports-url",
            &in_folder("reports"),
            "--database-url",
            &format!("sqlite://{}", in_folder("coverage.db")),
        ])
        .command
        else {
            unreachable!("the command is `serve`");
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let error = server::commands::serve::run(*config, listener, |_| {}, std::future::pending())
            .await
            .unwrap_err();
        assert!(error.to_string().contains(origin), "{error}");
    }
}

#[tokio::test]
async fn identities_without_a_public_url_end_the_start_with_the_setting() {
    for public_url in [&[][..], &["--public-url", " "]] {
        let folder = TempDir::new().unwrap();
        let database = format!("sqlite://{}/coverage.db", folder.path().display());
        let own = [
            "coverage-dashboard",
            "serve",
            "--database-url",
            &database,
            "--oidc-issuers",
            "gitlab=https://gitlab.example.com",
        ];
        let Command::Serve(config) = Cli::parse_from(own.iter().chain(public_url)).command else {
            unreachable!("the command is `serve`");
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let service =
            server::commands::serve::run(*config, listener, |_| {}, std::future::pending());
        let message = within_deadline(service).await.unwrap_err().to_string();
        assert!(
            message.contains("OIDC_ISSUERS") && message.contains("PUBLIC_URL"),
            "{message}"
        );
        assert!(!folder.path().join("coverage.db").exists());
    }
}
