//! A service that refuses, is down or is slow, and other programs that answer at its address.

use super::{Job, installed, newest, stand_in::StandIn};
use crate::harness::{Archive, Reachable, TOKEN, TestServer, Upload};

const OK: &str =
    r#"{"coverage":{"id":1,"percentage":50.0},"data":[],"summary":{"text":"50.00 %"}}"#;

fn job() -> Job {
    let job = Job::with_remote("git@git.example.com:acme/payments.git");
    job.write_coverage(&[(1, 1), (2, 0)]);
    job
}

/// Replaces the clock and `sleep`, so that waiting takes no time. Returns the job and the seconds that have passed.
fn without_waiting() -> (Job, impl Fn(&Job) -> u32) {
    let job = job();
    let clock = job.bin().join("clock");
    std::fs::write(&clock, "1000\n").unwrap();
    let clock = clock.display().to_string();
    job.replace("date", &format!("#!/bin/sh\ncat '{clock}'\n"));
    job.replace(
        "sleep",
        &format!("#!/bin/sh\nnow=$(cat '{clock}')\necho $((now + $1)) >'{clock}'\n"),
    );
    let passed = |job: &Job| {
        let now = std::fs::read_to_string(job.bin().join("clock")).unwrap();
        now.trim().parse::<u32>().unwrap() - 1000
    };
    (job, passed)
}

const TOKEN_ONLY: [(&str, &str); 1] = [("COVERAGE_TOKEN", TOKEN)];

