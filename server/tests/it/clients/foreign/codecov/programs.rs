//! Codecov's clients themselves, each with a time limit. `scripts/with-foreign-clients.sh` installs them; a test of a client that is not
//! installed says that it did not run.

use super::{COMMIT, LCOV, lines, newest_attempt, record, server};
use crate::harness::{Reachable, TOKEN, TestServer};
use std::{
    fs,
    path::PathBuf,
    process::{Command, Output},
};
use tempfile::TempDir;
use tokio::task::spawn_blocking;

/// After so many seconds, a client is ended.
const SECONDS: &str = "60";

/// A folder with a coverage file, and where the program of a client is. `None` if it is not installed.
struct Job {
    folder: TempDir,
    program: PathBuf,
}

impl Job {
    #[expect(clippy::print_stderr, reason = "a test is never skipped silently")]
    fn of(client: &str, program: &str) -> Option<Self> {
        let clients = std::env::var_os("COVERAGE_FOREIGN_CLIENTS").map(PathBuf::from);
        let program = clients.map(|clients| clients.join(client).join(program));
        let Some(program) = program.filter(|program| program.exists()) else {
            eprintln!(
                "{client} is missing, so this test did not run; scripts/with-foreign-clients.sh installs it"
            );
            return None;
        };
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("coverage.lcov"), LCOV).unwrap();
        fs::create_dir(folder.path().join("src")).unwrap();
        fs::write(folder.path().join("src/fee.py"), "a\nb\nc\nd\ne\n").unwrap();
        for arguments in [
            &["init", "--quiet", "--initial-branch", "feature"][..],
            &["add", "."],
            &[
                "-c",
                "user.name=Kim",
                "-c",
                "user.email=kim@example.com",
                "commit",
                "--quiet",
                "-m",
                "x",
            ],
        ] {
            let git = Command::new("git")
                .args(arguments)
                .current_dir(folder.path())
                .status();
            assert!(git.unwrap().success());
        }
        Some(Self { folder, program })
    }

    /// Runs the client with these arguments in another thread, because the service runs in this one.
    async fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new("timeout");
        let path = std::env::var_os("PATH").unwrap_or_default();
        command
            .args(["--kill-after", "5", SECONDS])
            .arg(&self.program)
            .args(arguments)
            .current_dir(self.folder.path())
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.folder.path());
        let output = spawn_blocking(move || command.output());
        output.await.unwrap().unwrap()
    }

    /// Runs the client, which must succeed.
    async fn succeed(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments).await;
        let printed = format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(output.status.success(), "{arguments:?}: {printed}");
        printed
    }
}

fn url(server: &TestServer) -> String {
    server.url("")
}

async fn has_record(server: &TestServer) {
    let record = record(server, "acme/payments").await;
    assert_eq!(record["percentage"], 75.0);
    assert_eq!(record["language"], "python");
    let lines = lines(server, &record, "src/fee.py").await;
    assert_eq!(lines["coverable"], 4, "{lines}");
}

const REPOSITORY: [&str; 8] = [
    "-r",
    "acme/payments",
    "--git-service",
    "github",
    "-C",
    COMMIT,
    "-B",
    "feature",
];
const FILE: [&str; 5] = [
    "-f",
    "coverage.lcov",
    "--disable-search",
    "--plugin",
    "noop",
];

fn codecov_cli() -> Option<Job> {
    Job::of("codecov-cli", "bin/codecovcli")
}

/// The start of a command of codecov-cli with a good token.
fn call<'a>(url: &'a str, command: &'a str) -> [&'a str; 6] {
    ["-u", url, command, "-t", TOKEN, "--fail-on-error"]
}

#[tokio::test]
async fn codecov_cli_uploads_in_one_call() {
    let Some(job) = codecov_cli() else { return };
    let server = server().await;
    let url = url(&server);
    let start = [
        "-u",
        &url,
        "upload-coverage",
        "-t",
        TOKEN,
        "-F",
        "unit",
        "--fail-on-error",
    ];
    job.succeed(&[&start[..], &FILE, &REPOSITORY].concat())
        .await;
    has_record(&server).await;
    let row = newest_attempt(&server).await;
    assert_eq!(row.client.as_deref(), Some("codecov-cli 11.3.1"));
}

