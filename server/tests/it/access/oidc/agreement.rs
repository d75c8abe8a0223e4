//! The claims of an identity must match the parameters of its upload.

use super::{Scene, as_identity, upload};
use crate::harness::{Reachable, SigningKey, TOKEN};
use serde_json::{Value, json};
use store::actor::Actor;

const NOT_FOR: &str = "token_not_for_repository";

async fn accepts(scene: &Scene, branch: &str, changes: &Value) {
    let upload = upload().with("branch_name", branch);
    let token = scene.token(changes.clone());
    as_identity(upload, &token).accepted(&scene.server).await;
}

async fn refuses(scene: &Scene, branch: &str, changes: &Value) -> String {
    let upload = upload().with("branch_name", branch);
    let token = scene.token(changes.clone());
    scene.refuses_upload(upload, &token, 403, NOT_FOR).await
}

#[tokio::test]
async fn an_identity_is_valid_for_its_own_repository_only() {
    let scene = Scene::of("github").await;
    for other in [
        "acme/other",
        "other/payments",
        "acme/payments/x",
        "ACME/payments2",
        "payments",
    ] {
        let token = scene.token(json!({ "repository": other }));
        let sentence = scene.refuses(&token, 403, NOT_FOR).await;
        let expected = format!(
            "This identity is for {other} (claim `repository`), but org_name/repo_name is acme/payments."
        );
        assert_eq!(sentence, expected);
    }
    assert!(scene.server.records().await.is_empty());
    // Forges ignore case in names.
    accepts(&scene, "main", &json!({ "repository": "ACME/Payments" })).await;
    assert_eq!(scene.server.records().await.len(), 1);
}

#[tokio::test]
async fn an_identity_is_valid_for_its_own_commit_only() {
    let scene = Scene::of("github").await;
    let token = scene.token(json!({ "sha": "c2" }));
    let sentence = scene.refuses(&token, 403, NOT_FOR).await;
    assert_eq!(
        sentence,
        "This identity is for c2 (claim `sha`), but commit_hash is c1."
    );
}

#[tokio::test]
async fn an_identity_is_valid_for_its_own_branch_only() {
    let scene = Scene::of("github").await;
    let of = |name: &str| json!({ "ref": format!("refs/heads/{name}") });
    accepts(&scene, "feature/ü 🚀", &of("feature/ü 🚀")).await;
    let sentence = refuses(&scene, "main", &of("dev")).await;
    assert_eq!(
        sentence,
        "This identity is for refs/heads/dev (claim `ref`), so branch_name must be dev, but it is main."
    );
    refuses(&scene, "refs/heads/dev", &of("dev")).await;
    refuses(&scene, "Dev", &of("dev")).await;
    refuses(&scene, "dev/x", &of("dev")).await;
}

#[tokio::test]
async fn a_tag_with_the_name_of_a_branch_is_not_that_branch() {
    let scene = Scene::of("github").await;
    let tag = json!({ "ref": "refs/tags/main" });
    refuses(&scene, "main", &tag).await;
    accepts(&scene, "refs/tags/main", &tag).await;

    let scene = Scene::of("gitlab").await;
    let of = |kind| json!({ "project_path": "acme/payments", "ref": "main", "ref_type": kind });
    refuses(&scene, "main", &of("tag")).await;
    accepts(&scene, "refs/tags/main", &of("tag")).await;
    accepts(&scene, "main", &of("branch")).await;
    refuses(&scene, "refs/tags/main", &of("branch")).await;

    let scene = Scene::of("other").await;
    refuses(&scene, "main", &tag).await;
    accepts(&scene, "refs/tags/main", &tag).await;
}

#[tokio::test]
async fn a_pull_request_uploads_for_its_head_branch_or_its_own_ref() {
    let scene = Scene::of("github").await;
    let request = json!({
        "event_name": "pull_request", "ref": "refs/pull/5/merge", "head_ref": "fix", "base_ref": "main",
    });
    for name in ["fix", "refs/pull/5/merge", "5/merge"] {
        accepts(&scene, name, &request).await;
    }
    for name in ["main", "5", "6/merge", "pull/5/merge"] {
        refuses(&scene, name, &request).await;
    }
}

#[tokio::test]
async fn a_pull_request_uploads_for_any_commit_of_its_head_and_none_of_the_main_branch() {
    let scene = Scene::of("github").await;
    let push = scene.token(json!({ "ref": "refs/heads/main" }));
    scene.accepts(&push).await;
    let merge = "feedfacefeedfacefeedfacefeedfacefeedface";
    let request = scene.token(json!({
        "event_name": "pull_request", "ref": "refs/pull/5/merge", "head_ref": "fix", "base_ref": "main",
        "sha": merge,
    }));
    let head = || upload().with("branch_name", "fix").with("summary", "1");
    let other = head().with("commit_hash", "0ddba11");
    let answer = as_identity(other, &request).accepted(&scene.server).await;
    assert_eq!(answer["coverage"]["commit_hash"], "0ddba11");
    assert_eq!(answer["summary"]["measured_commit"], merge);
    let own = head().with("commit_hash", merge);
    let answer = as_identity(own, &request).accepted(&scene.server).await;
    assert_eq!(answer["summary"]["measured_commit"], merge);
    // The commit of the push to main.
    scene.refuses_upload(head(), &request, 403, NOT_FOR).await;
}

#[tokio::test]
async fn a_fork_pull_request_from_a_branch_named_main_is_not_main() {
    let scene = Scene::of("github").await;
    let request = json!({
        "event_name": "pull_request", "ref": "refs/pull/5/merge", "head_ref": "main", "base_ref": "main",
    });
    refuses(&scene, "main", &request).await;
    accepts(&scene, "5/merge", &request).await;
}

