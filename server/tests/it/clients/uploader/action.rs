//! `action.yml`: its steps, run as a runner of GitHub runs them, with the inputs of workflows for the Action that it replaces too.

use super::{Job, newest};
use crate::harness::{
    Archive, COMMIT, ForgeStandIn, GOOD, Kind, Reachable, TOKEN, TestServer, Upload,
};
use std::{collections::HashMap, process::Command};

const ACTION: &str = include_str!("../../../../../action.yml");

/// The inputs with their defaults.
fn defaults() -> HashMap<&'static str, &'static str> {
    let (_, rest) = ACTION.split_once("\ninputs:\n").unwrap();
    let (inputs, _) = rest.split_once("\noutputs:\n").unwrap();
    let (mut name, mut defaults) = ("", HashMap::new());
    for line in inputs.lines() {
        if let Some(default) = line.strip_prefix("    default: ") {
            defaults.insert(name, default);
        } else if !line.starts_with("   ") && line.ends_with(':') {
            name = line.trim().trim_end_matches(':');
            defaults.insert(name, "");
        }
    }
    defaults
}

/// A step: the variables that its inputs become, and its script.
fn step(number: usize) -> (Vec<(String, String)>, String) {
    let steps: Vec<_> = ACTION.split("\n      env:\n").skip(1).collect();
    let (variables, rest) = steps[number].split_once("      run: |\n").unwrap();
    let variables = variables.lines().map(|line| {
        let (name, value) = line.trim().split_once(": ").unwrap();
        (name.to_owned(), value.to_owned())
    });
    let lines = rest.lines().take_while(|line| line.starts_with("        "));
    let script = lines.map(|line| format!("{}\n", &line[8..])).collect();
    (variables.collect(), script)
}

/// Runs a step with inputs, in a folder of the job, and returns what it printed.
fn run(job: &Job, number: usize, inputs: &[(&str, &str)], github: &[(&str, &str)]) -> String {
    let mut all = defaults();
    all.insert("github-token", "");
    for (name, value) in inputs {
        assert!(all.insert(*name, *value).is_some(), "{name} is no input");
    }
    let (variables, script) = step(number);
    let filled = variables.into_iter().map(|(name, value)| {
        let mut value = value;
        for (input, given) in &all {
            value = value.replace(&format!("${{{{ inputs.{input} }}}}"), given);
        }
        let token = Some(all["token"]).filter(|token| !token.is_empty());
        let token = token.unwrap_or(all["github-token"]);
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
        value = value
            .replace("${{ inputs.token || inputs.github-token }}", token)
            .replace("${{ github.action_path }}", root)
            .replace("${{ github.event.pull_request.head.sha }}", COMMIT);
        assert!(!value.contains("${{"), "{value}");
        (name, value)
    });
    let output = Command::new("sh")
        .args(["-e", "-c", &script])
        .current_dir(job.root().join(all["working_dir"]))
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("NO_PROXY", "127.0.0.1")
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_REPOSITORY", "acme/payments")
        .env("GITHUB_REPOSITORY_OWNER", "acme")
        .env("GITHUB_SHA", COMMIT)
        .env("GITHUB_REF", "refs/heads/main")
        .env("GITHUB_REF_NAME", "main")
        .env("GITHUB_OUTPUT", job.bin().join("outputs"))
        .envs(github.iter().copied())
        .envs(filled)
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{printed}{errors}");
    printed
}