#[tokio::test]
async fn codecov_cli_uploads_in_three_calls() {
    let Some(job) = codecov_cli() else { return };
    let server = server().await;
    let url = url(&server);
    let start = call(&url, "upload-process");
    job.succeed(&[&start[..], &FILE, &REPOSITORY].concat())
        .await;
    has_record(&server).await;
}

#[tokio::test]
async fn codecov_cli_uploads_by_the_legacy_interface() {
    let Some(job) = codecov_cli() else { return };
    let server = server().await;
    let url = url(&server);
    let start = call(&url, "upload-coverage");
    job.succeed(&[&start[..], &["--legacy"], &FILE, &REPOSITORY].concat())
        .await;
    has_record(&server).await;
}

#[tokio::test]
async fn codecov_cli_prints_why_it_is_refused() {
    let Some(job) = codecov_cli() else { return };
    let server = server().await;
    let url = url(&server);
    let start = [
        "-u",
        &url,
        "upload-coverage",
        "-t",
        "wr0ng",
        "--fail-on-error",
    ];
    let output = job.run(&[&start[..], &FILE, &REPOSITORY].concat()).await;
    assert!(!output.status.success());
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8_lossy(&printed);
    assert!(printed.contains("This token is unknown here"), "{printed}");
}

#[tokio::test]
async fn codecov_cli_completes_a_commit_and_sets_a_base() {
    let Some(job) = codecov_cli() else { return };
    let server = server().await;
    let url = url(&server);
    let start = call(&url, "upload-coverage");
    job.succeed(&[&start[..], &FILE, &REPOSITORY].concat())
        .await;
    let of_commit = [
        "-r",
        "acme/payments",
        "--git-service",
        "github",
        "-C",
        COMMIT,
    ];
    let send = call(&url, "send-notifications");
    job.succeed(&[&send[..], &of_commit].concat()).await;
    assert_eq!(newest_attempt(&server).await.code, "closed");
    let empty = call(&url, "empty-upload");
    job.succeed(&[&empty[..], &["--force"], &of_commit].concat())
        .await;
    let base = [
        "-u",
        &url,
        "pr-base-picking",
        "-t",
        TOKEN,
        "--base-sha",
        COMMIT,
        "--pr",
        "7",
        "--slug",
        "acme/payments",
        "--service",
        "github",
    ];
    job.succeed(&base).await;
}

#[tokio::test]
async fn codecov_of_npm_uploads() {
    let Some(job) = Job::of("codecov-npm", "node_modules/.bin/codecov") else {
        return;
    };
    let server = server().await;
    let made = [
        "token", "create", "--name", "ci", "--org", "acme", "--repo", "payments",
    ];
    let made = server.command(&made).output().unwrap();
    let printed = String::from_utf8(made.stdout).unwrap();
    let token = printed
        .split_whitespace()
        .find(|word| word.starts_with("cov_"))
        .unwrap();
    let url = url(&server);
    // It takes the commit and the branch from git.
    let arguments = [
        "-u",
        &url,
        "-t",
        token,
        "-f",
        "coverage.lcov",
        "-F",
        "unit",
        "--disable=gcov",
    ];
    let printed = job.succeed(&arguments).await;
    let records = server.current_records().await;
    assert_eq!(records.len(), 1, "{printed}");
    assert_eq!(records[0]["branch_name"], "feature");
    assert_eq!(records[0]["percentage"], 75.0);
}

#[tokio::test]
async fn codecov_of_pypi_uploads() {
    let Some(job) = Job::of("codecov-pypi", "bin/codecov") else {
        return;
    };
    let server = server().await;
    let url = url(&server);
    let arguments = [
        "--url",
        &url,
        "-t",
        TOKEN,
        "-f",
        "coverage.lcov",
        "-F",
        "unit",
        "-r",
        "acme/payments",
        "--commit",
        COMMIT,
        "--branch",
        "feature",
        "-X",
        "gcov",
        "search",
    ];
    job.succeed(&arguments).await;
    has_record(&server).await;
}
