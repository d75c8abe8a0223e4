//! What identities may do to the main branch.

use super::{Scene, as_identity, put, upload};
use crate::harness::Reachable;
use serde_json::{Value, json};
use store::actor::Actor;

fn of_branch(branch: &str) -> Value {
    json!({ "ref": format!("refs/heads/{branch}") })
}

fn list(branches: &[&str]) -> Value {
    json!({
        "org_name": "acme", "repo_name": "payments", "commit_hash": "c1", "active_branches": branches,
    })
}

async fn push(scene: &Scene, branch: &str) {
    let token = scene.token(of_branch(branch));
    let upload = upload().with("branch_name", branch);
    as_identity(upload, &token).accepted(&scene.server).await;
}

#[tokio::test]
async fn an_identity_may_list_branches_only_from_the_main_branch() {
    let scene = Scene::of("github").await;
    for branch in ["main", "dev", "old"] {
        push(&scene, branch).await;
    }
    let token = scene.token(of_branch("dev"));
    let response = put(&scene, &token, &list(&["dev"])).await;
    assert_eq!(response.status(), 403);
    let problem: Value = response.json().await.unwrap();
    assert_eq!(problem["code"], "token_not_for_repository");
    assert!(
        problem["detail"]
            .as_str()
            .unwrap()
            .contains("dev is not the main branch")
    );
    assert_eq!(scene.server.current_records().await.len(), 3);
    let token = scene.token(of_branch("main"));
    assert_eq!(
        put(&scene, &token, &list(&["main", "dev"])).await.status(),
        200
    );
    assert_eq!(scene.server.current_records().await.len(), 2);
}

#[tokio::test]
async fn only_the_configured_main_branch_may_list_branches() {
    let scene = Scene::of("github").await;
    push(&scene, "main").await;
    push(&scene, "next").await;
    let (repository, next) = ("acme/payments".parse().unwrap(), "next".parse().unwrap());
    let store = scene.server.store().await;
    store
        .operator()
        .configure_main_branch(&repository, Some(&next), &Actor::service())
        .await
        .unwrap();
    for (branch, status) in [("main", 403), ("next", 200)] {
        let token = scene.token(of_branch(branch));
        let response = put(&scene, &token, &list(&["main", "next"])).await;
        assert_eq!(response.status(), status, "{branch}");
    }
}

#[tokio::test]
async fn a_pull_request_does_not_become_the_main_branch() {
    let scene = Scene::of("github").await;
    push(&scene, "develop").await;
    let request = json!({
        "event_name": "pull_request", "ref": "refs/pull/5/merge", "head_ref": "main", "base_ref": "develop",
    });
    let upload = as_identity(upload(), &scene.token(request));
    let response = upload.send(&scene.server).await;
    assert_eq!(response.status(), 201);
    let notice = response.headers()["x-coverage-notice"].to_str().unwrap();
    assert!(notice.contains("pull request"), "{notice}");
    let current = scene.server.current_records().await;
    assert_eq!(current.len(), 1);
    assert_eq!(current[0]["branch_name"], "develop");
}

/// A pipeline of GitLab on a branch called `main`, with other claims.
fn pipeline(changes: Value) -> Value {
    let mut claims = json!({
        "repository": null, "event_name": null, "actor": null, "project_path": "acme/payments",
        "ref": "main", "ref_type": "branch", "ref_path": "refs/heads/main", "user_login": "kim",
    });
    for (name, value) in changes.as_object().unwrap() {
        claims[name] = value.clone();
    }
    claims
}

#[tokio::test]
async fn a_child_pipeline_of_a_merge_request_does_not_count_as_a_branch() {
    let scene = Scene::of("gitlab").await;
    scene
        .accepts(&scene.token(pipeline(json!({ "pipeline_source": "push" }))))
        .await;
    for changes in [
        json!({ "pipeline_source": "parent_pipeline" }),
        json!({ "pipeline_source": "parent_pipeline", "ref_protected": "false" }),
        json!({ "pipeline_source": "merge_request_event", "ref_protected": "true" }),
        json!({ "pipeline_source": "external_pull_request_event" }),
        json!({ "pipeline_source": "something_new" }),
        json!({ "pipeline_source": "push", "job_project_path": "stranger/payments" }),
        json!({
            "pipeline_source": "parent_pipeline", "ref_protected": "true",
            "job_project_path": "stranger/payments",
        }),
        json!({ "pipeline_source": "push", "ref_path": "refs/merge-requests/5/head" }),
    ] {
        let token = scene.token(pipeline(changes.clone()));
        scene.refuses(&token, 403, "token_not_for_repository").await;
        let response = put(&scene, &token, &list(&["main"])).await;
        assert_eq!(response.status(), 403, "{changes}");
    }
    let child = json!({ "pipeline_source": "parent_pipeline", "ref_protected": "true" });
    scene.accepts(&scene.token(pipeline(child))).await;
}

#[tokio::test]
async fn a_child_pipeline_uploads_for_the_branch_to_be_merged() {
    let scene = Scene::of("gitlab").await;
    scene
        .accepts(&scene.token(pipeline(json!({ "pipeline_source": "push" }))))
        .await;
    let fix = pipeline(json!({
        "pipeline_source": "parent_pipeline", "ref": "fix", "ref_path": "refs/heads/fix",
    }));
    let upload = upload().with("branch_name", "fix");
    as_identity(upload, &scene.token(fix))
        .accepted(&scene.server)
        .await;
    assert_eq!(scene.server.current_records().await.len(), 2);
}
