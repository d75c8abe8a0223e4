//! `coverage-dashboard check`.

use super::{Ran, asks, measured, run};
use crate::{
    clients::uploader::Job,
    harness::{Reachable, TestServer},
};
use std::fs;

/// A repository like a fork: the branch `fix` adds a line that does not run, and the remote cannot be reached.
fn fork(rules: &str) -> Job {
    let job = Job::with_remote("git@git.example.com:acme/payments.git");
    job.write("coverage-dashboard.toml", rules);
    job.commit("rules");
    job.has_cloned_main();
    job.git(&["checkout", "-q", "-b", "fix"]);
    job.write("src/fee.py", "one\ntwo\nthree\nfour\n");
    job.commit("three, four");
    job.write_coverage(&[(1, 1), (2, 1), (3, 1), (4, 0)]);
    job
}

/// Runs the command without any service, with these variables.
fn check(job: &Job, arguments: &[&str], variables: &[(&str, &str)]) -> Ran {
    run(job, &[&["check"], arguments].concat(), variables)
}

#[test]
fn a_fork_gets_its_verdict_without_a_secret() {
    let job = fork("[gate]\nchanged = 80\nchanged_min = 1\nfloor = 70\n");
    let failed = check(&job, &[], &[]);
    assert_eq!(
        failed.out.lines().collect::<Vec<_>>(),
        [
            "coverage: 75.00 %, 1 of 2 changed lines, lost: unknown",
            "coverage: gate: failed",
            "coverage:   1 of 2 changed lines are covered, 80 % needs 2: src/fee.py 4",
        ]
    );
    assert_eq!((failed.code, failed.notes.as_str()), (1, ""));
    job.write_coverage(&[(1, 1), (2, 1), (3, 1), (4, 1)]);
    let passed = check(&job, &["coverage.xml"], &[]);
    assert_eq!(passed.code, 0, "{}", passed.out);
    assert!(passed.out.contains("gate: passed"), "{}", passed.out);
    job.write_coverage(&[(1, 0), (2, 0), (3, 1), (4, 1)]);
    let below = check(&job, &[], &[]);
    assert_eq!(below.code, 1);
    assert!(
        below.out.contains("2 of 4 lines are covered, 70 % needs 3"),
        "{}",
        below.out
    );
}

#[test]
fn files_that_the_settings_ignore_are_not_judged() {
    let job = fork("ignore = [\"gen/**\"]\n[gate]\nchanged = 80\nchanged_min = 1\nfloor = 90\n");
    job.write("gen/fee.py", "one\n");
    job.write("gen/tax.py", "one\n");
    job.commit("gen");
    let lines = |lines: &[u32], ran: u8| -> String {
        lines
            .iter()
            .map(|line| format!("DA:{line},{ran}\n"))
            .collect()
    };
    let (own, generated) = (lines(&[1, 2, 3, 4], 1), lines(&[1], 0));
    let coverage =
        format!("SF:src/fee.py\n{own}end_of_record\nSF:gen/fee.py\n{generated}end_of_record\n");
    job.write("coverage.info", &coverage);
    let passed = check(&job, &["coverage.info"], &[]);
    let expected = "coverage: 100.00 %, 2 of 2 changed lines, lost: unknown\n";
    assert!(passed.out.starts_with(expected), "{}", passed.out);
    assert!(!passed.out.contains("gen/"), "{}", passed.out);
    assert_eq!(passed.code, 0, "{}", passed.notes);
}

