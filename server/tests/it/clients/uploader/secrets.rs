//! Tokens appear in no log and in no list of processes.

use super::{Job, installed, stand_in::StandIn};
use crate::harness::TestServer;

const SECRETS: [(&str, &str); 4] = [
    ("GITHUB_ACTIONS", "true"),
    ("COVERAGE_TOKEN", "t0ken"),
    ("GITHUB_TOKEN", "f0rge-s3cret"),
    ("GITHUB_API_URL", "https://api.forge.example.com"),
];

fn job() -> Job {
    let job = Job::with_remote("https://kim:r3mote-s3cret@git.example.com/acme/payments.git");
    job.write_coverage(&[(1, 1), (2, 0)]);
    job
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trace_of_the_shell_prints_no_token() {
    let server = TestServer::start().await;
    for shell in installed() {
        for before in ["set -x\n", "set -xv\n"] {
            let job = job();
            let run = job.upload(&server).shell(shell).with(&SECRETS);
            let ran = run.before(before).run();
            assert_eq!(ran.code, 0, "{shell:?}: {}", ran.printed);
            for secret in ["t0ken", "s3cret"] {
                assert!(!ran.printed.contains(secret), "{}", ran.printed);
            }
        }
        // bash passes its options on by this variable.
        let job = job();
        let run = job.upload(&server).shell(shell).with(&SECRETS);
        let ran = run.with(&[("SHELLOPTS", "xtrace:verbose")]).run();
        for secret in ["t0ken", "s3cret"] {
            assert!(!ran.printed.contains(secret), "{}", ran.printed);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_an_outage_and_a_dry_run_print_no_token() {
    for answer in [
        (401, None, r#"{"detail":"The token was not accepted."}"#),
        (200, None, "<html>log in"),
    ] {
        let service = StandIn::start(&[answer]).await;
        let job = job();
        let ran = job.upload_to(&service.url).with(&SECRETS).run();
        assert_eq!(ran.code, 1);
        assert!(!ran.printed.contains("t0ken"), "{}", ran.printed);
        assert!(!ran.printed.contains("s3cret"), "{}", ran.printed);
    }
    let job = job();
    let run = job.upload_to("http://127.0.0.1:9").with(&SECRETS);
    let ran = run.arguments(&["--dry-run"]).run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
    assert!(ran.printed.contains("would send with COVERAGE_TOKEN"));
    assert!(!ran.printed.contains("t0ken"), "{}", ran.printed);
    assert!(!ran.printed.contains("s3cret"), "{}", ran.printed);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_process_has_a_token_among_its_arguments() {
    let server = TestServer::start().await;
    for shell in installed() {
        let job = job();
        // Each program of the script notes its arguments.
        for program in [
            "awk", "cat", "curl", "cut", "find", "git", "grep", "head", "od", "printf", "sed",
            "sort", "tar", "tr",
        ] {
            let log = job.bin().join("log").display().to_string();
            let usual = std::env::var("PATH").unwrap();
            let script = format!(
                "#!/bin/sh\nprintf '%s\\n' {program} \"$@\" >>'{log}'\nPATH='{usual}' exec {program} \"$@\"\n"
            );
            job.replace(program, &script);
        }
        let run = job.upload(&server).shell(shell).with(&SECRETS);
        let ran = run.run();
        assert_eq!(ran.code, 0, "{shell:?}: {}", ran.printed);
        let log = std::fs::read_to_string(job.bin().join("log")).unwrap();
        assert!(log.contains("curl\n--config\n-\n"), "{log}");
        assert!(!log.contains("t0ken"), "{shell:?}: {log}");
        assert!(!log.contains("f0rge-s3cret"), "{shell:?}: {log}");
    }
}