#[tokio::test(flavor = "multi_thread")]
async fn the_action_uploads_with_its_inputs_and_sets_its_outputs() {
    let server = TestServer::start().await;
    let job = Job::new();
    job.write("unit one.xml", &super::job::python(&[(1, 1), (2, 0)]));
    let url = server.url("");
    let inputs = [
        ("url", &url[..]),
        ("token", TOKEN),
        ("files", "\nunit one.xml\n"),
        ("part", "unit"),
        ("parts", "unit,e2e"),
        ("finish", "true"),
        ("language", "rust"),
        ("fail-on", "gate"),
        ("pull-request", "7"),
        ("target", "main"),
        ("base", "HEAD"),
    ];
    run(&job, 0, &inputs, &[]);
    let summary = newest(&server).await;
    assert_eq!(summary["pull_request"], "7");
    assert_eq!(summary["record"]["language"], "rust");
    assert_eq!(summary["record"]["commit_hash"], COMMIT);
    assert_eq!(summary["parts"]["complete"], true);
    let outputs = std::fs::read_to_string(job.bin().join("outputs")).unwrap();
    let expected = format!(
        "percentage=50.00\ndelta=\nverdict=\nurl={}\n",
        summary["url"].as_str().unwrap()
    );
    assert_eq!(outputs.replace("=50.0\n", "=50.00\n"), expected);
    for output in ["percentage", "delta", "verdict", "url"] {
        let declared = format!("value: ${{{{ steps.upload.outputs.{output} }}}}");
        assert!(ACTION.contains(&declared), "{output}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_action_sends_the_source_text_if_its_input_is_true() {
    for (sources, status) in [("true", 200), ("false", 404), ("", 404)] {
        let accepts = ["--upload-token", TOKEN, "--sources", "accept"];
        let server = TestServer::start_with(&accepts).await;
        let job = Job::new();
        job.write("coverage.xml", &super::job::python(&[(1, 1), (2, 0)]));
        let url = server.url("");
        let inputs = [("url", &url[..]), ("token", TOKEN), ("sources", sources)];
        run(&job, 0, &inputs, &[]);
        let id = &newest(&server).await["record"]["id"];
        let path = format!("/coverages-api/records/{id}/source?path=src/fee.py");
        let answer = server.get(&path).await;
        assert_eq!(answer.status().as_u16(), status, "{sources}");
        if status == 200 {
            assert_eq!(answer.text().await.unwrap(), "one\ntwo\n");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_inputs_of_the_replaced_action_work_unchanged() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = TestServer::start_with(&["--vcs-api-urls", &forge.listed()]).await;
    let job = Job::new();
    job.write(
        "sub/build/coverage.xml",
        &super::job::python(&[(1, 1), (2, 0)]),
    );
    job.write("sub/build/index.html", "<p>the HTML report");
    let host = server.url("/coverages-api");
    let inputs = [
        ("api_host", &host[..]),
        ("github-token", GOOD),
        ("language", "go"),
        ("report_dir", "build"),
        ("coverage_xml_file_name", "coverage.xml"),
        ("ui_host", "https://coverage.example.com/coverages-ui"),
        ("working_dir", "./sub"),
        ("skip_pr_comment", "true"),
    ];
    let api = forge.api();
    let github = [
        ("GITHUB_API_URL", &api[..]),
        ("GITHUB_REF", "refs/pull/7/merge"),
        ("GITHUB_HEAD_REF", "feature/x"),
        ("GITHUB_BASE_REF", "main"),
        ("GITHUB_SHA", "0123"),
    ];
    run(&job, 0, &inputs, &github);
    let summary = newest(&server).await;
    assert_eq!(summary["record"]["language"], "go");
    assert_eq!(summary["record"]["branch_name"], "feature/x");
    assert_eq!(summary["record"]["commit_hash"], COMMIT);
    assert!(summary["pull_request"].is_null());
    let report = format!("/reports/{}/", summary["record"]["id"]);
    assert!(server.get_text(&report).await.contains("the HTML report"));
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_branch_was_deleted_the_action_names_the_others() {
    let server = TestServer::start().await;
    let origin = Job::new();
    origin.git(&["branch", "a\"b"]);
    let job = Job::clone_of(&origin, &[]);
    for branch in ["main", "a\"b", "deleted"] {
        let archive = Archive::new().file("coverage.xml", super::job::python(&[(1, 1)]));
        Upload::of(archive.tar_gz())
            .with("branch_name", branch)
            .accepted(&server)
            .await;
    }
    let host = server.url("/coverages-api/");
    run(&job, 1, &[("api_host", &host), ("token", TOKEN)], &[]);
    let current = server.current_records().await;
    let mut branches: Vec<_> = current
        .iter()
        .map(|record| record["branch_name"].as_str().unwrap())
        .collect();
    branches.sort_unstable();
    assert_eq!(branches, ["a\"b", "main"]);
}
