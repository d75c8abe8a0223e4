//! The real binary in its own process, so that it can be killed.

use super::{Reachable, TOKEN, database_url};
use reqwest::Client;
use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    time::Duration,
};
use tokio::time::sleep;

/// The binary that cargo built for these tests.
pub const BINARY: &str = env!("CARGO_BIN_EXE_coverage-dashboard");

/// A running binary, killed when dropped.
pub struct ServerProcess {
    child: Child,
    client: Client,
    url: String,
}

impl ServerProcess {
    /// Starts it with its database and its reports in `folder`.
    pub fn start(folder: &Path, arguments: &[&str]) -> Self {
        Self::start_by(Command::new(BINARY), folder, arguments)
    }

    /// Starts it with all its log lines in a file.
    pub fn start_logging(folder: &Path, arguments: &[&str], log: &Path) -> Self {
        Self::start_logging_by(Command::new(BINARY), folder, arguments, log)
    }

    /// Starts it with a command that may set its own variables.
    pub fn start_logging_by(
        mut command: Command,
        folder: &Path,
        arguments: &[&str],
        log: &Path,
    ) -> Self {
        command.stderr(File::create(log).unwrap());
        Self::start_with(command, folder, arguments, "trace")
    }

    /// Starts it with a command that may be another program, with the binary as its argument.
    pub fn start_by(command: Command, folder: &Path, arguments: &[&str]) -> Self {
        // Many of these tests cause errors on purpose.
        Self::start_with(command, folder, arguments, "off")
    }

    fn start_with(
        mut command: Command,
        folder: &Path,
        arguments: &[&str],
        log_level: &str,
    ) -> Self {
        command
            .args(["serve", "--upload-token", TOKEN])
            .arg("--site-root")
            .arg(folder.join("site"))
            .args(arguments)
            .env("RUST_LOG", log_level)
            .stdout(Stdio::piped());
        if !arguments.contains(&"--addr") {
            command.args(["--addr", "127.0.0.1:0"]);
        }
        if !arguments.contains(&"--database-url") {
            command.args(["--database-url", &database_url(folder)]);
        }
        if !arguments.contains(&"--reports-url") {
            command.arg("--reports-url").arg(folder.join("reports"));
        }
        let mut child = command.spawn().unwrap();
        let printed = BufReader::new(child.stdout.take().unwrap());
        let url = printed.lines().find_map(|line| {
            let line = line.unwrap();
            // It prints its public address, if it has one.
            let at = line.find("http")?;
            Some(line[at..].trim().to_owned())
        });
        Self {
            url: url.expect("the address that the server prints"),
            child,
            client: Client::new(),
        }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends it the signal of this name, such as `TERM`.
    pub fn signal(&self, name: &str) {
        let id = self.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &id]).status();
        assert!(sent.unwrap().success());
    }

    /// Waits until it has ended.
    pub async fn exited(mut self) -> ExitStatus {
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            sleep(Duration::from_millis(10)).await;
        }
    }

    /// `kill -9`.
    pub fn kill(mut self) {
        self.end();
    }

    /// `kill -9`; the caller starts another process in its place.
    pub fn kill_now(&mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.child.kill().ok();
        self.child.wait().unwrap();
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        self.end();
    }
}

impl Reachable for ServerProcess {
    fn client(&self) -> &Client {
        &self.client
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }
}
