//! Uploads with the job's token of a forge.

use super::{
    COMMIT, LCOV, OTHER_LCOV, UPLOAD, payload, put, record, refusal, server_with, stated,
    stated_with, summary, upload,
};
use crate::harness::{
    ForgeStandIn, GOOD, KINDS, Kind, OpenPull, Reachable, TREE_OF_HEAD, TestServer, within_deadline,
};
use serde_json::{Value, json};
use std::time::Duration;

#[tokio::test]
async fn a_token_of_the_only_listed_forge_uploads_and_the_forge_gets_the_results() {
    for (kind, service) in [
        (Kind::GitHub, "github"),
        (Kind::GitLab, "gitlab_enterprise"),
        (Kind::Gitea, "github_enterprise"),
    ] {
        let forge = ForgeStandIn::start(kind).await;
        let server = server_with(&["--vcs-api-urls", &forge.listed()]).await;
        let path = UPLOAD.replace("/github/", &format!("/{service}/"));
        let send = async |token: &str| {
            let request = server.client.post(server.url(&path)).json(&stated());
            let request = request.header("authorization", format!("token {token}"));
            request.send().await.unwrap()
        };
        assert_eq!(refusal(send("n0ne").await).await.0, 401, "{service}");
        let answer: Value = send(GOOD).await.json().await.unwrap();
        let address = answer["raw_upload_location"].as_str().expect("an address");
        assert!(
            !forge.states().is_empty(),
            "{service}: no status is pending"
        );
        let stored = put(&server, address, payload(&[("lcov.info", LCOV)])).await;
        assert_eq!(stored.status(), 200, "{service}");
        assert_eq!(
            record(&server, "acme/payments").await["commit_hash"],
            COMMIT
        );
        within_deadline(async {
            while forge.states().last().is_none_or(|state| state != "success") {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        })
        .await;
    }
}

#[tokio::test]
async fn completing_a_commit_without_a_record_is_no_failed_attempt() {
    for kind in KINDS {
        let forge = ForgeStandIn::start(kind).await;
        let listed = ["--vcs-api-urls", &forge.listed()];
        let few = ["--failed-tries-per-address", "1"];
        let server = server_with(&[listed, few].concat()).await;
        let service = if kind == Kind::GitLab {
            "gitlab"
        } else {
            "github"
        };
        let path = format!("/upload/{service}/acme::::payments/commits/{COMMIT}/upload-complete");
        let send = async |token: &str| {
            let request = server.client.post(server.url(&path));
            let request = request.header("authorization", format!("token {token}"));
            request.json(&json!({})).send().await.unwrap()
        };
        for _ in 0..3 {
            let answer = send(GOOD).await;
            assert_eq!(answer.status(), 404, "{kind:?}");
            let answer: Value = answer.json().await.unwrap();
            assert_eq!(answer["uploads_total"], 0, "{kind:?}: {answer}");
        }
        let last = forge.calls().pop().unwrap();
        assert_ne!(last.body["state"], "pending", "{kind:?}");
        assert_eq!(send("n0ne").await.status(), 401, "{kind:?}");
        assert_eq!(send("n0ne").await.status(), 429, "{kind:?}");
    }
}

#[tokio::test]
async fn a_token_of_github_does_not_go_to_the_only_listed_gitlab() {
    let forge = ForgeStandIn::start(Kind::GitLab).await;
    let server = server_with(&["--vcs-api-urls", &forge.listed()]).await;
    for service in ["github", "github_enterprise", "bitbucket"] {
        let path = UPLOAD.replace("/github/", &format!("/{service}/"));
        let request = server.client.post(server.url(&path)).json(&stated());
        let request = request.header("authorization", format!("token {GOOD}"));
        assert_eq!(request.send().await.unwrap().status(), 401, "{service}");
    }
    assert!(forge.calls().is_empty());
}

#[tokio::test]
async fn the_forge_is_asked_once_for_the_author_of_a_commit() {
    for kind in KINDS {
        let forge = ForgeStandIn::start(kind).await;
        forge.set_author(COMMIT, "Kim Müller");
        let server = server_with(&["--vcs-api-urls", &forge.listed()]).await;
        let service = if kind == Kind::GitLab {
            "gitlab"
        } else {
            "github"
        };
        let path = UPLOAD.replace("/github/", &format!("/{service}/"));
        for coverage in [LCOV, OTHER_LCOV] {
            let request = server.client.post(server.url(&path)).json(&stated());
            let request = request.header("authorization", format!("token {GOOD}"));
            let answer: Value = request.send().await.unwrap().json().await.unwrap();
            let address = answer["raw_upload_location"].as_str().expect("an address");
            let stored = put(&server, address, payload(&[("lcov.info", coverage)])).await;
            assert_eq!(stored.status(), 200, "{kind:?}");
        }
        let record = &server.records().await[0];
        assert_eq!(record["commit_author"], "Kim Müller", "{kind:?}");
        assert_eq!(forge.authored(), [COMMIT], "{kind:?}");
    }
}

#[tokio::test]
async fn with_a_token_of_the_service_the_operators_token_asks_for_the_author() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let host = forge.api().replace("http://", "");
    let listed = ["--vcs-api-urls", &forge.listed()];
    for (tokens, author) in [
        (
            vec!["--vcs-api-tokens".to_owned(), format!("{host}={GOOD}")],
            "Kim",
        ),
        (
            vec!["--vcs-api-tokens".to_owned(), format!("{host}=n0ne")],
            "unknown",
        ),
        (vec![], "unknown"),
    ] {
        let tokens: Vec<_> = tokens.iter().map(String::as_str).collect();
        let server = server_with(&[&listed[..], &tokens].concat()).await;
        forge.set_author(COMMIT, "Kim");
        upload(&server, &stated(), &[("lcov.info", LCOV)]).await;
        let record = &server.records().await[0];
        assert_eq!(record["commit_author"], author, "{tokens:?}");
    }
    assert!(forge.states().is_empty(), "nothing is written");
}

