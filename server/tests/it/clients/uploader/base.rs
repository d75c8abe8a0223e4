//! The commit that the changes of a pull request start from: merges of CI systems, shallow clones, and jobs without git.

use super::{Job, installed, job::in_shells, newest};
use crate::harness::{ForgeStandIn, GOOD, Kind, Reachable, TestServer};
use serde_json::json;

/// A repository on a forge: `feature` adds a line to a file whose beginning `main` has changed since.
struct Origin {
    job: Job,
    fork_point: String,
    main: String,
    feature: String,
    /// The merge of `feature` into `main`, which GitHub makes.
    merge: String,
}

fn origin() -> Origin {
    let job = Job::new();
    let fork_point = job.head();
    job.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    job.git(&["checkout", "-q", "-b", "feature"]);
    job.write("src/fee.py", "one\ntwo\nthree\n");
    let feature = job.commit("three");
    job.git(&["checkout", "-q", "main"]);
    job.write("src/fee.py", "a\nb\nc\none\ntwo\n");
    let main = job.commit("a, b, c");
    job.git(&["checkout", "-q", "--detach", "main"]);
    job.git(&["merge", "-q", "--no-ff", "-m", "merge", "feature"]);
    let merge = job.head();
    job.git(&["update-ref", "refs/pull/7/merge", &merge]);
    job.git(&["checkout", "-q", "main"]);
    Origin {
        job,
        fork_point,
        main,
        feature,
        merge,
    }
}

/// The event of GitHub.
fn event(origin: &Origin, head_repository: &str) -> String {
    json!({
        "action": "opened", "number": 7,
        "pull_request": {
            "number": 7, "title": "\"base\":{\"sha\":\"f00\"}\\ ] } {",
            "head": {"sha": origin.feature, "ref": "feature", "repo": {"full_name": head_repository}},
            "base": {"sha": origin.fork_point, "ref": "main", "repo": {"full_name": "acme/payments"}},
        },
    })
    .to_string()
}

/// A job of GitHub Actions for the pull request, in a shallow clone as `actions/checkout` makes it.
fn github_job(origin: &Origin, checked_out: &str, depth: Option<&str>) -> Job {
    let job = Job::without_git();
    job.git(&["init", "-q"]);
    let address = format!("file://{}", origin.job.root().display());
    job.git(&["remote", "add", "origin", &address]);
    let mut fetch = vec!["fetch", "-q"];
    fetch.extend(depth);
    fetch.extend(["origin", checked_out]);
    job.git(&fetch);
    job.git(&["checkout", "-q", "--detach", "FETCH_HEAD"]);
    job
}

fn variables<'a>(sha: &'a str, event: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_REPOSITORY", "acme/payments"),
        ("GITHUB_SHA", sha),
        ("GITHUB_REF", "refs/pull/7/merge"),
        ("GITHUB_REF_NAME", "7/merge"),
        ("GITHUB_HEAD_REF", "feature"),
        ("GITHUB_BASE_REF", "main"),
        ("GITHUB_EVENT_PATH", event),
    ]
}

const MERGED: [(u32, u32); 6] = [(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 0)];