#[tokio::test]
async fn a_pull_request_target_job_is_for_the_base_and_never_for_the_head() {
    let scene = Scene::of("github").await;
    let target = json!({
        "event_name": "pull_request_target", "ref": "refs/heads/main", "head_ref": "fix", "base_ref": "main",
    });
    refuses(&scene, "fix", &target).await;
    accepts(&scene, "main", &target).await;
}

#[tokio::test]
async fn nested_groups_of_gitlab_are_the_org() {
    let scene = Scene::of("gitlab").await;
    let claims = json!({
        "project_path": "acme/platform/core/payments", "ref": "main", "ref_type": "branch",
    });
    let token = scene.token(claims);
    let nested = upload().with("org_name", "acme/platform/core");
    as_identity(nested, &token).accepted(&scene.server).await;
    for org in ["acme", "acme/platform", "platform/core"] {
        let other = upload().with("org_name", org);
        scene.refuses_upload(other, &token, 403, NOT_FOR).await;
    }
}

#[tokio::test]
async fn the_first_missing_claim_is_named_in_the_refusal() {
    for (kind, claim) in [
        ("github", "repository"),
        ("github", "ref"),
        ("github", "sha"),
        ("gitlab", "project_path"),
        ("other", "sha"),
    ] {
        let scene = Scene::of(kind).await;
        let token = scene.token(json!({ claim: null }));
        let sentence = scene.refuses(&token, 403, NOT_FOR).await;
        assert!(
            sentence.starts_with(&format!("This identity has no claim `{claim}`")),
            "{sentence}"
        );
    }
}

#[tokio::test]
async fn an_issuer_may_upload_only_for_the_orgs_bound_to_it() {
    let orgs = ["--upload-orgs", "tools,other/team"];
    let scene = Scene::with("github", SigningKey::p256("k1"), &orgs).await;
    let sentence = scene.refuses(&scene.token(json!({})), 403, NOT_FOR).await;
    assert!(
        sentence.contains("acme/payments") && sentence.contains("org"),
        "{sentence}"
    );
    for (org, repository) in [
        ("tools", "tools/payments"),
        ("other/team/x", "other/team/x/payments"),
    ] {
        let token = scene.token(json!({ "repository": repository }));
        let upload = upload().with("org_name", org);
        as_identity(upload, &token).accepted(&scene.server).await;
    }
    let token = scene.token(json!({ "repository": "other/payments" }));
    let other = upload().with("org_name", "other");
    scene.refuses_upload(other, &token, 403, NOT_FOR).await;
}

#[tokio::test]
async fn an_issuer_without_an_org_learns_nothing_about_its_repositories() {
    let arguments = ["--upload-token", TOKEN, "--upload-orgs", "tools"];
    let scene = Scene::with("gitlab", SigningKey::p256("k1"), &arguments).await;
    upload().accepted(&scene.server).await;
    let mut sentences = Vec::new();
    for repo in ["payments", "other"] {
        // For the branch and the commit of the record.
        let token = scene.token(json!({
            "project_path": format!("acme/{repo}"), "ref": "main", "ref_type": "branch", "user_login": "kim",
            "pipeline_source": "merge_request_event",
        }));
        let own = upload().with("repo_name", repo);
        let sentence = scene.refuses_upload(own, &token, 403, NOT_FOR).await;
        assert!(sentence.contains("UPLOAD_ORGS"), "{sentence}");
        sentences.push(sentence.replace(repo, "…"));
    }
    assert_eq!(sentences[0], sentences[1]);
}

#[tokio::test]
async fn a_pull_request_never_counts_as_the_main_branch() {
    let scene = Scene::of("gitlab").await;
    let merge_request = |branch: &str| {
        scene.token(json!({
            "project_path": "acme/payments", "ref": branch, "ref_type": "branch", "user_login": "kim",
            "pipeline_source": "merge_request_event",
        }))
    };
    let push = scene.token(json!({
        "project_path": "acme/payments", "ref": "main", "ref_type": "branch", "user_login": "kim",
    }));
    scene.accepts(&push).await;
    let sentence = scene.refuses(&merge_request("main"), 403, NOT_FOR).await;
    assert!(sentence.contains("main branch"), "{sentence}");
    let feature = upload().with("branch_name", "feature/x");
    as_identity(feature, &merge_request("feature/x"))
        .accepted(&scene.server)
        .await;
}

#[tokio::test]
async fn a_pull_request_never_counts_as_a_future_main_branch() {
    let scene = Scene::of("gitlab").await;
    let claims = |branch: &str, source: &str| {
        scene.token(json!({
            "project_path": "acme/payments", "ref": branch, "ref_type": "branch", "user_login": "kim",
            "pipeline_source": source,
        }))
    };
    scene.accepts(&claims("main", "push")).await;
    let (repository, branch) = ("acme/payments".parse().unwrap(), "next".parse().unwrap());
    let store = scene.server.store().await;
    store
        .operator()
        .configure_main_branch(&repository, Some(&branch), &Actor::service())
        .await
        .unwrap();
    let next = upload().with("branch_name", "next");
    let request = claims("next", "merge_request_event");
    let sentence = scene
        .refuses_upload(next.clone(), &request, 403, NOT_FOR)
        .await;
    assert!(sentence.contains("main branch"), "{sentence}");
    as_identity(next, &claims("next", "push"))
        .accepted(&scene.server)
        .await;
}
