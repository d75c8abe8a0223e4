//! Gates: what the forge gets if the gate of an upload fails.

use super::{
    codecov::{self, LCOV, payload, put, stated_with},
    coveralls,
    programs::{ACTION, CLI, COVERALLS_NEXT},
};
use crate::{
    clients::uploader::Job,
    harness::{
        Archive, ForgeStandIn, GOOD, KINDS, Kind, OpenPull, Reachable, TREE_OF_HEAD, TestServer,
        Upload, within_deadline,
    },
};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::sleep;

#[derive(Clone, Copy, Debug)]
enum Door {
    Native,
    Codecov,
    Legacy,
    Coveralls,
    CodecovCli,
    CodecovAction,
    CoverallsNext,
}

/// The merge of the pull request with its target.
const MERGE: &str = "cccccccccccccccccccccccccccccccccccccccc";

/// The page of a job of the forge.
fn page_of_job(forge: &ForgeStandIn) -> String {
    let page = match forge.kind() {
        Kind::GitLab => "-/jobs",
        _ => "actions/runs",
    };
    format!("https://git.example.com/acme/payments/{page}/77")
}

/// Uploads the same coverage for pull request 7.
async fn upload(door: Door, forge: &ForgeStandIn, server: &TestServer, job: &Job) {
    let commit = job.head();
    let service = match forge.kind() {
        Kind::GitLab => "gitlab",
        _ => "github",
    };
    match door {
        Door::Native => {
            Upload::of(Archive::new().file("coverage.xml", LCOV).tar_gz())
                .with("branch_name", "feature")
                .with("commit_hash", &commit)
                .with("language", "python")
                .with("pull_request", "7")
                .with("tree_hash", TREE_OF_HEAD)
                .with("vcs_api_url", &forge.api())
                .authorization(Some(&format!("Bearer {GOOD}")))
                .accepted(server)
                .await;
        }
        Door::Codecov => {
            let path = codecov::UPLOAD.replace("github", service);
            let call = server.client.post(server.url(&path));
            let call = call.header("authorization", format!("token {GOOD}"));
            let call = call.json(&stated_with(
                json!({"pullid": "7", "commitid": commit, "ci_url": page_of_job(forge)}),
            ));
            let answer: Value = call.send().await.unwrap().json().await.unwrap();
            let address = answer["raw_upload_location"].as_str().expect("an address");
            let stored = put(server, address, payload(&[("lcov.info", LCOV)])).await;
            assert_eq!(stored.status(), 200);
        }
        Door::Legacy => {
            let service = match forge.kind() {
                Kind::GitLab => "gitlab",
                _ => "github-actions",
            };
            let stated = format!("commit={commit}&branch=feature&pr=7&service={service}&build=77");
            let path = format!("/upload/v4?{stated}&slug=acme/payments&token={GOOD}");
            let call = server.client.post(server.url(&path)).send();
            let answer = call.await.unwrap().text().await.unwrap();
            let (_, address) = answer.split_once('\n').expect("an address");
            let text = format!("# path=lcov.info\n{LCOV}\n<<<<<< EOF\n");
            assert_eq!(put(server, address, text).await.status(), 200);
        }
        Door::Coveralls => {
            let members = json!({
                "repo_token": GOOD, "service_name": service, "service_pull_request": "7", "service_branch": "feature",
                "service_job_id": "77",
                "git": {"branch": "feature", "head": {"id": commit}, "remotes": coveralls::job()["git"]["remotes"]},
                "source_files": [{
                    "name": "src/fee.py", "coverage": [3, 0, null, 1, 1], "branches": [4, 0, 0, 1, 4, 0, 1, 0],
                }],
            });
            let job = coveralls::with(coveralls::job(), &members);
            let (status, answer) = coveralls::answer(coveralls::send(server, &job).await).await;
            assert_eq!(status, 200, "{answer}");
        }
        Door::CodecovCli => {
            // Gitea has another name for the reference of a pull request, in which the client does not find the number.
            let options = match forge.kind() {
                Kind::GitLab => "--git-service gitlab",
                _ => "-B feature -P 7",
            };
            let url = page_of_job(forge);
            let (page, _) = url.split_once("/acme").expect("the page of a job");
            let of_job = [
                ("OPTIONS", options),
                ("CI_JOB_URL", &url),
                ("CI_COMMIT_SHA", &commit),
                ("CI_COMMIT_REF_NAME", "feature"),
                ("CI_MERGE_REQUEST_IID", "7"),
                ("GITHUB_SERVER_URL", page),
                ("GITHUB_REPOSITORY", "acme/payments"),
                ("GITHUB_RUN_ID", "77"),
                ("GITHUB_SHA", &commit),
                ("GITHUB_REF", "refs/pull/7/head"),
                ("GITHUB_HEAD_REF", "feature"),
                match forge.kind() {
                    Kind::GitLab => ("GITLAB_CI", "true"),
                    _ => ("GITHUB_ACTIONS", "true"),
                },
            ];
            let printed = CLI.succeed(job, server, GOOD, &of_job).await;
            assert!(
                printed.contains("Upload queued for processing complete"),
                "{printed}"
            );
        }
        Door::CodecovAction => {
            let folder = ACTION.action().expect("the Action");
            let url = page_of_job(forge);
            let (page, _) = url.split_once("/acme").expect("the page of a job");
            // The steps of a workflow. `use_pypi` is needed only here: the vendor's server has the other build of the client.
            let inputs = json!({
                "url": server.url(""), "token": GOOD, "files": "coverage.lcov", "disable_search": "true", "fail_ci_if_error": "true",
                "use_pypi": "true", "override_pr": "7",
            });
            let event = json!({"event_name": "pull_request", "event": {"number": 7, "pull_request": {
                "head": {"sha": commit, "label": "acme:feature", "repo": {"full_name": "acme/payments"}},
            }}});
            let (inputs, event) = (inputs.to_string(), event.to_string());
            let of_job = [
                ("ACTION", &folder[..]),
                ("INPUTS", &inputs),
                ("EVENT", &event),
                ("GITHUB_ACTIONS", "true"),
                ("GITHUB_SERVER_URL", page),
                ("GITHUB_REPOSITORY", "acme/payments"),
                ("GITHUB_RUN_ID", "77"),
                ("GITHUB_SHA", MERGE),
                ("GITHUB_REF", "refs/pull/7/merge"),
                ("GITHUB_HEAD_REF", "feature"),
            ];
            ACTION.succeed(job, server, GOOD, &of_job).await;
        }
        Door::CoverallsNext => {
            let service = match forge.kind() {
                Kind::GitLab => "gitlab-ci",
                _ => "github",
            };
            let of_job = [
                ("COVERALLS_SERVICE_NAME", service),
                ("COVERALLS_SERVICE_JOB_ID", "77"),
                ("CI_PULL_REQUEST", "7"),
            ];
            COVERALLS_NEXT.succeed(job, server, GOOD, &of_job).await;
        }
    }
}