/// Shells whose `sleep` and `date` are programs.
fn shells() -> impl Iterator<Item = super::job::Shell> {
    installed()
        .into_iter()
        .filter(|shell| shell[0] != "busybox")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_is_down_is_a_warning_after_at_most_a_minute() {
    for shell in shells() {
        let (job, passed) = without_waiting();
        let run = |arguments: &[&str]| {
            let run = job.upload_to("http://127.0.0.1:9").shell(shell);
            run.with(&TOKEN_ONLY).arguments(arguments).run()
        };
        let ran = run(&[]);
        assert_eq!(ran.code, 0, "{shell:?}: {}", ran.printed);
        let warning = "warning: not uploaded to http://127.0.0.1:9: curl: (7)";
        assert!(ran.printed.contains(warning), "{}", ran.printed);
        let seconds = passed(&job);
        assert!((20..=60).contains(&seconds), "{seconds}");
        assert_eq!(run(&["--fail-on=all"]).code, 1);
        assert_eq!(run(&["--fail-on", "none"]).code, 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_fails_for_a_while_gets_the_upload_later() {
    for shell in shells() {
        let html = "<html><h1>502 Bad Gateway</h1></html>";
        let answers = [
            (502, None, html),
            (503, Some("7"), "{}"),
            (429, None, "{}"),
            (201, None, OK),
        ];
        let service = StandIn::start(&answers).await;
        let (job, passed) = without_waiting();
        let ran = job
            .upload_to(&service.url)
            .shell(shell)
            .with(&TOKEN_ONLY)
            .run();
        assert_eq!(ran.code, 0, "{shell:?}: {}", ran.printed);
        assert!(ran.printed.contains("coverage: 50.00 %"), "{}", ran.printed);
        assert_eq!(service.arrived().len(), 4);
        // 1 second, then the 7 that the service asked for, then twice as many.
        assert_eq!(passed(&job), 1 + 7 + 14);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_asks_for_more_than_a_minute_is_not_waited_for() {
    let service = StandIn::start(&[(429, Some("3600"), r#"{"detail":"Too many uploads."}"#)]).await;
    let (job, passed) = without_waiting();
    let ran = job.upload_to(&service.url).with(&TOKEN_ONLY).run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
    let warning = "HTTP 429: Too many uploads.";
    assert!(ran.printed.contains(warning), "{}", ran.printed);
    assert_eq!((passed(&job), service.arrived().len()), (0, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_does_not_answer_is_given_up() {
    let service = StandIn::start(&[(0, None, "")]).await;
    let (job, _) = without_waiting();
    // The seconds of silence that curl waits for, shortened to one.
    let usual = std::env::var("PATH").unwrap();
    let curl = format!(
        "#!/bin/sh\nn=$# last=\nwhile [ $n -gt 0 ]; do\n a=$1 n=$((n - 1)); shift\n [ \"$last\" != --speed-time ] || a=1\n last=$a\n set -- \"$@\" \"$a\"\ndone\nPATH='{usual}' exec curl \"$@\"\n"
    );
    job.replace("curl", &curl);
    let ran = job.upload_to(&service.url).with(&TOKEN_ONLY).run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
    assert!(ran.printed.contains("curl: (28)"), "{}", ran.printed);
    assert!(service.arrived().len() > 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_a_proxy_is_an_error_of_the_set_up() {
    for shell in installed() {
        for (status, body, error) in [
            (
                200,
                "<html>\n::error::log in {\"a\": [",
                "not from a coverage dashboard",
            ),
            (200, r#"{"ok":true}"#, "not from a coverage dashboard"),
            (302, "", "the answer was HTTP 302"),
            (403, "<html>blocked ] } : , \"", "the answer was HTTP 403"),
            (413, "<html>nginx", "the answer was HTTP 413"),
        ] {
            let service = StandIn::start(&[(status, None, body)]).await;
            let job = job();
            let ran = job
                .upload_to(&service.url)
                .shell(shell)
                .with(&TOKEN_ONLY)
                .run();
            assert_eq!(ran.code, 1, "{shell:?} {status}: {}", ran.printed);
            assert!(ran.printed.contains(error), "{status}: {}", ran.printed);
            assert!(
                ran.printed
                    .lines()
                    .all(|line| line.starts_with("coverage: ")),
                "{}",
                ran.printed
            );
            assert_eq!(service.arrived().len(), 1);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_that_is_too_large_fails_with_the_sentence_of_the_service() {
    let server =
        TestServer::start_with(&["--upload-token", TOKEN, "--max-upload-bytes", "200"]).await;
    for shell in installed() {
        let ran = job().upload(&server).shell(shell).run();
        assert_eq!(ran.code, 1, "{shell:?}: {}", ran.printed);
        assert!(
            ran.printed.contains("error: not uploaded"),
            "{}",
            ran.printed
        );
        assert!(ran.printed.contains("HTTP 413"), "{}", ran.printed);
        assert!(ran.printed.contains("MAX_UPLOAD_BYTES"), "{}", ran.printed);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_names_each_parameter_that_is_wrong() {
    let server = TestServer::start().await;
    for shell in installed() {
        let job = job();
        let run = job.upload(&server).shell(shell);
        let ran = run
            .arguments(&["--language=C Sharp", "--part", "Unit"])
            .run();
        assert_eq!(ran.code, 1, "{}", ran.printed);
        for named in [
            "HTTP 422",
            "language must be 1 to 32",
            "part must be 1 to 64",
        ] {
            assert!(ran.printed.contains(named), "{named}: {}", ran.printed);
        }
        let run = job.upload_to(&server.url("")).shell(shell);
        let ran = run.with(&[("COVERAGE_TOKEN", "wr0ng")]).run();
        assert_eq!(ran.code, 1, "{}", ran.printed);
        assert!(ran.printed.contains("HTTP 401"), "{}", ran.printed);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_gate_fails_only_a_job_that_asks_for_it() {
    let server = TestServer::start().await;
    let job = job();
    job.write(".coverage.toml", "[gate]\nfloor = 70\n");
    // Settings count from a current record of the main branch.
    Upload::of(
        Archive::new()
            .file("coverage.xml", super::job::python(&[(1, 1)]))
            .tar_gz(),
    )
    .with("language", "python")
    .after("settings", b"[gate]\nfloor = 70\n")
    .accepted(&server)
    .await;
    for shell in installed() {
        for (arguments, code) in [
            (&[][..], 0),
            (&["--fail-on", "gate"], 1),
            (&["--fail-on=all"], 1),
            (&["--fail-on=none"], 0),
        ] {
            let run = job.upload(&server).shell(shell);
            let ran = run
                .arguments(&["--branch=feature"])
                .arguments(arguments)
                .run();
            assert_eq!(ran.code, code, "{shell:?}: {}", ran.printed);
            assert!(
                ran.printed.contains("coverage: gate: failed\n"),
                "{}",
                ran.printed
            );
            assert!(ran.printed.contains("70 %"), "{}", ran.printed);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_option_or_address_fails_before_anything_is_sent() {
    let job = job();
    for shell in installed() {
        for (arguments, error) in [
            (&["--prat", "unit"][..], "error: unknown option --prat"),
            (&["--part"], "error: --part needs a value"),
            (
                &["--fail-on", "sometimes"],
                "error: --fail-on is mine, gate, all or none",
            ),
        ] {
            let run = job.upload_to("http://127.0.0.1:9").shell(shell);
            let ran = run.arguments(arguments).run();
            assert_eq!(ran.code, 1, "{}", ran.printed);
            assert!(ran.printed.contains(error), "{}", ran.printed);
        }
        for url in [
            "",
            "coverage.example.com",
            "http://a b",
            "http://a\"b",
            "file:///etc",
        ] {
            let ran = job.upload_to(url).shell(shell).with(&TOKEN_ONLY).run();
            assert_eq!(ran.code, 1, "{url}: {}", ran.printed);
            assert!(ran.printed.contains("COVERAGE_URL"), "{}", ran.printed);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_answer_is_written_to_the_summary_and_the_outputs_of_the_job() {
    let markdown = r###"{"coverage":{"id":1,"percentage":81.24,"commit_author":"\"x\" \\n \u001b é"},"data":[{"id":2,"percentage":1.0}],"summary":{"record":{"percentage":0},
        "url":"https://c.example/records/1","text":"81.24 % (−0.41)\n::x::","delta":-0.41,"markdown":"**81.24 %** \"a\\b\"\/c\n| x |\u001b|\n","gate":{"verdict":"passed","reasons":[]},
        "notices":["one \u0023# two","##vso[three]"]}}"###;
    for shell in installed() {
        let service = StandIn::start(&[(201, None, markdown)]).await;
        let job = job();
        let (summary, outputs) = (job.bin().join("summary"), job.bin().join("outputs"));
        let names = [summary.display().to_string(), outputs.display().to_string()];
        let variables = [
            ("GITHUB_STEP_SUMMARY", &names[0][..]),
            ("GITHUB_OUTPUT", &names[1]),
        ];
        let run = job.upload_to(&service.url).shell(shell).with(&TOKEN_ONLY);
        let ran = run.with(&variables).run();
        assert_eq!(ran.code, 0, "{shell:?}: {}", ran.printed);
        let written = std::fs::read_to_string(summary).unwrap();
        assert_eq!(
            written, "**81.24 %** \"a\\b\"/c\n| x |\\u001b|\n\n",
            "{shell:?}"
        );
        let written = std::fs::read_to_string(outputs).unwrap();
        let expected =
            "percentage=81.24\ndelta=-0.41\nverdict=passed\nurl=https://c.example/records/1\n";
        assert_eq!(written, expected, "{shell:?}");
        for line in [
            "coverage: 81.24 % (−0.41) ::x::",
            "coverage: gate: passed",
            "coverage: notice: #vso[three]",
            "coverage: written to the summary of the job",
        ] {
            assert!(
                ran.printed.lines().any(|printed| printed == line),
                "{line}: {}",
                ran.printed
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_with_several_languages_has_the_worst_verdict_and_each_once() {
    let answers = |verdicts: [&str; 3]| {
        verdicts.map(|verdict| {
            let body = format!(
                r#"{{"coverage":{{"id":1,"percentage":50.0}},"summary":{{"url":"http://c/records/1\n::x::","markdown":"**{verdict}**","gate":{{"verdict":"{verdict}","reasons":[],"skipped":["lost: there is no record"]}}}}}}"#
            );
            (201, None, &*body.leak())
        })
    };
    for (verdicts, worst) in [
        (["passed", "incomplete", "passed"], "passed"),
        (["passed", "incomplete", "unknown"], "unknown"),
        (["unknown", "passed", "incomplete"], "incomplete"),
        (["failed", "incomplete", "passed"], "failed"),
    ] {
        for shell in installed() {
            let service = StandIn::start(&answers(verdicts)).await;
            let job = job();
            // Two parts of the second language.
            job.write("a/lcov.info", "SF:a.ts\nDA:1,1\nend_of_record\n");
            job.write("b/lcov.info", "SF:b.ts\nDA:1,1\nend_of_record\n");
            let (summary, outputs) = (job.bin().join("summary"), job.bin().join("outputs"));
            let names = [summary.display().to_string(), outputs.display().to_string()];
            let variables = [
                ("GITHUB_STEP_SUMMARY", &names[0][..]),
                ("GITHUB_OUTPUT", &names[1]),
            ];
            let run = job.upload_to(&service.url).shell(shell).with(&TOKEN_ONLY);
            let ran = run.with(&variables).run();
            assert_eq!(ran.code, 0, "{shell:?}: {}", ran.printed);
            let skipped = "coverage:   skipped: lost: there is no record\n";
            assert_eq!(ran.printed.matches(skipped).count(), 3, "{}", ran.printed);
            let written = std::fs::read_to_string(summary).unwrap();
            let expected = format!("**{}**\n\n**{}**\n\n", verdicts[0], verdicts[2]);
            assert_eq!(written, expected, "{shell:?}");
            let written = std::fs::read_to_string(outputs).unwrap();
            assert_eq!(written.lines().count(), 8, "{written}");
            assert!(!written.contains("::x"), "{written}");
            let verdict = written.lines().rfind(|line| line.starts_with("verdict="));
            assert_eq!(verdict.unwrap(), format!("verdict={worst}"), "{shell:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_verdict_is_unknown_if_the_upload_of_a_language_failed() {
    const PASSED: &str =
        r#"{"coverage":{"id":1,"percentage":50.0},"summary":{"gate":{"verdict":"passed"}}}"#;
    let (passed, refused) = ((201, None, PASSED), (422, None, r#"{"detail":"no"}"#));
    for answers in [[passed, refused], [refused, passed]] {
        let service = StandIn::start(&answers).await;
        let job = job();
        job.write("web/lcov.info", "SF:a.ts\nDA:1,1\nend_of_record\n");
        let outputs = job.bin().join("outputs");
        let run = job.upload_to(&service.url).with(&TOKEN_ONLY);
        let ran = run
            .with(&[("GITHUB_OUTPUT", outputs.to_str().unwrap())])
            .run();
        assert_eq!(ran.code, 1, "{}", ran.printed);
        let written = std::fs::read_to_string(outputs).unwrap();
        let verdict = written.lines().rfind(|line| line.starts_with("verdict="));
        assert_eq!(verdict, Some("verdict=unknown"), "{written}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_summary_that_cannot_be_written_does_not_fail_the_job() {
    let server = TestServer::start().await;
    for shell in installed() {
        let run = job();
        let run = run.upload(&server).shell(shell);
        let ran = run
            .with(&[
                ("GITHUB_STEP_SUMMARY", "/nowhere/x"),
                ("GITHUB_OUTPUT", "/nowhere/y"),
            ])
            .run();
        assert_eq!(ran.code, 0, "{shell:?}: {}", ran.printed);
        assert_eq!(newest(&server).await["record"]["percentage"], 50.0);
    }
}
