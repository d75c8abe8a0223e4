//! Which coverage files and HTML reports a job uploads.

use super::{
    Job, installed,
    job::{in_shells, python},
    newest,
    stand_in::StandIn,
};
use crate::harness::{Reachable, TestServer};
use app::recipe::LANGUAGES;
use std::time::{Duration, SystemTime};

pub(super) const OK: (u16, Option<&str>, &str) =
    (201, None, r#"{"coverage":{"id":1,"percentage":50.0}}"#);
pub(super) const LCOV: &str = "SF:src/a.ts\nDA:1,1\nDA:2,0\nend_of_record\n";
const GO: &str = "mode: set\nexample.com/payments/fee.go:1.1,2.2 1 1\n";
const JACOCO: &str = "<?xml version=\"1.0\"?><report name=\"x\"><package name=\"p\"><sourcefile name=\"A.java\"><line nr=\"1\" mi=\"0\" ci=\"1\" mb=\"0\" cb=\"0\"/>\
    <counter type=\"LINE\" missed=\"0\" covered=\"1\"/></sourcefile></package><counter type=\"LINE\" missed=\"0\" covered=\"1\"/></report>";

pub(super) fn job() -> Job {
    Job::with_remote("git@git.example.com:acme/payments.git")
}

#[tokio::test(flavor = "multi_thread")]
async fn no_coverage_file_is_an_error_that_fails_the_job() {
    let server = TestServer::start().await;
    for shell in installed() {
        let job = job();
        // None of these is a coverage file of the repository.
        job.write("coverage.json", "{\"version\": 1}");
        job.write("node_modules/x/coverage/lcov.info", LCOV);
        job.write("vendor/coverage.out", GO);
        job.write("empty/coverage.xml", "");
        job.write("tests/coverage.xml", "<html></html>");
        let ran = job.upload(&server).shell(shell).run();
        assert_eq!(ran.code, 1, "{shell:?}: {}", ran.printed);
        let error = "error: no coverage file was found in";
        assert!(ran.printed.contains(error), "{shell:?}: {}", ran.printed);
        let run = job.upload(&server).shell(shell);
        let ran = run.arguments(&["--fail-on", "none"]).run();
        assert_eq!(ran.code, 0, "{shell:?}: {}", ran.printed);
    }
    assert!(server.records().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_several_formats_of_a_folder_is_taken_and_the_others_are_named() {
    let server = TestServer::start().await;
    for shell in installed() {
        let job = job();
        job.write("coverage/clover.xml", "<?xml version=\"1.0\"?><coverage generated=\"1\"><project><file name=\"a.ts\"/></project></coverage>");
        job.write("coverage/lcov.info", LCOV);
        job.write("coverage/lcov-report/index.html", "<p>istanbul");
        job.write(
            "coverage/cobertura-coverage.xml",
            &python(&[(1, 0)]).replace("fee.py", "a.ts"),
        );
        let ran = job.upload(&server).shell(shell).run();
        assert_eq!(ran.code, 0, "{shell:?}: {}", ran.printed);
        for line in [
            "typescript: coverage/lcov.info with coverage\n",
            "coverage/clover.xml is left out: coverage/lcov.info is in the same folder\n",
            "coverage/cobertura-coverage.xml is left out: coverage/lcov.info is in the same folder\n",
        ] {
            let line = line.replace("with coverage\n", "with coverage/lcov-report\n");
            assert!(ran.printed.contains(&line), "{line}: {}", ran.printed);
        }
        assert_eq!(newest(&server).await["record"]["percentage"], 50.0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_one_language_are_parts_by_folder_of_others_their_own_uploads() {
    let server = TestServer::start().await;
    for shell in installed() {
        let job = job();
        job.write("web/Admin UI/coverage/lcov.info", LCOV);
        job.write("web/shop/coverage/lcov.info", &LCOV.replace("a.ts", "b.ts"));
        job.write("cover.out", GO);
        job.write("api/target/site/jacoco/jacoco.xml", JACOCO);
        job.write("coverage.xml", &python(&[(1, 1)]));
        let ran = job.upload(&server).shell(shell).run();
        assert_eq!(ran.code, 0, "{shell:?}: {}", ran.printed);
        let mut records = server.current_records().await;
        records.sort_by_key(|record| record["language"].to_string());
        let head = job.head();
        records.retain(|record| record["commit_hash"] == *head);
        let languages: Vec<_> = records
            .iter()
            .map(|record| record["language"].clone())
            .collect();
        assert_eq!(languages, ["go", "java", "python", "typescript"]);
        let path = format!("/coverages-api/records/{}", records[3]["id"]);
        let parts = &server.get_json(&path).await["parts"];
        let names = ["web-admin-ui-coverage", "web-shop-coverage"];
        assert_eq!(parts["arrived"], serde_json::json!(names));
        assert_eq!(parts["expected"], serde_json::json!(names));
        assert_eq!(parts["complete"], true);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_several_runs_of_dotnet_the_newest_file_is_taken() {
    let server = TestServer::start().await;
    let job = job();
    let cs = |hits: u32| python(&[(1, hits)]).replace("fee.py", "Fee.cs");
    job.write("tests/A/TestResults/0f-1/coverage.cobertura.xml", &cs(0));
    job.write("tests/A/TestResults/a7-2/coverage.cobertura.xml", &cs(1));
    job.write("tests/B/TestResults/c3-3/coverage.cobertura.xml", &cs(1));
    let old = job
        .root()
        .join("tests/A/TestResults/0f-1/coverage.cobertura.xml");
    let file = std::fs::File::options().write(true).open(old).unwrap();
    #[expect(clippy::disallowed_methods, reason = "the time of a file")]
    file.set_modified(SystemTime::now() - Duration::from_secs(60))
        .unwrap();
    let ran = job.upload(&server).run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
    let summary = newest(&server).await;
    assert_eq!(summary["record"]["language"], "c#");
    assert_eq!(summary["record"]["percentage"], 100.0);
    assert_eq!(
        summary["parts"]["arrived"],
        serde_json::json!(["tests-a", "tests-b"])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_older_than_the_checkout_is_a_warning() {
    let server = TestServer::start().await;
    for shell in installed() {
        let job = job();
        job.write_coverage(&[(1, 1)]);
        let ran = job.upload(&server).shell(shell).run();
        assert!(!ran.printed.contains("older"), "{}", ran.printed);
        let file = std::fs::File::options()
            .write(true)
            .open(job.root().join("coverage.xml"))
            .unwrap();
        #[expect(clippy::disallowed_methods, reason = "the time of a file")]
        file.set_modified(SystemTime::now() - Duration::from_secs(3_600))
            .unwrap();
        let ran = job.upload(&server).shell(shell).run();
        assert_eq!(ran.code, 0, "{}", ran.printed);
        let warning = "warning: coverage.xml is older than the checkout";
        assert!(ran.printed.contains(warning), "{shell:?}: {}", ran.printed);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn named_files_are_uploaded_wherever_they_are() {
    let server = TestServer::start().await;
    for shell in installed() {
        let job = job();
        let odd = job.bin().join("-odd name's.txt");
        std::fs::write(&odd, python(&[(1, 1), (2, 0)])).unwrap();
        job.write("also here/x", LCOV);
        let odd = odd.display().to_string();
        let run = job.upload(&server).shell(shell);
        let ran = run
            .arguments(&[&odd, "--part", "unit", "also here/x"])
            .run();
        assert_eq!(ran.code, 0, "{shell:?}: {}", ran.printed);
        let records = server.current_records().await;
        let languages = records
            .iter()
            .map(|record| record["language"].as_str().unwrap());
        let mut languages: Vec<_> = languages.collect();
        languages.sort_unstable();
        assert_eq!(languages, ["python", "typescript"]);
        let run = job.upload(&server).shell(shell);
        let ran = run.arguments(&["missing.xml"]).run();
        assert_eq!(ran.code, 1);
        assert!(
            ran.printed.contains("error: missing.xml is not a file"),
            "{}",
            ran.printed
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_without_known_names_needs_the_option_language() {
    let server = TestServer::start().await;
    let job = job();
    job.write(
        "coverage.xml",
        &python(&[(1, 1)]).replace("fee.py", "fee.zig"),
    );
    let ran = job.upload(&server).run();
    assert_eq!(ran.code, 1);
    assert!(ran.printed.contains("add --language"), "{}", ran.printed);
    let ran = job.upload(&server).arguments(&["--language", "zig"]).run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
    assert_eq!(newest(&server).await["record"]["language"], "zig");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_in_an_html_report_is_left_out() {
    let server = TestServer::start().await;
    let job = job();
    job.write_coverage(&[(1, 1)]);
    std::os::unix::fs::symlink("/etc/hosts", job.root().join("htmlcov/hosts")).unwrap();
    let ran = job.upload(&server).run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_option_finish_closes_the_commit_with_and_without_a_file() {
    for shell in installed() {
        let (server, job) = (TestServer::start().await, job());
        job.write_coverage(&[(1, 1)]);
        let run = job.upload(&server).shell(shell);
        let ran = run
            .arguments(&["--part", "unit", "--parts", "unit,e2e"])
            .run();
        assert!(ran.printed.contains("waiting for e2e"), "{}", ran.printed);
        std::fs::remove_file(job.root().join("coverage.xml")).unwrap();
        let ran = job
            .upload(&server)
            .shell(shell)
            .arguments(&["--finish"])
            .run();
        assert_eq!(ran.code, 1, "the language is missing: {}", ran.printed);
        let run = job.upload(&server).shell(shell);
        let ran = run.arguments(&["--finish", "--language", "python"]).run();
        assert_eq!(ran.code, 0, "{shell:?}: {}", ran.printed);
        assert_eq!(newest(&server).await["parts"]["complete"], true);
    }
}

/// The parts of a dry run, as the log names them.
fn parts(job: &Job, shell: super::job::Shell) -> Vec<String> {
    let run = job.upload_to("http://127.0.0.1:9").shell(shell);
    let ran = run.arguments(&["--dry-run"]).run();
    assert_eq!(ran.code, 0, "{shell:?}: {}", ran.printed);
    let lines = ran.printed.lines();
    let parts = lines.filter_map(|line| line.split_once(", part "));
    parts.map(|(_, part)| part.to_owned()).collect()
}

#[test]
fn folders_that_change_from_run_to_run_are_no_part_of_a_name() {
    let cs = |name: &str| python(&[(1, 1)]).replace("src/fee.py", name);
    let folders = [
        (
            "0f8fad5b-d9cb-469f-a165-70867728950e",
            "7C9E6679-7425-40DE-944B-E07FC1F90AE7",
        ),
        ("4b825dc642cb", "run-9f86d081884c"),
        ("2026-11-27_01-50-12", "kim_host_2026-11-27_02_50_12"),
        ("20261127T015012", "1732672212"),
    ];
    for (shell, (first, second)) in in_shells(&folders) {
        // The order of the folders does not matter.
        for (of_a, of_b) in [(first, second), (second, first)] {
            let job = job();
            let file = |folder: &str| format!("coverage/{folder}/coverage.cobertura.xml");
            job.write(&file(of_a), &cs("A/A.cs"));
            job.write(&file(of_b), &cs("B/B.cs"));
            let expected = [
                format!("coverage: {}", file(of_a)),
                format!("coverage-2: {}", file(of_b)),
            ];
            assert_eq!(parts(&job, shell), expected, "{shell:?}");
        }
    }
}

#[test]
fn files_of_one_folder_are_parts_unless_they_are_of_one_run() {
    for shell in installed() {
        let job = job();
        job.write("reports/unit.lcov", LCOV);
        job.write(
            "reports/unit.cobertura.xml",
            &python(&[(1, 1)]).replace("fee.py", "a.ts"),
        );
        job.write("reports/e2e.lcov", LCOV);
        job.write("reports/run-20261127015012.lcov", LCOV);
        job.write("web/lcov.info", LCOV);
        job.write("web/clover.xml", "<?xml version=\"1.0\"?><coverage generated=\"1\"><project><file name=\"a.ts\"/></project></coverage>");
        let expected = [
            "reports: reports/run-20261127015012.lcov",
            "reports-e2e: reports/e2e.lcov",
            "reports-unit: reports/unit.lcov",
            "web: web/lcov.info",
        ];
        assert_eq!(parts(&job, shell), expected, "{shell:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_uploaded_however_their_text_is_encoded() {
    let crlf = LCOV.replace('\n', "\r\n");
    let utf16: Vec<u8> = format!("\u{feff}{LCOV}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let xml = JACOCO.replace("A.java", "A.kt");
    let xml: Vec<u8> = format!("\u{feff}{xml}")
        .encode_utf16()
        .flat_map(u16::to_be_bytes)
        .collect();
    let marked = format!("\u{feff}{}", crlf.replace("src/a.ts", r"C:\work\src\a.ts"));
    for shell in installed() {
        for (path, bytes, language) in [
            ("lcov.info", crlf.as_bytes(), "typescript"),
            ("lcov.info", marked.as_bytes(), "typescript"),
            ("lcov.info", &utf16, "typescript"),
            (
                "app/build/reports/coverage/androidTest/debug/report.xml",
                &xml,
                "kotlin",
            ),
        ] {
            let service = StandIn::start(&[OK]).await;
            let job = job();
            job.write(path, "");
            std::fs::write(job.root().join(path), bytes).unwrap();
            let run = job.upload_to(&service.url).shell(shell);
            let ran = run.with(&[("COVERAGE_TOKEN", "t0ken")]).run();
            assert_eq!(ran.code, 0, "{shell:?}, {path}: {}", ran.printed);
            let arrived = &service.arrived()[0];
            assert_eq!(arrived.parameter("language").unwrap(), language);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_settings_of_the_repository_are_sent() {
    let server = TestServer::start().await;
    let job = job();
    job.write(".coverage.toml", "parts = [\"unit\", \"e2e\"]\n");
    job.write_coverage(&[(1, 1)]);
    let ran = job.upload(&server).arguments(&["--part", "unit"]).run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
    assert!(ran.printed.contains("waiting for e2e"), "{}", ran.printed);
}

/// The names that the setup page recommends, except those that need a folder or an archive of several projects.
#[tokio::test(flavor = "multi_thread")]
async fn the_files_of_every_tool_on_the_setup_page_are_found() {
    let server = TestServer::start().await;
    for language in LANGUAGES.iter() {
        for tool in &language.tools {
            let job = job();
            let path = match tool.report.as_str() {
                "cobertura.xml" => "target/scala-3/coverage-report/cobertura.xml",
                path => path,
            };
            job.write(path, &python(&[(1, 1)]));
            let html = match tool.packed.split(' ').next().unwrap() {
                path if path.ends_with(".html") => path.to_owned(),
                "coverage.json" | "target/scala-*/scoverage-report" => String::new(),
                "build/reports/jacoco/test" | "build/reports/kover" => {
                    format!("{}/html/index.html", tool.packed)
                }
                path => format!("{path}/index.html"),
            };
            if !html.is_empty() && html != path {
                job.write(&html, "<p>");
            }
            let run = job
                .upload(&server)
                .arguments(&["--dry-run", "--language", &language.key]);
            let ran = run.run();
            let name = &tool.name;
            assert_eq!(ran.code, 0, "{name}: {}", ran.printed);
            assert!(ran.printed.contains(path), "{name}: {}", ran.printed);
            let has_html = ran.printed.contains(" with ");
            // PHPUnit and Dart write their HTML report into another folder.
            let is_elsewhere =
                html.is_empty() || path.starts_with("coverage/") && html.starts_with("htmlcov");
            assert!(has_html || is_elsewhere, "{name}: {}", ran.printed);
        }
    }
}