/// Uploads for pull request 7 with a token of the forge, and returns the record.
async fn of_pull(forge: &ForgeStandIn, server: &TestServer, stated: Value) -> Value {
    let service = match forge.kind() {
        Kind::GitLab => "gitlab",
        _ => "github",
    };
    let mut all = stated_with(json!({"pullid": "7"}));
    all.as_object_mut()
        .unwrap()
        .extend(stated.as_object().unwrap().clone());
    let path = UPLOAD.replace("/github/", &format!("/{service}/"));
    let request = server.client.post(server.url(&path)).json(&all);
    let request = request.header("authorization", format!("token {GOOD}"));
    let answer: Value = request.send().await.unwrap().json().await.unwrap();
    let address = answer["raw_upload_location"].as_str().expect("an address");
    let stored = put(server, address, payload(&[("lcov.info", LCOV)])).await;
    assert_eq!(stored.status(), 200);
    record(server, "acme/payments").await
}

#[tokio::test]
async fn a_pull_request_gets_its_comment_with_changed_lines_if_head_and_merge_have_one_tree() {
    let other_tree = "5".repeat(40);
    for (tree, expected) in [(TREE_OF_HEAD, json!(1)), (other_tree.as_str(), Value::Null)] {
        let forge = ForgeStandIn::start(Kind::GitHub).await;
        let merge = ("c".repeat(40), tree);
        forge.open(OpenPull::adding_a_line_to(
            "src/fee.py",
            COMMIT,
            (&merge.0, merge.1),
        ));
        let server = server_with(&["--vcs-api-urls", &forge.listed()]).await;
        let record = of_pull(&forge, &server, json!({})).await;
        let summary = summary(&server, &record).await;
        let changed = &summary["changed_lines"]["coverable"];
        assert_eq!(changed, &expected, "{summary} {:?}", forge.read());
        let comments = forge.comments();
        assert_eq!(comments.len(), 1, "{comments:?}");
        assert_eq!(comments[0].pull, "7");
        let body = &comments[0].body;
        assert!(body.contains("/repos/acme/payments/pulls/7"), "{body}");
        assert_eq!(body.contains("changed lines"), expected == 1, "{body}");
    }
}

