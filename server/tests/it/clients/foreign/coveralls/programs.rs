//! Coveralls' clients themselves, against the service. `scripts/with-foreign-clients.sh` installs them.

use super::{accepted, job, server, token_for};
use crate::{
    clients::uploader::Job,
    harness::{Archive, Reachable, TOKEN, TestServer, Upload},
};
use serde_json::{Value, json};
use std::{
    fs::File,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The time limit of a client, in seconds.
const SECONDS: &str = "60";

const PYTHON: &str = "def fee(minutes):\n    if minutes <= 15:\n        return 0\n    return minutes * 2\n\n\nfee(90)\n";

const RUBY: &str = "def fee(minutes)\n  return 0 if minutes <= 15\n  if minutes > 1000\n    raise 'long'\n  end\n  minutes * 2\nend\n\nfee(90)\n";

/// Debian's client is older than Debian's SimpleCov, which has renamed a method.
const MEASURE: &str = r#"require "coveralls"
require "simplecov"
class SimpleCov::SourceFile
  def coverage = coverage_data["lines"]
end
Coveralls.wear!
load File.expand_path("fee.rb", __dir__)
"#;

const LCOV: &str =
    "TN:\nSF:src/fee.js\nDA:1,3\nDA:2,0\nDA:4,1\nBRDA:4,0,0,1\nBRDA:4,0,1,0\nend_of_record\n";

/// Returns the folder of a client. `None` if it is not installed, which is said.
#[expect(clippy::print_stderr, reason = "a test is never skipped silently")]
#[expect(clippy::disallowed_methods, reason = "a test has no arguments")]
fn client(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("COVERAGE_FOREIGN_CLIENTS").map(PathBuf::from);
    let folder = folder.map(|folder| folder.join(name));
    let found = folder.filter(|folder| folder.is_dir());
    if found.is_none() {
        eprintln!("{name} did not run; run the tests with scripts/with-foreign-clients.sh");
    }
    found
}

/// Runs a program in the repository of a job, with the address and the token of a service, and returns what it printed.
fn run(
    job: &Job,
    server: &TestServer,
    program: &[&Path],
    input: Option<&str>,
    more: &[(&str, &str)],
) -> String {
    let url = server.url("");
    let mut command = Command::new("timeout");
    command.arg(SECONDS).args(program).current_dir(job.root());
    command
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("HOME", job.root())
        .env("NO_PROXY", "127.0.0.1")
        .envs([
            ("COVERALLS_HOST", url.as_str()),
            ("COVERALLS_ENDPOINT", url.as_str()),
            ("COVERALLS_REPO_TOKEN", TOKEN),
        ])
        .envs(more.iter().copied());
    match input {
        Some(path) => command.stdin(File::open(job.root().join(path)).unwrap()),
        None => command.stdin(Stdio::null()),
    };
    let output = command.output().unwrap();
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8_lossy(&printed).into_owned();
    assert!(output.status.success(), "{program:?}: {printed}");
    printed
}

fn repository() -> Job {
    let job = Job::with_remote("git@git.example.com:acme/payments.git");
    job.write("src/fee.js", "a\nb\n\nc\n");
    job.write("parking.py", PYTHON);
    job.commit("Price a stay");
    job
}

/// Uploads a coverage file of a job as a native client does.
async fn native(server: &TestServer, job: &Job, file: &str, language: &str) {
    let content = std::fs::read(job.root().join(file)).unwrap();
    let archive = Archive::new().file(file, content).tar_gz();
    Upload::of(archive)
        .with("coverage_xml_file_name", file)
        .with("repo_name", "native")
        .with("commit_hash", &job.head())
        .with("language", language)
        .accepted(server)
        .await;
}

/// The numbers and the lines of a file in the current record of a repository.
async fn stored(server: &TestServer, repository: &str, path: &str) -> Value {
    let records = server.current_records().await;
    let mut records = records.iter();
    let record = records.find(|record| record["repo_name"] == repository);
    let record = record.expect("a record");
    let address = format!("/coverages-api/records/{}/lines?path={path}", record["id"]);
    let lines = server.get_json(&address).await;
    json!({
        "commit": record["commit_hash"],
        "language": record["language"],
        "percentage": record["percentage"],
        "lines": [lines["hit"], lines["partial"], lines["missed"]],
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn coveralls_of_pypi_uploads_the_numbers_of_coverage_py() {
    let Some(folder) = client("coveralls-pypi") else {
        return;
    };
    let (server, job) = (server().await, repository());
    let bin = |name: &str| folder.join("bin").join(name);
    let coverage = bin("coverage");
    let measure = ["run", "--branch", "--source=.", "parking.py"].map(Path::new);
    run(
        &job,
        &server,
        &[&[coverage.as_path()], &measure[..]].concat(),
        None,
        &[],
    );
    run(&job, &server, &[&coverage, Path::new("json")], None, &[]);
    native(&server, &job, "coverage.json", "python").await;
    run(&job, &server, &[&bin("coveralls")], None, &[]);
    let found = stored(&server, "payments", "parking.py").await;
    assert_eq!(found, stored(&server, "native", "parking.py").await);
    // As two jobs of a parallel build, and the webhook after them.
    job.commit("A parallel build");
    let parallel = [
        ("COVERALLS_PARALLEL", "true"),
        ("COVERALLS_SERVICE_NUMBER", "42"),
        ("COVERALLS_SERVICE_NAME", "jenkins"),
    ];
    let unit = [&parallel[..], &[("COVERALLS_FLAG_NAME", "unit")]].concat();
    run(&job, &server, &[&bin("coveralls")], None, &unit);
    let before = stored(&server, "payments", "parking.py").await;
    assert_ne!(before["commit"], json!(job.head()), "it waits");
    // The webhook does not name the repository.
    let token = token_for(&server, "payments");
    let finish = [&parallel[..], &[("COVERALLS_REPO_TOKEN", token.as_str())]].concat();
    run(
        &job,
        &server,
        &[&bin("coveralls"), Path::new("--finish")],
        None,
        &finish,
    );
    let after = stored(&server, "payments", "parking.py").await;
    assert_eq!(after["commit"], json!(job.head()));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clients_of_npm_upload_the_numbers_of_their_lcov_file() {
    for (name, package) in [
        ("coveralls-npm", "coveralls"),
        ("coveralls-next", "coveralls-next"),
    ] {
        let Some(folder) = client(name) else { continue };
        let (server, job) = (server().await, repository());
        job.write("coverage.lcov", LCOV);
        native(&server, &job, "coverage.lcov", "javascript").await;
        let script = folder
            .join("node_modules")
            .join(package)
            .join("bin/coveralls.js");
        run(
            &job,
            &server,
            &[Path::new("node"), &script],
            Some("coverage.lcov"),
            &[],
        );
        let found = stored(&server, "payments", "src/fee.js").await;
        assert_eq!(
            found,
            stored(&server, "native", "src/fee.js").await,
            "{name}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn cpp_coveralls_uploads_what_gcov_counted() {
    let Some(folder) = client("cpp-coveralls") else {
        return;
    };
    let (server, job) = (server().await, repository());
    job.write(
        "main.c",
        "int main(int n, char **all) {\n  if (n > 1)\n    return 1;\n  return 0;\n}\n",
    );
    let gcc = ["gcc", "--coverage", "-o", "main", "main.c"].map(Path::new);
    run(&job, &server, &gcc, None, &[]);
    run(&job, &server, &[&job.root().join("main")], None, &[]);
    // This client never names the repository.
    server.get("/coverages-api/health").await;
    let token = token_for(&server, "payments");
    let program = folder.join("bin/cpp-coveralls");
    let token = [("COVERALLS_REPO_TOKEN", token.as_str())];
    run(&job, &server, &[&program], None, &token);
    let found = stored(&server, "payments", "main.c").await;
    assert_eq!(found["language"], "c");
    assert_eq!(found["lines"][2], json!([[3, 3]]), "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn coveralls_of_ruby_uploads_what_simplecov_counted() {
    if client("coveralls-ruby").is_none() {
        return;
    }
    let (server, job) = (server().await, repository());
    job.write("fee.rb", RUBY);
    job.write("measure.rb", MEASURE);
    job.commit("Price a stay in Ruby");
    // The name of the repository is the remote's, and the branch is Git's.
    let more = [("COVERALLS_RUN_LOCALLY", "1"), ("LANG", "C.UTF-8")];
    let program = ["ruby", "measure.rb"].map(Path::new);
    let printed = run(&job, &server, &program, None, &more);
    assert!(printed.contains("Job #1"), "{printed}");
    let found = stored(&server, "payments", "fee.rb").await;
    assert_eq!(found["commit"], json!(job.head()));
    assert_eq!(found["language"], "ruby");
    assert_eq!(
        found["lines"],
        json!([[[1, 3], [6, 6], [9, 9]], [], [[4, 4]]])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_prints_why_its_job_is_refused() {
    let Some(folder) = client("coveralls-npm") else {
        return;
    };
    let (server, repository) = (server().await, repository());
    repository.write("coverage.lcov", LCOV);
    accepted(&server, &job()).await;
    let script = folder.join("node_modules/coveralls/bin/coveralls.js");
    let mut command = Command::new("timeout");
    command.arg(SECONDS).arg("node").arg(script);
    let command = command
        .current_dir(repository.root())
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("COVERALLS_ENDPOINT", server.url(""))
        .env("COVERALLS_REPO_TOKEN", "wrong")
        .stdin(File::open(repository.root().join("coverage.lcov")).unwrap());
    let output = command.output().unwrap();
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    assert!(printed.contains("This token is unknown here"), "{printed}");
}