#[tokio::test(flavor = "multi_thread")]
async fn the_merge_that_github_makes_is_compared_with_its_first_parent() {
    let server = TestServer::start().await;
    let origin = origin();
    let depths = [Some("--depth=1"), None];
    let jobs = depths.map(|depth| [true, false].map(|has_event| (depth, has_event)));
    for (shell, (depth, has_event)) in in_shells(jobs.as_flattened()) {
        let job = github_job(&origin, "refs/pull/7/merge", depth);
        job.write_coverage(&MERGED);
        let file = job.bin().join("event.json");
        if has_event {
            std::fs::write(&file, event(&origin, "acme/payments")).unwrap();
        }
        let file = file.display().to_string();
        let run = job.upload(&server).shell(shell);
        let ran = run.with(&variables(&origin.merge, &file)).run();
        assert_eq!(ran.code, 0, "{shell:?}: {}", ran.printed);
        let summary = newest(&server).await;
        assert_eq!(summary["record"]["commit_hash"], *origin.feature);
        assert_eq!(summary["pull_request"], "7");
        // Only the line that the pull request adds, at its place in the merge.
        let changed = &summary["changed_lines"];
        assert_eq!(changed["coverable"], 1, "{shell:?} {depth:?}");
        assert_eq!(changed["covered"], 0, "{shell:?} {depth:?}");
        let printed = ran.printed;
        assert!(printed.contains("0 of 1 changed line"), "{printed}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_checkout_of_the_head_is_compared_with_where_it_left_the_target() {
    let server = TestServer::start().await;
    let origin = origin();
    let job = github_job(&origin, "feature", None);
    job.write_coverage(&[(1, 1), (2, 1), (3, 0)]);
    let file = job.bin().join("event.json");
    std::fs::write(&file, event(&origin, "acme/payments")).unwrap();
    let file = file.display().to_string();
    let run = job.upload(&server).with(&variables(&origin.merge, &file));
    let ran = run.arguments(&["--dry-run"]).run();
    let base = format!(" base_commit={} ", origin.fork_point);
    assert!(ran.printed.contains(&base), "{}", ran.printed);
    let run = job.upload(&server).with(&variables(&origin.merge, &file));
    assert_eq!(run.run().code, 0);
    let summary = newest(&server).await;
    assert_eq!(summary["record"]["commit_hash"], *origin.feature);
    assert_eq!(summary["changed_lines"]["coverable"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shallow_clone_of_the_head_says_why_it_has_no_changed_lines() {
    let server = TestServer::start().await;
    let origin = origin();
    let job = github_job(&origin, "feature", Some("--depth=1"));
    job.write_coverage(&[(1, 1), (2, 1), (3, 0)]);
    let run = job.upload(&server).with(&variables(&origin.merge, ""));
    let ran = run.run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
    let notice =
        "notice: the changed lines are unknown: git cannot find where the branch left main";
    assert!(ran.printed.contains(notice), "{}", ran.printed);
    let summary = newest(&server).await;
    assert!(summary["changed_lines"].is_null());
    assert_eq!(summary["pull_request"], "7");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_base_that_the_remote_does_not_give_is_a_notice() {
    let server = TestServer::start().await;
    let origin = origin();
    let job = github_job(&origin, "refs/pull/7/merge", Some("--depth=1"));
    job.write_coverage(&MERGED);
    job.git(&["remote", "set-url", "origin", "file:///nowhere"]);
    let run = job.upload(&server).with(&variables(&origin.merge, ""));
    let ran = run.run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
    let notice = "notice: the changed lines are unknown: the base commit cannot be fetched";
    assert!(ran.printed.contains(notice), "{}", ran.printed);
}

#[tokio::test(flavor = "multi_thread")]
async fn gitlab_names_the_base_and_a_shallow_clone_fetches_it() {
    let server = TestServer::start().await;
    let origin = origin();
    let gitlab = |sha, source| {
        vec![
            ("GITLAB_CI", "true"),
            ("CI_PROJECT_PATH", "acme/payments"),
            ("CI_COMMIT_SHA", sha),
            ("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA", source),
            ("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "feature"),
            ("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main"),
            ("CI_MERGE_REQUEST_IID", "7"),
        ]
    };
    let job = github_job(&origin, "feature", Some("--depth=1"));
    job.write_coverage(&[(1, 1), (2, 1), (3, 1)]);
    let mut of_branch = gitlab(&origin.feature, "");
    of_branch.push(("CI_MERGE_REQUEST_DIFF_BASE_SHA", &origin.fork_point));
    let ran = job.upload(&server).with(&of_branch).run();
    assert!(
        ran.printed.contains("1 of 1 changed line"),
        "{}",
        ran.printed
    );
    // A pipeline for merged results checks out a merge with the target.
    let job = github_job(&origin, "refs/pull/7/merge", Some("--depth=1"));
    job.write_coverage(&MERGED);
    let mut of_merge = gitlab(&origin.merge, &origin.feature);
    of_merge.push(("CI_MERGE_REQUEST_DIFF_BASE_SHA", &origin.fork_point));
    let run = job.upload(&server).with(&of_merge);
    let ran = run.arguments(&["--dry-run"]).run();
    let base = format!(" base_commit={} ", origin.main);
    assert!(ran.printed.contains(&base), "{}", ran.printed);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_merge_of_the_target_into_the_branch_is_compared_with_the_target() {
    let server = TestServer::start().await;
    let origin = origin();
    // As Bitbucket does: the target is merged into the branch.
    let job = Job::clone_of(&origin.job, &["-b", "feature"]);
    job.git(&["merge", "-q", "--no-ff", "-m", "merge", "origin/main"]);
    job.write_coverage(&MERGED);
    let ran = job
        .upload(&server)
        .with(&[
            ("BITBUCKET_BUILD_NUMBER", "1"),
            ("BITBUCKET_REPO_FULL_NAME", "acme/payments"),
            ("BITBUCKET_COMMIT", &origin.feature),
            ("BITBUCKET_BRANCH", "feature"),
            ("BITBUCKET_PR_ID", "7"),
            ("BITBUCKET_PR_DESTINATION_BRANCH", "main"),
        ])
        .run();
    assert!(
        ran.printed.contains("0 of 1 changed line"),
        "{}",
        ran.printed
    );
}

fn jenkins(commit: &str) -> [(&str, &str); 6] {
    [
        ("JENKINS_URL", "https://jenkins.example.com/"),
        ("GIT_URL", "git@git.example.com:acme/payments.git"),
        ("GIT_COMMIT", commit),
        ("CHANGE_BRANCH", "feature"),
        ("CHANGE_ID", "7"),
        ("CHANGE_TARGET", "main"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_merge_that_jenkins_makes_is_told_from_one_of_a_developer() {
    let server = TestServer::start().await;
    let origin = origin();
    let job = Job::clone_of(&origin.job, &[]);
    job.git(&["checkout", "-q", "--detach", "origin/main"]);
    job.git(&[
        "merge",
        "-q",
        "--no-ff",
        "-m",
        "of jenkins",
        "origin/feature",
    ]);
    job.write_coverage(&MERGED);
    let dry = |job: &Job| {
        let head = job.head();
        let run = job.upload(&server).with(&jenkins(&head));
        run.arguments(&["--dry-run"]).run().printed
    };
    let printed = dry(&job);
    let commit = format!(" commit_hash={} ", origin.feature);
    let base = format!(" base_commit={} ", origin.main);
    assert!(printed.contains(&commit), "{printed}");
    assert!(printed.contains(&base), "{printed}");
    // A developer's merge is the head of a branch of the remote.
    let head = job.head();
    job.git(&["update-ref", "refs/remotes/origin/PR-7", &head]);
    let printed = dry(&job);
    let commit = format!(" commit_hash={head} ");
    assert!(printed.contains(&commit), "{printed}");
    assert!(printed.contains(&base), "{printed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_git_the_ci_system_or_options_name_everything() {
    let server = TestServer::start().await;
    for shell in installed() {
        let job = Job::without_git();
        job.write_coverage(&[(1, 1), (2, 0)]);
        let ran = job.upload(&server).shell(shell).run();
        assert_eq!(ran.code, 1, "{}", ran.printed);
        let error =
            "end the line with: | sh -s -- --org ORG --repo REPO --branch BRANCH --commit COMMIT";
        assert!(
            ran.printed.contains("not a git repository"),
            "{}",
            ran.printed
        );
        assert!(ran.printed.contains(error), "{}", ran.printed);
        let github = variables("c1", "");
        let ran = job.upload(&server).shell(shell).with(&github).run();
        assert_eq!(ran.code, 0, "{shell:?}: {}", ran.printed);
        assert!(
            ran.printed.contains("changed lines are unknown"),
            "{}",
            ran.printed
        );
        assert_eq!(newest(&server).await["record"]["commit_hash"], "c1");
        let options = "--org acme --repo payments --branch main --commit c2 --author Kim";
        let options: Vec<_> = options.split(' ').collect();
        let run = job.upload(&server).shell(shell).arguments(&options);
        let ran = run.run();
        assert_eq!(ran.code, 0, "{shell:?}: {}", ran.printed);
        assert_eq!(newest(&server).await["record"]["commit_hash"], "c2");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_program_git_a_job_uploads_too() {
    let server = TestServer::start().await;
    let job = Job::with_remote("git@git.example.com:acme/payments.git");
    job.write_coverage(&[(1, 1), (2, 0)]);
    // A PATH with everything that the script uses, except git.
    for program in [
        "awk", "cat", "cp", "curl", "cut", "date", "find", "grep", "gzip", "head", "ls", "mkdir",
        "mktemp", "od", "rm", "sed", "sleep", "sort", "tar", "tr", "uniq", "wc",
    ] {
        let found = format!("#!/bin/sh\nPATH=/usr/bin:/bin exec {program} \"$@\"\n");
        job.replace(program, &found);
    }
    let nowhere = job.bin().join("nowhere").display().to_string();
    let run = job.upload(&server).path(&nowhere);
    let ran = run.with(&variables("c1", "")).run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
    let notice = "notice: the changed lines are unknown: git is not installed";
    assert!(ran.printed.contains(notice), "{}", ran.printed);
    let notice = "notice: the paths of the repository are unknown: git is not installed";
    assert!(ran.printed.contains(notice), "{}", ran.printed);
    // GitLab names the base, but nothing knows what has changed since.
    let gitlab = [
        ("GITLAB_CI", "true"),
        ("CI_PROJECT_PATH", "acme/payments"),
        ("CI_COMMIT_SHA", "c2"),
        ("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "feature"),
        ("CI_MERGE_REQUEST_IID", "7"),
        ("CI_MERGE_REQUEST_DIFF_BASE_SHA", "c1"),
    ];
    let run = job.upload(&server).path(&nowhere);
    let ran = run.with(&gitlab).run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_checkout_of_another_user_has_its_paths_and_its_changes() {
    let server = TestServer::start().await;
    let origin = origin();
    for shell in installed() {
        let job = github_job(&origin, "refs/pull/7/merge", None);
        job.write_coverage(&MERGED);
        let run = job.upload(&server).shell(shell);
        let run = run.with(&variables(&origin.merge, ""));
        // As git tests itself: it says "dubious ownership".
        let ran = run.with(&[("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")]).run();
        assert_eq!(ran.code, 0, "{}", ran.printed);
        assert!(!ran.printed.contains("are unknown"), "{}", ran.printed);
        let summary = newest(&server).await;
        assert_eq!(summary["changed_lines"]["coverable"], 1, "{shell:?}");
        assert_eq!(summary["paths"]["matched"], 1, "{shell:?}");
    }
    // Where git does not take the setting, the log says what to do.
    let job = Job::new();
    job.write_coverage(&MERGED);
    job.replace(
        "git",
        "#!/bin/sh\necho \"fatal: detected dubious ownership in repository at '/x'\" >&2\nexit 128\n",
    );
    let ran = job.upload(&server).with(&variables("c1", "")).run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
    for unknown in ["the changed lines", "the paths of the repository"] {
        let notice = format!("notice: {unknown} are unknown: fatal: detected dubious ownership");
        assert!(ran.printed.contains(&notice), "{}", ran.printed);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn attributes_and_variables_of_git_hide_no_changed_line() {
    let server = TestServer::start().await;
    let origin = origin();
    let job = Job::clone_of(&origin.job, &["-b", "feature"]);
    for attributes in ["*.py binary\n", "*.py -diff\n", "*.py diff=odd\n"] {
        job.write(".gitattributes", attributes);
        job.commit("attributes");
        job.write_coverage(&[(1, 1), (2, 1), (3, 1)]);
        let odd = [
            ("GIT_DIFF_OPTS", "-u9"),
            ("GIT_EXTERNAL_DIFF", "false"),
            ("GIT_CONFIG_COUNT", "2"),
            ("GIT_CONFIG_KEY_0", "diff.odd.command"),
            ("GIT_CONFIG_VALUE_0", "false"),
            ("GIT_CONFIG_KEY_1", "diff.orderFile"),
            ("GIT_CONFIG_VALUE_1", "nowhere"),
        ];
        let run = job.upload(&server).with(&variables("", ""));
        let ran = run.with(&odd).run();
        assert_eq!(ran.code, 0, "{}", ran.printed);
        let shown = "1 of 1 changed line";
        assert!(ran.printed.contains(shown), "{attributes}{}", ran.printed);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deeper_clone_is_advised_only_where_it_helps() {
    let server = TestServer::start().await;
    let job = Job::new();
    job.git(&["checkout", "-q", "--orphan", "feature"]);
    job.commit("another root");
    job.git(&["update-ref", "refs/remotes/origin/main", "main"]);
    job.write_coverage(&[(1, 1)]);
    let ran = job.upload(&server).with(&variables("", "")).run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
    let notice = "unknown: git cannot find where the branch left main\n";
    assert!(ran.printed.contains(notice), "{}", ran.printed);
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_of_git_do_not_change_the_changed_lines() {
    let server = TestServer::start().await;
    let origin = origin();
    let job = Job::clone_of(&origin.job, &["-b", "feature"]);
    for (name, value) in [
        ("diff.noprefix", "true"),
        ("diff.mnemonicPrefix", "true"),
        ("diff.external", "false"),
        ("diff.interHunkContext", "9"),
        ("color.ui", "always"),
        ("core.pager", "false"),
        ("log.showSignature", "true"),
    ] {
        job.git(&["config", name, value]);
    }
    job.write_coverage(&[(1, 1), (2, 1), (3, 1)]);
    let ran = job.upload(&server).with(&variables("", "")).run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
    assert!(
        ran.printed.contains("1 of 1 changed line"),
        "{}",
        ran.printed
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_push_is_compared_with_its_parent_if_the_repository_carries_parts() {
    let named = [
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_REPOSITORY", "acme/payments"),
        ("GITHUB_REF", "refs/heads/main"),
        ("GITHUB_REF_NAME", "main"),
    ];
    for (shell, depth) in in_shells(&["--depth=1", "--no-tags"]) {
        let server = TestServer::start().await;
        let origin = Job::new();
        origin.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
        origin.write(".coverage.toml", "carry = [\"e2e\"]\n");
        origin.commit("settings");
        for (part, hits) in [("unit", 0), ("e2e", 1)] {
            origin.write_coverage(&[(1, 1), (2, hits)]);
            let ran = origin
                .upload(&server)
                .with(&named)
                .arguments(&["--part", part]);
            let ran = ran.run();
            assert_eq!(ran.code, 0, "{}", ran.printed);
        }
        origin.write("src/fee.py", "new\none\ntwo\n");
        origin.commit("a line above");
        let job = Job::clone_of(&origin, &[depth]);
        job.write_coverage(&[(1, 0), (2, 1), (3, 0)]);
        let run = job.upload(&server).shell(shell).with(&named);
        let ran = run.arguments(&["--part", "unit"]).run();
        assert_eq!(ran.code, 0, "{shell:?}: {}", ran.printed);
        let summary = newest(&server).await;
        assert_eq!(
            summary["parts"]["carried"],
            json!(["e2e"]),
            "{shell:?} {depth}"
        );
        // Lines 2 and 3 were lines 1 and 2; only e2e ran the latter.
        assert_eq!(summary["record"]["percentage"], 66.67);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_push_is_compared_with_nothing_if_no_part_is_carried() {
    let server = TestServer::start().await;
    let job = Job::new();
    job.write(
        ".coverage.toml",
        "parts = [\"unit\"]\n# carry = [\"e2e\"]\n",
    );
    job.commit("settings");
    job.write_coverage(&[(1, 1)]);
    let ran = job.upload(&server).arguments(&["--dry-run"]).run();
    assert!(!ran.printed.contains("base_commit="), "{}", ran.printed);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_says_what_became_of_the_comment() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let listed = ["--vcs-api-urls", &forge.listed()];
    let server = TestServer::start_with(&listed).await;
    let origin = origin();
    let job = github_job(&origin, "refs/pull/7/merge", None);
    job.write_coverage(&MERGED);
    let api = forge.api();
    let own = [("GITHUB_TOKEN", GOOD), ("GITHUB_API_URL", &api)];
    for expected in ["created", "updated"] {
        let run = job
            .upload_to(&server.url(""))
            .with(&variables(&origin.merge, ""));
        let ran = run.with(&own).run();
        let line = format!("coverage: comment on the pull request: {expected}");
        assert!(
            ran.printed.lines().any(|printed| printed == line),
            "{}",
            ran.printed
        );
    }
    assert_eq!(forge.comments().len(), 1);
}
