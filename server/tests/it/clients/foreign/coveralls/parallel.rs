//! Parallel builds, and the webhook that ends them.

use super::{FORM, accepted, answer, job, server, server_with, with};
use crate::harness::{
    Archive, ForgeStandIn, GOOD, Kind, OpenPull, Reachable, TOKEN, TREE_OF_HEAD, TestServer, Upload,
};
use serde_json::{Value, json};

#[derive(Clone, Copy)]
enum Webhook {
    /// As the client on PyPI sends it.
    Json(&'static str),
    /// As goveralls sends it.
    Form(&'static str),
}

impl Webhook {
    async fn send(self, server: &TestServer, token: &str) -> (u16, Value) {
        let request = server.client().post(server.url("/webhook"));
        let request = match self {
            Self::Json(number) => request.json(&json!({
                "payload": {"status": "done", "build_num": number},
                "repo_token": token,
                "repo_name": "acme/payments",
            })),
            Self::Form(number) => {
                let pairs = [
                    ("repo_token", token),
                    ("repo_name", "acme/payments"),
                    ("payload[build_num]", number),
                    ("payload[status]", "done"),
                ];
                let mut form = form_urlencoded::Serializer::new(String::new());
                request
                    .header("content-type", FORM)
                    .body(form.extend_pairs(pairs).finish())
            }
        };
        answer(request.send().await.unwrap()).await
    }
}

#[tokio::test]
async fn a_parallel_build_is_current_when_its_webhook_arrives() {
    let server = server().await;
    for (build, webhook) in [
        (
            json!({"service_number": "77", "service_job_id": "1"}),
            Webhook::Json("77"),
        ),
        (json!({"service_job_id": "78"}), Webhook::Form("78")),
    ] {
        let commit = json!({"git": {
            "branch": "main",
            "head": {"id": match webhook { Webhook::Json(_) => "c".repeat(40), Webhook::Form(_) => "d".repeat(40) }},
            "remotes": job()["git"]["remotes"],
        }});
        let parallel = with(with(job(), &build), &json!({"parallel": "true"}));
        let parallel = with(parallel, &commit);
        let before = server.current_records().await.len();
        accepted(&server, &with(parallel.clone(), &json!({"flag_name": "a"}))).await;
        accepted(&server, &with(parallel, &json!({"flag_name": "b"}))).await;
        assert_eq!(server.current_records().await.len(), before, "it waits");
        let (status, answer) = webhook.send(&server, TOKEN).await;
        assert_eq!((status, &answer["done"]), (200, &json!(true)), "{answer}");
        assert!(answer.get("error").is_none());
        let current = server.current_records().await;
        assert_eq!(current[0]["commit_hash"], commit["git"]["head"]["id"]);
        // A client that did not see the answer sends it again.
        assert_eq!(webhook.send(&server, TOKEN).await.0, 200);
    }
}

#[tokio::test]
async fn a_webhook_of_an_unknown_build_or_with_a_wrong_token_finishes_nothing() {
    let server = server().await;
    let parallel = json!({"service_number": "77", "parallel": true});
    accepted(&server, &with(job(), &parallel)).await;
    for (webhook, token, status) in [
        (Webhook::Json("78"), TOKEN, 422),
        (Webhook::Json("77"), "wrong", 401),
        (Webhook::Json("78"), "wrong", 401),
        (Webhook::Form("78"), TOKEN, 422),
    ] {
        let (found, answer) = webhook.send(&server, token).await;
        assert_eq!(found, status, "{answer}");
        assert_eq!(answer["error"], true);
    }
    assert!(server.current_records().await.is_empty());
}

#[tokio::test]
async fn the_webhook_ends_a_parallel_build_of_a_merge_queue() {
    let server = server().await;
    let git = json!({"git": {
        "branch": format!("gh-readonly-queue/main/pr-7-{}", "b".repeat(40)),
        "head": {"id": "e".repeat(40)},
        "remotes": job()["git"]["remotes"],
    }});
    let parallel = json!({"service_number": "79", "parallel": true});
    accepted(&server, &with(with(job(), &git), &parallel)).await;
    let is_complete = async || {
        let summary = server.get_json("/coverages-api/records/1").await;
        summary["parts"]["complete"].clone()
    };
    assert_eq!(is_complete().await, json!(false));
    let (status, answer) = Webhook::Json("79").send(&server, TOKEN).await;
    assert_eq!(status, 200, "{answer}");
    assert_eq!(is_complete().await, json!(true));
    assert!(
        server.current_records().await.is_empty(),
        "it has not landed"
    );
}

#[tokio::test]
async fn a_job_with_the_number_of_another_build_leaves_its_webhook() {
    let server = server().await;
    let of_commit = |branch: &str, commit: &str| {
        let git = json!({"branch": branch, "head": {"id": commit.repeat(40)}, "remotes": job()["git"]["remotes"]});
        let members = json!({"service_number": "80", "parallel": true, "git": git});
        with(job(), &members)
    };
    accepted(&server, &of_commit("main", "c")).await;
    accepted(&server, &of_commit("topic", "d")).await;
    assert!(server.current_records().await.is_empty(), "they wait");
    let (status, answer) = Webhook::Json("80").send(&server, TOKEN).await;
    assert_eq!(status, 200, "{answer}");
    assert_eq!(server.current_records().await.len(), 2);
    // A job of another repository is of another build.
    let other = with(of_commit("main", "e"), &json!({"repo_name": "acme/other"}));
    accepted(&server, &other).await;
    assert_eq!(Webhook::Json("80").send(&server, TOKEN).await.0, 200);
    assert_eq!(server.current_records().await.len(), 2);
}

#[tokio::test]
async fn carryforward_carries_no_part_that_the_settings_do_not_carry() {
    let server = server().await;
    for (commit, flags) in [("c", &["unit", "e2e"][..]), ("d", &["unit"])] {
        let git = json!({"branch": "main", "head": {"id": commit.repeat(40)}, "remotes": job()["git"]["remotes"]});
        for flag in flags {
            let members =
                json!({"service_number": commit, "parallel": true, "flag_name": flag, "git": git});
            accepted(&server, &with(job(), &members)).await;
        }
        let webhook = json!({
            "repo_token": TOKEN, "repo_name": "acme/payments", "carryforward": "unit,e2e",
            "payload": {"build_num": commit, "status": "done"},
        });
        let request = server.client().post(server.url("/webhook")).json(&webhook);
        assert_eq!(request.send().await.unwrap().status(), 200);
    }
    let id = &server.current_records().await[0]["id"];
    let path = format!("/coverages-api/records/{id}");
    let parts = server.get_json(&path).await["parts"].clone();
    assert_eq!(parts["arrived"], json!(["unit"]), "{parts}");
    assert_eq!(parts["complete"], json!(true), "{parts}");
}

#[tokio::test]
async fn a_flag_in_carry_that_a_build_lacks_is_carried_forward() {
    let [head, base, merge] = ["a", "b", "c"].map(|digit| digit.repeat(40));
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let pull = OpenPull::adding_a_line_to("src/fee.py", &head, (&merge, TREE_OF_HEAD));
    forge.open(pull);
    let server = server_with(&["--vcs-api-urls", &forge.listed()]).await;
    for part in ["unit", "e2e"] {
        let lcov = "SF:src/fee.py\nDA:1,1\nDA:2,0\nDA:3,1\nend_of_record\n";
        Upload::of(Archive::new().file("coverage.xml", lcov).tar_gz())
            .with("org_name", "acme")
            .with("repo_name", "payments")
            .with("branch_name", "main")
            .with("commit_hash", &base)
            .with("language", "python")
            .with("part", part)
            .before("settings", b"carry = [\"e2e\"]\n")
            .accepted(&server)
            .await;
    }
    let git = json!({
        "branch": "topic",
        "head": {"id": merge, "message": format!("Merge {head} into {base}")},
        "remotes": job()["git"]["remotes"],
    });
    let of_job =
        json!({"repo_token": GOOD, "service_name": "github", "repo_name": "acme/payments"});
    let unit = json!({
        "service_number": "82", "service_pull_request": "7", "parallel": true, "flag_name": "unit", "git": git,
        "source_files": [{"name": "src/fee.py", "coverage": [0, 1, 0, 0]}],
    });
    accepted(&server, &with(with(job(), &of_job), &unit)).await;
    let done = json!({"payload": {"build_num": "82", "status": "done"}, "carryforward": "e2e"});
    let request = server.client().post(server.url("/webhook"));
    let request = request.json(&with(of_job, &done));
    let (status, answer) = answer(request.send().await.unwrap()).await;
    assert_eq!(status, 200, "{answer}");
    let records = server.current_records().await;
    let record = records.iter().find(|record| record["commit_hash"] == head);
    let id = &record.expect("a record of the head")["id"];
    let path = format!("/coverages-api/records/{id}");
    let parts = server.get_json(&path).await["parts"].clone();
    assert_eq!(parts["carried"], json!(["e2e"]), "{parts}");
    let lines = server
        .get_json(&format!("{path}/lines?path=src/fee.py"))
        .await;
    assert_eq!(lines["hit"], json!([[1, 2], [4, 4]]), "{lines}");
}