/// The last status of the commit and the comment of its pull request, without the address of the service.
async fn results(forge: &ForgeStandIn, server: &TestServer) -> Value {
    let last = || {
        let calls = forge.calls();
        let mut calls = calls.iter().rev().map(|call| call.body.clone());
        calls.find(|body| body["name"] == "coverage" || body["context"] == "coverage")
    };
    within_deadline(async {
        while last().is_none_or(|status| status["state"] == "pending") {
            sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
    let comments = forge.comments();
    let [comment] = &comments[..] else {
        panic!("{comments:?}");
    };
    let all = json!({"status": last(), "pull": comment.pull, "comment": comment.body});
    all.to_string()
        .replace(&server.url(""), "")
        .parse()
        .unwrap()
}

#[tokio::test]
async fn a_failing_gate_has_the_same_status_and_comment_at_every_door() {
    let job = codecov::programs::job();
    let head = job.head();
    for kind in KINDS {
        let mut expected = None;
        let doors = [
            Door::Native,
            Door::Codecov,
            Door::Legacy,
            Door::Coveralls,
            Door::CodecovCli,
            Door::CodecovAction,
            Door::CoverallsNext,
        ];
        for door in doors {
            let is_installed = match door {
                Door::CodecovCli => CLI.is_installed(),
                // The Action is one of GitHub and of what resembles it.
                Door::CodecovAction => kind != Kind::GitLab && ACTION.action().is_some(),
                Door::CoverallsNext => COVERALLS_NEXT.is_installed(),
                _ => true,
            };
            if !is_installed {
                continue;
            }
            let forge = ForgeStandIn::start(kind).await;
            let pull = OpenPull::adding_a_line_to("src/fee.py", &head, (MERGE, TREE_OF_HEAD));
            forge.open(pull.measured_at(kind, &head));
            let listed = forge.listed();
            let accept = ["--accept", "codecov,coveralls", "--vcs-api-urls", &listed];
            let server = TestServer::start_with(&accept).await;
            // The start creates the tables.
            server.get("/coverages-api/health").await;
            let rules = ["gate", "set", "--org=acme", "--floor=80"];
            assert!(server.command(&rules).status().unwrap().success());
            upload(door, &forge, &server, &job).await;
            let found = results(&forge, &server).await;
            let state = found["status"]["state"].as_str().unwrap();
            assert!(["failure", "failed"].contains(&state), "{found}");
            assert!(
                found
                    .to_string()
                    .contains("3 of 4 lines are covered, 80 % needs 4"),
                "{found}"
            );
            assert!(found.to_string().contains("changed lines"), "{found}");
            let expected = expected.get_or_insert_with(|| found.clone());
            assert_eq!(found, *expected, "{kind:?}, {door:?}");
        }
    }
}