#[tokio::test]
async fn a_job_of_gitlab_or_gitea_has_changed_lines_if_it_measured_the_tree_of_the_head() {
    let (merge, other_tree) = ("c".repeat(40), "5".repeat(40));
    let gitlab = |commit: &str| json!({"commit": {"id": commit}});
    let gitea = |event: &str, commit: &str| json!({"event": event, "head_sha": commit});
    let forgejo = |event: &str| json!({"event": "pull_request_sync", "trigger_event": event, "commit_sha": COMMIT});
    let jobs = "https://git.example.com/acme/payments/-/jobs";
    let runs = "https://git.example.com/acme/payments/actions/runs";
    let (job, run) = (format!("{jobs}/77"), format!("{runs}/77"));
    let (other_job, other_run) = (format!("{jobs}/78"), format!("{runs}/78"));
    let (mirror, fork) = (job.replace("git.", "mirror."), run.replace("acme", "fork"));
    let (same, other) = (TREE_OF_HEAD, other_tree.as_str());
    let unsaid = "state it of this job";
    for (kind, url, tree, answer, why) in [
        (Kind::GitLab, &job, same, gitlab(COMMIT), ""),
        // A pipeline of merged results, or of a merge train.
        (Kind::GitLab, &job, same, gitlab(&merge), ""),
        (
            Kind::GitLab,
            &job,
            other,
            gitlab(&merge),
            "is not the tree of the head",
        ),
        (Kind::GitLab, &job, same, gitlab("main"), unsaid),
        (Kind::GitLab, &other_job, same, gitlab(COMMIT), unsaid),
        (Kind::GitLab, &run, same, gitlab(COMMIT), unsaid),
        (Kind::GitLab, &mirror, same, gitlab(COMMIT), unsaid),
        (Kind::Gitea, &fork, same, gitea("push", COMMIT), unsaid),
        (Kind::Gitea, &run, other, gitea("pull_request", COMMIT), ""),
        (Kind::Gitea, &run, other, gitea("push", COMMIT), ""),
        (Kind::Gitea, &run, other, forgejo("pull_request"), ""),
        (
            Kind::Gitea,
            &run,
            same,
            gitea("pull_request_target", COMMIT),
            unsaid,
        ),
        (
            Kind::Gitea,
            &run,
            same,
            forgejo("pull_request_target"),
            unsaid,
        ),
        (
            Kind::Gitea,
            &run,
            same,
            gitea("pull_request", &merge),
            unsaid,
        ),
        (
            Kind::Gitea,
            &other_run,
            same,
            gitea("pull_request", COMMIT),
            unsaid,
        ),
        (
            Kind::Gitea,
            &job,
            same,
            gitea("pull_request", COMMIT),
            unsaid,
        ),
    ] {
        let forge = ForgeStandIn::start(kind).await;
        let pull = OpenPull::adding_a_line_to("src/fee.py", COMMIT, (&merge, tree));
        let of = format!("{kind:?}, {url}, {answer}");
        forge.open(OpenPull {
            job: Some(answer),
            ..pull
        });
        let server = server_with(&["--vcs-api-urls", &forge.listed()]).await;
        let record = of_pull(&forge, &server, json!({"ci_url": url})).await;
        let summary = summary(&server, &record).await;
        let changed = &summary["changed_lines"]["coverable"];
        if why.is_empty() {
            assert_eq!(changed, &json!(1), "{of}: {summary} {:?}", forge.read());
            continue;
        }
        assert_eq!(changed, &Value::Null, "{of}");
        let changes = format!("/coverages-api/records/{}/changes", record["id"]);
        let unknown = refusal(server.get(&changes).await).await;
        assert!(unknown.1.contains(why), "{of}: {unknown:?}");
    }
}
