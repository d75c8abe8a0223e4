//! The settings file of the repository, which tools of Python delete under its former name. pytest-cov is required;
//! `scripts/with-coverage-tools.sh` installs it.

use super::{Job, job::in_shells, newest};
use crate::harness::{Reachable, TOKEN, TestServer};
use std::process::Command;

fn job() -> Job {
    Job::with_remote("git@git.example.com:acme/payments.git")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_settings_file_is_sent_also_if_a_tool_deleted_it() {
    let deleted = "notice: the job has deleted .coverage.toml";
    let rename = "notice: rename .coverage.toml to coverage-dashboard.toml: pytest-cov";
    let files: [(_, &[&str]); 3] = [
        (".coverage.toml", &[deleted, rename]),
        (".config/coverage-dashboard.toml", &[]),
        ("coverage-dashboard.toml", &[]),
    ];
    for (shell, (name, notices)) in in_shells(&files) {
        let server = TestServer::start().await;
        let job = job();
        job.write(".coverage.toml", "parts = [\"unit\", \"other\"]\n");
        job.write(name, "parts = [\"unit\", \"e2e\"]\n");
        job.commit("settings");
        job.write_coverage(&[(1, 1)]);
        // What pytest-cov does.
        std::fs::remove_file(job.root().join(".coverage.toml")).unwrap();
        let run = job.upload(&server).shell(shell);
        let ran = run.arguments(&["--part", "unit"]).run();
        assert_eq!(ran.code, 0, "{name}: {}", ran.printed);
        assert!(ran.printed.contains("waiting for e2e"), "{}", ran.printed);
        for notice in [deleted, rename] {
            let is_expected = notices.contains(&notice);
            assert_eq!(ran.printed.contains(notice), is_expected, "{}", ran.printed);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pytest_cov_does_not_make_the_settings_disappear() {
    for name in [".coverage.toml", "coverage-dashboard.toml"] {
        let server = TestServer::start().await;
        let job = job();
        job.write(name, "parts = [\"unit\", \"e2e\"]\n");
        job.write("src/fee.py", "def fee():\n    return 1\n");
        let test = "from src.fee import fee\n\n\ndef test_fee():\n    assert fee() == 1\n";
        job.write("test_fee.py", test);
        job.commit("settings");
        let output = Command::new("pytest")
            .args(["--cov=src", "--cov-report=xml", "--rootdir=."])
            .env("PYTHONPATH", job.root())
            .current_dir(job.root())
            .output();
        let output = output.unwrap_or_else(|error| {
            panic!("pytest: {error}; run the tests with scripts/with-coverage-tools.sh")
        });
        assert!(output.status.success(), "{output:?}");
        let is_former = name == ".coverage.toml";
        assert_eq!(job.root().join(name).exists(), !is_former, "{name}");
        let ran = job.upload(&server).arguments(&["--part", "unit"]).run();
        assert_eq!(ran.code, 0, "{}", ran.printed);
        assert!(ran.printed.contains("waiting for e2e"), "{}", ran.printed);
        assert_eq!(ran.printed.contains("has deleted"), is_former, "{name}");
        assert_eq!(newest(&server).await["parts"]["arrived"][0], "unit");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_codeowners_file_of_the_forge_is_sent() {
    let places = [
        ".gitlab/CODEOWNERS",
        "docs/CODEOWNERS",
        "CODEOWNERS",
        ".github/CODEOWNERS",
    ];
    let cases: [(_, Option<&str>); 3] = [
        ("GITLAB_CI", Some("CODEOWNERS")),
        ("JENKINS_URL", Some(".github/CODEOWNERS")),
        ("GITEA_ACTIONS", None),
    ];
    for (shell, (system, expected)) in in_shells(&cases) {
        let server = TestServer::start().await;
        let job = job();
        for place in places {
            let team = place.replace(['.', '/'], "");
            job.write(place, &format!("* @acme/{team}\n"));
        }
        job.commit("owners");
        job.write_coverage(&[(1, 1)]);
        let ran = job
            .upload(&server)
            .shell(shell)
            .with(&[(system, "true")])
            .run();
        assert_eq!(ran.code, 0, "{system}: {}", ran.printed);
        let views = "/coverages-api/views?org_name=acme&repo_name=payments&kind=owner";
        let views = server.get_json(views).await;
        let owner = expected.map(|place| place.replace(['.', '/'], ""));
        let owner = owner.map(|team| format!("owner:@acme/{team}"));
        assert_eq!(
            views["views"][0]["view"].as_str(),
            owner.as_deref(),
            "{system}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_text_of_the_measured_files_is_sent_on_request_alone() {
    let accepts = ["--upload-token", TOKEN, "--sources", "accept"];
    let cases: [(&[&str], &str, bool); 3] = [
        (&[], "", false),
        (&["--sources"], "", true),
        (&[], "sources = true\n[gate]\nfloor = 1\n", true),
    ];
    for (shell, (arguments, settings, is_sent)) in in_shells(&cases) {
        let server = TestServer::start_with(&accepts).await;
        let job = job();
        let text = "\u{feff}# ünïcode\r\nx = 1\n\tpass";
        let others = [("a b/fee.py", "of the same name"), ("secret.py", "secret")];
        for (path, text) in [("src/fee.py", text)].iter().chain(&others) {
            job.write(path, text);
        }
        if !settings.is_empty() {
            job.write("coverage-dashboard.toml", settings);
        }
        std::fs::create_dir(job.root().join("link")).unwrap();
        std::os::unix::fs::symlink("../secret.py", job.root().join("link/fee.py")).unwrap();
        job.commit("text");
        job.write_coverage(&[(1, 1)]);
        let ran = job.upload(&server).shell(shell).arguments(arguments).run();
        assert_eq!(ran.code, 0, "{shell:?}: {}", ran.printed);
        assert!(
            !ran.printed.contains("notice"),
            "{shell:?}: {}",
            ran.printed
        );
        assert_eq!(
            ran.printed.contains(", source files: 2"),
            is_sent,
            "{}",
            ran.printed
        );
        let id = &newest(&server).await["record"]["id"];
        let path = format!("/coverages-api/records/{id}/source?path=src/fee.py");
        let answer = server.get(&path).await;
        assert_eq!(answer.status().as_u16(), if is_sent { 200 } else { 404 });
        if is_sent {
            assert_eq!(answer.bytes().await.unwrap(), text.as_bytes(), "{shell:?}");
        }
    }
}
