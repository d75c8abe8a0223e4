//! The clients of other services: their requests as they were captured, and the clients themselves.

mod codecov;
mod coveralls;
mod gates;
mod limits;
mod overload;
mod programs;
mod refused;

use crate::harness::TestServer;

/// Creates an upload token for an organisation such as `acme`, or for a repository such as `acme/payments`.
fn token_for(server: &TestServer, scope: &str) -> String {
    let (org, repo) = scope.split_once('/').unwrap_or((scope, ""));
    let mut arguments = vec!["token", "create", "--name", scope, "--org", org];
    if !repo.is_empty() {
        arguments.extend(["--repo", repo]);
    }
    let made = server.command(&arguments).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    let printed = String::from_utf8(made.stdout).unwrap();
    printed.trim_end().to_owned()
}
