//! Tokens of this service: created, listed and revoked by the command line while it runs.

use crate::harness::{
    Archive, BINARY, Reachable, TOKEN, TestServer, Upload, cobertura, database_url, files_below,
    is_postgres, remove_database,
};
use std::{
    fs::OpenOptions,
    process::{Command, Output, Stdio},
};
use store::Store;
use tempfile::TempDir;

fn upload(token: &str) -> Upload {
    Upload::of(Archive::report("<p>", &cobertura(1, 2)).tar_gz())
        .authorization(Some(&format!("Bearer {token}")))
}

/// `coverage-dashboard token …` on the database of a running server.
fn token(server: &TestServer, arguments: &[&str]) -> Output {
    Command::new(BINARY)
        .arg("token")
        .args(arguments)
        .env("DATABASE_URL", server.database_url())
        .output()
        .unwrap()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// Creates a token and returns the printed value.
fn create(server: &TestServer, arguments: &[&str]) -> String {
    let output = token(server, &[&["create"], arguments].concat());
    assert!(output.status.success(), "{}", text(output.stderr));
    text(output.stdout).trim_end().to_owned()
}

async fn started() -> TestServer {
    let server = TestServer::start().await;
    // The start creates the tables.
    server.get("/coverages-api/health").await;
    server
}

async fn refused(upload: Upload, server: &TestServer) -> (u16, String, String) {
    let (status, problem) = upload.refused(server).await;
    let member = |name: &str| problem[name].as_str().unwrap().to_owned();
    (status, member("code"), member("detail"))
}

#[tokio::test]
async fn token_changes_take_effect_on_the_next_request() {
    let server = started().await;
    let made = create(&server, &["--name", "ci"]);
    assert!(made.starts_with("cov_") && made.len() == 40, "{made}");
    upload(&made).accepted(&server).await;
    assert!(token(&server, &["revoke", "ci"]).status.success());
    let (status, code, detail) = refused(upload(&made), &server).await;
    assert_eq!((status, code.as_str()), (401, "invalid_token"));
    assert!(detail.contains("called ci, was revoked"), "{detail}");
}

#[tokio::test]
async fn a_token_covers_its_org_with_groups_or_one_repository() {
    let server = started().await;
    let of_org = create(&server, &["--name", "org", "--org", "acme"]);
    let of_group = create(&server, &["--name", "group", "--org", "acme/platform"]);
    let of_repo = create(
        &server,
        &["--name", "repo", "--org", "acme", "--repo", "payments"],
    );
    for (token, org, repo, is_accepted) in [
        (&of_org, "acme", "payments", true),
        (&of_org, "acme/platform/tools", "cli", true),
        (&of_org, "acme2", "payments", false),
        (&of_group, "acme/platform", "cli", true),
        (&of_group, "acme", "platform", false),
        (&of_group, "acme/platform2", "cli", false),
        (&of_repo, "acme", "payments", true),
        (&of_repo, "acme", "payments2", false),
        (&of_repo, "acme/payments", "payments", false),
    ] {
        let upload = upload(token).with("org_name", org).with("repo_name", repo);
        if is_accepted {
            upload.accepted(&server).await;
        } else {
            let (status, code, _) = refused(upload, &server).await;
            assert_eq!(
                (status, code.as_str()),
                (403, "token_not_for_repository"),
                "{org}/{repo}"
            );
        }
    }
}

#[tokio::test]
async fn an_expired_token_is_refused_with_its_expiry_time() {
    let server = started().await;
    let brief = create(&server, &["--name", "brief", "--expires", "1us"]);
    let lasting = create(&server, &["--name", "lasting", "--expires", "90d"]);
    let (status, code, detail) = refused(upload(&brief), &server).await;
    assert_eq!((status, code.as_str()), (401, "invalid_token"));
    assert!(detail.contains("called brief, expired on"), "{detail}");
    upload(&lasting).accepted(&server).await;
}

#[tokio::test]
async fn a_read_token_cannot_upload() {
    let server = started().await;
    let reads = create(&server, &["--name", "grafana", "--for", "read"]);
    let (status, code, _) = refused(upload(&reads), &server).await;
    assert_eq!((status, code.as_str()), (403, "token_not_for_repository"));
}

#[tokio::test]
async fn a_read_token_of_an_org_reads_only_that_org() {
    let arguments = ["--upload-token", TOKEN, "--protect-reading"];
    let server = TestServer::start_with(&arguments).await;
    for org in ["acme", "labs"] {
        let upload = upload(TOKEN).with("org_name", org);
        upload.accepted(&server).await;
    }
    let made = token(
        &server,
        &["create", "--name", "kim", "--for", "read", "--org", "labs"],
    );
    let notes = text(made.stderr);
    assert!(
        notes.contains("kim may read labs/…, until it is revoked."),
        "{notes}"
    );
    let request = server.client.get(server.url("/coverages-api"));
    let request = request.bearer_auth(text(made.stdout).trim_end());
    let listed = request.send().await.unwrap().text().await.unwrap();
    assert!(
        listed.contains("labs/payments") && !listed.contains("acme"),
        "{listed}"
    );
}

#[tokio::test]
async fn a_truncated_or_mistyped_token_gets_its_own_error() {
    let server = started().await;
    let made = create(&server, &["--name", "ci"]);
    let (_, _, cut) = refused(upload(&made[..30]), &server).await;
    assert!(cut.contains("damaged"), "{cut}");
    let other = started().await;
    let (_, _, unknown) = refused(upload(&made), &other).await;
    assert!(unknown.contains("unknown here"), "{unknown}");
}

#[tokio::test]
async fn the_token_list_shows_scopes_and_last_uses_but_never_tokens() {
    let server = started().await;
    let made = create(
        &server,
        &[
            "--name",
            "ci of payments",
            "--org",
            "acme",
            "--repo",
            "payments",
        ],
    );
    create(&server, &["--name", "unused", "--expires", "90d"]);
    let listed = |arguments: &[&str]| text(token(&server, arguments).stdout);
    let before = listed(&["list"]);
    assert!(!before.contains("just now"), "{before}");
    upload(&made).accepted(&server).await;
    let after = listed(&["list"]);
    let line = after
        .lines()
        .find(|line| line.contains("ci of payments"))
        .unwrap();
    for part in ["acme/payments", "upload", "just now", &made[36..]] {
        assert!(line.contains(part), "{part} is not in {line}");
    }
    assert!(!after.contains(&made));
    let unused = after.lines().find(|line| line.contains("unused")).unwrap();
    assert!(
        unused.contains("every repository") && unused.contains("never"),
        "{unused}"
    );
    assert!(token(&server, &["revoke", "unused"]).status.success());
    assert!(!listed(&["list"]).contains("unused"));
    assert!(listed(&["list", "--all"]).contains("revoked"));
}

#[tokio::test]
async fn two_valid_tokens_never_have_the_same_name() {
    let server = started().await;
    create(&server, &["--name", "ci"]);
    let again = token(&server, &["create", "--name", "ci"]);
    assert!(!again.status.success() && again.stdout.is_empty());
    let error = text(again.stderr);
    assert!(error.contains("a token called ci already"), "{error}");
    assert!(token(&server, &["revoke", "ci"]).status.success());
    create(&server, &["--name", "ci"]);
}

#[tokio::test]
async fn only_a_valid_token_can_be_revoked() {
    let server = started().await;
    let unknown = token(&server, &["revoke", "nobody"]);
    assert!(!unknown.status.success());
    assert!(text(unknown.stderr).contains("no valid token"));
    create(&server, &["--name", "by id"]);
    assert!(token(&server, &["revoke", "1"]).status.success());
    assert!(
        !token(&server, &["revoke", "1"]).status.success(),
        "it is revoked already"
    );
}

#[tokio::test]
async fn only_the_hash_of_a_token_is_stored() {
    let server = started().await;
    let made = create(&server, &["--name", "ci"]);
    upload(&made).accepted(&server).await;
    let folder = server.stop().await;
    for file in files_below(folder.path().to_owned()) {
        let bytes = std::fs::read(&file).unwrap();
        let found = bytes
            .windows(made.len())
            .any(|part| part == made.as_bytes());
        assert!(!found, "the token is in {}", file.display());
    }
}

/// `coverage-dashboard token …` on the database at a URL.
fn token_at(url: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(BINARY);
    command
        .arg("token")
        .args(arguments)
        .env("DATABASE_URL", url);
    command
}

#[tokio::test]
async fn concurrent_commands_on_a_new_database_do_not_interfere() {
    let folder = TempDir::new().unwrap();
    let url = database_url(&folder.path().join("new"));
    // Services that start at the same time do the same.
    let opened: Vec<_> = (0..8)
        .map(|_| {
            let url = url.clone();
            tokio::spawn(async move { Store::open(&url).await.unwrap().close().await })
        })
        .collect();
    for opened in opened {
        opened.await.unwrap();
    }
    let names: Vec<_> = (0..8).map(|number| format!("ci-{number}")).collect();
    let started: Vec<_> = names
        .iter()
        .map(|name| {
            let mut command = token_at(&url, &["create", "--name", name]);
            command
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    for child in started {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", text(output.stderr));
    }
    let listed = text(token_at(&url, &["list"]).output().unwrap().stdout);
    assert!(names.iter().all(|name| listed.contains(name)), "{listed}");
}

#[test]
fn a_token_is_never_created_in_an_unused_database() {
    let folder = TempDir::new().unwrap();
    // On PostgreSQL the database exists but is empty.
    let url = database_url(&folder.path().join("new"));
    let create = ["create", "--name", "ci"];
    let mut commands = vec![token_at(&url, &create)];
    if !is_postgres() {
        let mut elsewhere = token_at("", &create);
        // A shell that lacks the service's variable.
        elsewhere
            .env_remove("DATABASE_URL")
            .current_dir(folder.path());
        std::fs::write(folder.path().join("empty.db"), "").unwrap();
        let empty = format!("sqlite://{}", folder.path().join("empty.db").display());
        commands.extend([elsewhere, token_at(&empty, &create)]);
    }
    let before = files_below(folder.path().to_owned());
    for mut command in commands {
        let output = command.output().unwrap();
        let messages = text(output.stderr);
        assert!(
            !output.status.success() && output.stdout.is_empty(),
            "{messages}"
        );
        assert!(messages.starts_with("Database: "), "{messages}");
        assert!(messages.contains("no database at this place"), "{messages}");
        assert_eq!(files_below(folder.path().to_owned()), before);
    }
    assert!(text(token_at(&url, &["list"]).output().unwrap().stdout).is_empty());
    remove_database(&folder.path().join("new"));
}

#[tokio::test]
async fn a_command_says_which_database_it_opened() {
    let server = started().await;
    let named = if is_postgres() {
        "Database: postgres".to_owned()
    } else {
        format!("Database: {}\n", server.database_url())
    };
    for arguments in [
        &["token", "create", "--name", "ci"][..],
        &["token", "list"],
        &["token", "revoke", "ci"],
        &["main-branch", "acme/payments"],
        &["export"],
        &["pin", "1"],
    ] {
        let output = server.command(arguments).output().unwrap();
        let messages = text(output.stderr);
        assert!(messages.starts_with(&named), "{arguments:?}: {messages}");
    }
}

#[test]
fn a_missing_database_and_a_file_that_is_not_one_differ_in_errors() {
    let folder = TempDir::new().unwrap();
    let url = |name: &str| format!("sqlite://{}", folder.path().join(name).display());
    let missing = token_at(&url("typo/c.db"), &["list"]).output().unwrap();
    assert!(!missing.status.success());
    assert!(text(missing.stderr).contains("no database at this place"));
    assert!(
        !folder.path().join("typo").exists(),
        "no database was created"
    );
    std::fs::write(
        folder.path().join("notes.txt"),
        "these are notes, no database",
    )
    .unwrap();
    for arguments in [&["list"][..], &["create", "--name", "ci"]] {
        let other = token_at(&url("notes.txt"), arguments).output().unwrap();
        assert!(text(other.stderr).contains("not a SQLite database"));
    }
}

#[tokio::test]
async fn a_token_that_could_not_be_printed_does_not_stay_valid() {
    let server = started().await;
    let mut command = token_at(&server.database_url(), &["create", "--name", "ci"]);
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = command.stdout(full).output().unwrap();
    assert!(!output.status.success());
    create(&server, &["--name", "ci"]);
}