#[test]
fn a_job_of_github_gets_annotations_and_a_summary() {
    let job = fork("[gate]\nchanged = 80\nchanged_min = 1\n");
    let head = job.head();
    job.git(&["checkout", "-q", "--detach", "main"]);
    job.git(&["merge", "-q", "--no-ff", "-m", "merge", &head]);
    // Without the remote's branch, only the merge names the base.
    job.git(&["update-ref", "-d", "refs/remotes/origin/main"]);
    let summary = job.root().join(".git/summary");
    let variables = [
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_REF", "refs/pull/7/merge"),
        ("GITHUB_BASE_REF", "main"),
        ("GITHUB_STEP_SUMMARY", summary.to_str().unwrap()),
    ];
    let ran = check(&job, &[], &variables);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.notes);
    let annotation =
        "::warning file=src/fee.py,line=4,endLine=4,title=Coverage::Changed line 4 did not run\n";
    assert!(ran.out.ends_with(annotation), "{}", ran.out);
    let written = fs::read_to_string(&summary).unwrap();
    for text in [
        "**Coverage 75.00 %** · changed lines **1 of 2** · lost: unknown\n",
        "❌ **Gate failed**: 1 of 2 changed lines are covered, 80 % needs 2: `src/fee.py` 4\n",
        "1 changed line is not covered: `src/fee.py` 4\n",
        "| `src/fee.py` | 1 of 2 | unknown |",
        "<sub>base ",
    ] {
        assert!(written.contains(text), "{text}: {written}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_service_may_be_read_lost_lines_and_the_change_count_too() {
    let server = TestServer::start().await;
    let job = Job::with_remote("git@git.example.com:acme/payments.git");
    job.write("coverage-dashboard.toml", "[gate]\nlost = 0\n");
    job.write("src/fee.py", "one\ntwo\nthree\n");
    job.commit("rules");
    job.write_coverage(&[(1, 1), (2, 1), (3, 0)]);
    assert_eq!(job.upload(&server).run().code, 0);
    job.has_cloned_main();
    job.git(&["checkout", "-q", "-b", "fix"]);
    job.write("src/fee.py", "zero\none\ntwo\nthree\n");
    job.commit("zero");
    job.write_coverage(&[(1, 1), (2, 1), (3, 0), (4, 0)]);
    let ran = asks(&job, &server, &["check"]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.notes);
    for text in [
        "50.00 % (−16.67)",
        "1 unchanged line is no longer run, 0 are allowed: src/fee.py 3",
    ] {
        assert!(ran.out.contains(text), "{text}: {}", ran.out);
    }
    // Without the service, the only rule is skipped, so the result is unknown.
    let alone = check(&job, &[], &[]);
    assert_eq!(alone.code, 2, "{}", alone.out);
    assert!(alone.out.contains("gate: unknown"), "{}", alone.out);
    assert!(alone.out.contains("coverage:   lost: "), "{}", alone.out);
    let gone = check(&job, &[], &[("COVERAGE_URL", "http://127.0.0.1:9")]);
    assert_eq!(gone.code, 2, "{}", gone.out);
    assert!(
        gone.out.contains("lost lines are not known"),
        "{}",
        gone.out
    );
    // A fork on GitLab uses the records of the target.
    let fork = "git@git.example.com:kim/payments.git";
    job.git(&["remote", "set-url", "origin", fork]);
    let url = server.url("");
    let target = ("CI_MERGE_REQUEST_PROJECT_PATH", "acme/payments");
    let of_fork = check(&job, &[], &[("COVERAGE_URL", &url)]);
    assert!(of_fork.out.contains("kim/payments"), "{}", of_fork.out);
    let of_target = check(&job, &[], &[("COVERAGE_URL", &url), target]);
    assert!(of_target.out.contains("(−16.67)"), "{}", of_target.out);
}

#[test]
fn the_first_settings_file_counts_and_the_notice_names_the_others() {
    let job = fork("[gate]\nfloor = 100\n");
    job.write(".config/coverage-dashboard.toml", "[gate]\nfloor = 1\n");
    job.write(".coverage.toml", "[gate]\nfloor = 2\n");
    let all = check(&job, &[], &[]);
    assert_eq!(all.code, 1, "{}", all.out);
    let notice = "coverage-dashboard.toml counts; .config/coverage-dashboard.toml or .coverage.toml does not.";
    assert!(all.out.contains(notice), "{}", all.out);
    assert!(!all.out.contains("pytest-cov"), "{}", all.out);

    job.git(&["rm", "-q", "-f", "coverage-dashboard.toml"]);
    let second = check(&job, &[], &[]);
    assert_eq!(second.code, 0, "{}", second.out);
    let notice = ".config/coverage-dashboard.toml counts; .coverage.toml does not.";
    assert!(second.out.contains(notice), "{}", second.out);

    fs::remove_file(job.root().join(".config/coverage-dashboard.toml")).unwrap();
    job.git(&["add", ".coverage.toml"]);
    job.commit("rules");
    let former = check(&job, &[], &[]);
    assert_eq!(former.code, 0, "{}", former.out);
    let notice = "Rename .coverage.toml to coverage-dashboard.toml: pytest-cov, and `coverage erase` in parallel mode, delete files";
    assert!(former.out.contains(notice), "{}", former.out);

    fs::remove_file(job.root().join(".coverage.toml")).unwrap();
    let deleted = check(&job, &[], &[]);
    let notice = ".coverage.toml is no longer in the working tree: the committed file is used.";
    assert!(deleted.out.contains(notice), "{}", deleted.out);
    assert!(deleted.out.contains("gate: passed"), "{}", deleted.out);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_language_is_judged_for_itself_as_the_service_does() {
    let server = TestServer::start().await;
    let job = fork("[gate]\nfloor = 70\n");
    let lcov = "SF:src/tax.rs\nDA:1,1\nDA:2,0\nend_of_record\n";
    job.write("src/tax.rs", "one\ntwo\n");
    job.write("lcov.info", lcov);
    let ran = check(&job, &[], &[]);
    assert_eq!(
        ran.out.lines().collect::<Vec<_>>(),
        [
            "coverage: python: 75.00 %, 1 of 2 changed lines, lost: unknown",
            "coverage: python: gate: passed",
            "coverage: rust: 50.00 %, no coverable lines changed, lost: unknown",
            "coverage: rust: gate: failed",
            "coverage:   1 of 2 lines are covered, 70 % needs 2",
        ]
    );
    assert_eq!(ran.code, 1, "{}", ran.notes);
    // The uploader makes the same two records of the same files.
    let uploaded = job.upload(&server).run();
    for text in ["50.00 %", "75.00 %"] {
        assert!(uploaded.printed.contains(text), "{}", uploaded.printed);
    }
    let one = check(&job, &["--language=python", "coverage.xml"], &[]);
    assert!(one.out.starts_with("coverage: 75.00 %"), "{}", one.out);
    assert_eq!(one.code, 0, "{}", one.out);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_result_exits_with_2() {
    let job = fork("[gate]\nchanged = 80\n");
    let of = |arguments: &[&str]| {
        let ran = check(&job, arguments, &[]);
        (ran.code, ran.out + &ran.notes)
    };
    let (code, text) = of(&["--base=0123456789abcdef0123456789abcdef01234567"]);
    assert!(
        code == 2 && text.contains("cannot be fetched") && text.contains("gate: unknown"),
        "{text}"
    );
    let (code, text) = of(&["--target=gone"]);
    assert!(
        code == 2 && text.contains("left its target") && text.contains("gate: unknown"),
        "{text}"
    );
    let (code, text) = of(&["none.xml"]);
    assert!(
        code == 2 && text.contains("none.xml cannot be judged"),
        "{text}"
    );
    let of_another = "<coverage><packages><package><classes><class filename=\"/other/src/far.py\"><lines><line number=\"1\" hits=\"1\"/></lines></class></classes></package></packages></coverage>";
    job.write("other.xml", of_another);
    let (code, text) = of(&["other.xml"]);
    assert!(
        code == 2
            && text.contains("no measured file is in this repository")
            && text.contains("gate: unknown"),
        "{text}"
    );
    job.write("notes.xml", "<notes/>");
    let (code, text) = of(&["notes.xml"]);
    assert!(
        code == 2 && text.contains("notes.xml cannot be judged"),
        "{text}"
    );
    fs::remove_file(job.root().join("coverage.xml")).unwrap();
    let (code, text) = of(&[]);
    assert!(
        code == 2 && text.contains("no coverage file was found in"),
        "{text}"
    );
    job.write_coverage(&[(1, 1)]);
    job.write("coverage-dashboard.toml", "[gate]\nchanged = 800\n");
    let (code, text) = of(&[]);
    assert!(
        code == 2 && text.contains("coverage-dashboard.toml: line 2"),
        "{text}"
    );
    let elsewhere = Job::without_git();
    let ran = check(&elsewhere, &[], &[]);
    assert!(
        ran.code == 2 && ran.notes.contains("git does not answer"),
        "{}",
        ran.notes
    );
    // No rule, and no other commit: nothing can fail.
    let server = TestServer::start().await;
    let plain = measured(&server).await;
    let ran = asks(&plain, &server, &["check"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.notes);
    assert!(ran.out.contains("no rule is set"), "{}", ran.out);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_verdict_is_that_of_the_service() {
    let server = TestServer::start().await;
    let rules = "[gate]\nchanged = 60\nchanged_min = 1\nfloor = 80\n[gate.paths.\"src/**\"]\nchanged = 10\n\
                 [views]\nfees = [\"**/fee.py\"]\nrest = [\"lib/**\"]\n\
                 [gate.views.\"view:fees\"]\nchanged = 70\n[gate.views.\"view:rest\"]\nfloor = 100\n\
                 [gate.views.\"owner:@ACME/core\"]\nfloor = 90\n[gate.views.\"owner:@acme/other\"]\nlost = 0\n\
                 [gate.views.\"folder:src\"]\nfloor = 95\n";
    let job = fork(rules);
    // For an uploader that reads only the former name.
    job.write(".coverage.toml", rules);
    // The service takes rules and views from the main branch only.
    job.git(&["checkout", "-q", "main"]);
    job.write(
        ".github/CODEOWNERS",
        "/src/ @acme/core\n[a-c] @acme/other\n",
    );
    job.write("CODEOWNERS", "* @acme/other\n");
    job.write_coverage(&[(1, 1), (2, 1)]);
    assert_eq!(job.upload(&server).run().code, 0);
    job.git(&["checkout", "-q", "fix"]);
    job.write_coverage(&[(1, 1), (2, 1), (3, 1), (4, 0)]);
    let variables = [
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_REPOSITORY", "acme/payments"),
        ("GITHUB_REF", "refs/pull/7/head"),
        ("GITHUB_HEAD_REF", "fix"),
        ("GITHUB_BASE_REF", "main"),
    ];
    let uploaded = job.upload(&server).with(&variables).run();
    let here = check(&job, &[], &[]);
    let reasons = |printed: &str| -> Vec<String> {
        let lines = printed
            .lines()
            .filter(|line| line.starts_with("coverage:   "));
        lines
            .map(|line| line.replace("skipped: ", "skipped "))
            .collect()
    };
    assert_eq!(
        reasons(&here.out),
        reasons(&uploaded.printed),
        "{}",
        uploaded.printed
    );
    assert_eq!(
        reasons(&here.out),
        [
            "1 of 2 changed lines are covered, 60 % needs 2: src/fee.py 4",
            "3 of 4 lines are covered, 80 % needs 4",
            "folder:src: 3 of 4 lines are covered, 95 % needs 4",
            "owner:@ACME/core: 3 of 4 lines are covered, 90 % needs 4",
            "view:fees: 1 of 2 changed lines are covered, 70 % needs 2: src/fee.py 4",
            "skipped owner:@acme/other: the main branch defines no such view, or its lines are not known",
        ]
        .map(|line| format!("coverage:   {line}")),
        "{}",
        here.out
    );
    let notice = "Line 2 of CODEOWNERS is ignored";
    assert!(here.out.contains(notice), "{}", here.out);
}
