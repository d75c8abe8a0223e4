//! The one line of a CI file, from tests to pull request: the comment, the statuses and the summary of the job, on each forge, with the
//! coverage file of each common tool where the tool writes it.

use super::{Job, newest};
use crate::harness::{ForgeStandIn, GOOD, KINDS, Kind, TestServer};
use std::fs;

/// A coverage file as a tool writes it: the language, the source file, its path, and its content with one of two lines covered.
const TOOLS: [(&str, &str, &str, &str); 5] = [
    (
        "python",
        "shop/fee.py",
        "coverage.xml",
        "<?xml version=\"1.0\" ?><coverage version=\"7.6\" lines-valid=\"2\" lines-covered=\"1\" line-rate=\"0.5\"><sources><source>ROOT/shop</source></sources>\
         <packages><package name=\".\"><classes><class name=\"fee.py\" filename=\"fee.py\"><lines><line number=\"1\" hits=\"1\"/>\
         <line number=\"2\" hits=\"0\"/></lines></class></classes></package></packages></coverage>",
    ),
    (
        "typescript",
        "src/fee.ts",
        "coverage/coverage-final.json",
        "{\"ROOT/src/fee.ts\":{\"path\":\"ROOT/src/fee.ts\",\"statementMap\":{\"0\":{\"start\":{\"line\":1,\"column\":0},\"end\":{\"line\":1,\"column\":9}},\
         \"1\":{\"start\":{\"line\":2,\"column\":0},\"end\":{\"line\":2,\"column\":9}}},\"s\":{\"0\":3,\"1\":0},\"fnMap\":{},\"f\":{},\"branchMap\":{},\"b\":{}}}",
    ),
    (
        "rust",
        "src/fee.rs",
        "lcov.info",
        "SF:ROOT/src/fee.rs\nDA:1,4\nDA:2,0\nLF:2\nLH:1\nend_of_record\n",
    ),
    (
        "go",
        "fee.go",
        "coverage.out",
        "mode: set\ngit.example.com/acme/payments/fee.go:1.1,1.9 1 1\ngit.example.com/acme/payments/fee.go:2.1,2.9 1 0\n",
    ),
    (
        "java",
        "src/main/java/shop/Fee.java",
        "target/site/jacoco/jacoco.xml",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><report name=\"pay\"><package name=\"shop\"><sourcefile name=\"Fee.java\">\
         <line nr=\"1\" mi=\"0\" ci=\"2\" mb=\"0\" cb=\"0\"/><line nr=\"2\" mi=\"2\" ci=\"0\" mb=\"0\" cb=\"0\"/>\
         <counter type=\"LINE\" missed=\"1\" covered=\"1\"/></sourcefile></package><counter type=\"LINE\" missed=\"1\" covered=\"1\"/></report>",
    ),
];

/// A new repository with one commit, whose pull request adds the second line of a file.
fn job(source: &str, report: &str, content: &str) -> Job {
    let job = Job::without_git();
    job.git(&["init", "-q", "-b", "main"]);
    job.write(source, "one\n");
    job.commit("first");
    job.git(&["update-ref", "refs/remotes/origin/main", "main"]);
    job.git(&["checkout", "-q", "-b", "fix"]);
    job.write(source, "one\ntwo\n");
    job.commit("two");
    let root = job.root().display().to_string();
    job.write(report, &content.replace("ROOT", &root));
    job
}

/// The variables of a job of pull request 7.
fn variables(
    forge: &ForgeStandIn,
    kind: Kind,
    head: &str,
    summary: &str,
) -> Vec<(&'static str, String)> {
    let api = forge.api();
    let text = str::to_owned;
    match kind {
        Kind::GitLab => vec![
            ("GITLAB_CI", text("true")),
            ("CI_PROJECT_PATH", text("acme/payments")),
            ("CI_COMMIT_SHA", text(head)),
            ("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", text("fix")),
            ("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", text("main")),
            ("CI_MERGE_REQUEST_IID", text("7")),
            ("CI_API_V4_URL", api),
            ("GITLAB_TOKEN", text(GOOD)),
            ("CI_JOB_URL", text("https://ci.example.com/17")),
            ("GITHUB_STEP_SUMMARY", text(summary)),
        ],
        Kind::GitHub | Kind::Gitea => {
            let is_gitea = kind == Kind::Gitea;
            vec![
                (
                    if is_gitea {
                        "GITEA_ACTIONS"
                    } else {
                        "GITHUB_ACTIONS"
                    },
                    text("true"),
                ),
                ("GITHUB_REPOSITORY", text("acme/payments")),
                ("GITHUB_SHA", text(head)),
                ("GITHUB_REF", text("refs/pull/7/head")),
                ("GITHUB_HEAD_REF", text("fix")),
                ("GITHUB_BASE_REF", text("main")),
                ("GITHUB_API_URL", api),
                ("GITHUB_SERVER_URL", text("https://ci.example.com")),
                ("GITHUB_RUN_ID", text("17")),
                (
                    if is_gitea {
                        "GITEA_TOKEN"
                    } else {
                        "GITHUB_TOKEN"
                    },
                    text(GOOD),
                ),
                ("GITHUB_STEP_SUMMARY", text(summary)),
            ]
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_line_gives_the_comment_the_statuses_and_the_summary_on_each_forge() {
    for kind in KINDS {
        for (language, source, report, content) in TOOLS {
            let forge = ForgeStandIn::start(kind).await;
            let server = TestServer::start_with(&["--vcs-api-urls", &forge.listed()]).await;
            let job = job(source, report, content);
            let summary = job.root().join(".git/summary");
            let variables = variables(&forge, kind, &job.head(), summary.to_str().unwrap());
            let variables: Vec<_> = variables
                .iter()
                .map(|(name, value)| (*name, value.as_str()))
                .collect();
            let ran = job
                .upload_to(&crate::harness::Reachable::url(&server, ""))
                .with(&variables)
                .run();
            let what = format!("{kind:?}, {language}: {}", ran.printed);
            assert_eq!(ran.code, 0, "{what}");

            let stored = newest(&server).await;
            assert_eq!(stored["record"]["language"], language, "{what}");
            assert_eq!(stored["record"]["percentage"], 50.0, "{what}");
            assert_eq!(stored["paths"]["matched"], 1, "{what}");
            let changed = &stored["changed_lines"];
            assert_eq!(
                (&changed["covered"], &changed["coverable"]),
                (&0.into(), &1.into()),
                "{what}"
            );

            let states: Vec<_> = forge.calls().into_iter().map(|call| call.body).collect();
            for context in [format!("coverage/{language}"), "coverage".to_owned()] {
                let mut last = states.iter().rev();
                let last =
                    last.find(|body| body["context"] == *context || body["name"] == *context);
                assert_eq!(last.expect("a status")["state"], "success", "{what}");
            }
            let comments = forge.comments();
            let [comment] = &comments[..] else {
                panic!("{what}: {comments:?}");
            };
            let written = fs::read_to_string(&summary).unwrap();
            for text in [&comment.body, &written] {
                assert!(text.contains("**Coverage 50.00 %**"), "{what}: {text}");
                assert!(text.contains("changed lines **0 of 1**"), "{what}: {text}");
            }
            assert!(
                ran.printed
                    .contains("coverage: comment on the pull request: created\n"),
                "{what}"
            );
        }
    }
}
