//! The commands for laptops and jobs, run in real git repositories against a real service.

mod check;
mod diff;
mod download;
mod forks;
mod pull;

use crate::{
    clients::uploader::Job,
    harness::{BINARY, Reachable, TestServer},
};
use std::{path::Path, process::Command};

/// What a command printed, and its exit code.
struct Ran {
    code: i32,
    out: String,
    notes: String,
}

/// Runs the binary in the repository of a job, with these variables only.
fn run(job: &Job, arguments: &[&str], variables: &[(&str, &str)]) -> Ran {
    let output = Command::new(BINARY)
        .args(arguments)
        .current_dir(job.root())
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("NO_PROXY", "127.0.0.1")
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran {
        code: output.status.code().unwrap(),
        out: text(output.stdout),
        notes: text(output.stderr),
    }
}

/// The command with the address of a service. The cache is in `home`.
fn run_with(job: &Job, url: &str, home: &Path, arguments: &[&str]) -> Ran {
    let home = home.to_str().unwrap();
    run(job, arguments, &[("HOME", home), ("COVERAGE_URL", url)])
}

/// A repository whose first commit was measured: line 1 ran, line 2 did not.
async fn measured(server: &TestServer) -> Job {
    let job = Job::with_remote("git@git.example.com:acme/payments.git");
    job.write_coverage(&[(1, 1), (2, 0)]);
    let ran = job.upload(server).run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
    job
}

/// The command in the repository of a job, with a cache of its own.
fn asks(job: &Job, server: &impl Reachable, arguments: &[&str]) -> Ran {
    let home = tempfile::tempdir().unwrap();
    run_with(job, &server.url(""), home.path(), arguments)
}
