//! A name that was given up and registered again is another repository.

use super::{Scene, as_identity, upload};
use futures::future::join_all;
use serde_json::{Value, json};

fn github(repository: &str, owner: &str) -> Value {
    json!({ "repository_id": repository, "repository_owner_id": owner })
}

fn gitlab(project: &str, namespace: &str) -> Value {
    json!({
        "repository": null, "project_path": "acme/payments", "ref": "main", "ref_type": "branch",
        "project_id": project, "namespace_id": namespace,
    })
}

/// Runs `coverage-dashboard unpin-identity …` and returns its output.
fn unpin(scene: &Scene, repository: &str) -> (bool, String) {
    let arguments = ["unpin-identity", repository];
    let output = scene.server.command(&arguments).output().unwrap();
    let messages = String::from_utf8(output.stderr).unwrap();
    (output.status.success(), messages)
}

async fn refuses(scene: &Scene, claims: Value) {
    let token = scene.token(claims);
    let sentence = scene.refuses(&token, 403, "token_not_for_repository").await;
    let command = "`coverage-dashboard unpin-identity acme/payments`";
    assert!(sentence.contains(command), "{sentence}");
}

#[tokio::test]
async fn a_repository_is_pinned_to_the_ids_of_its_first_identity() {
    for (kind, of) in [
        ("github", github as fn(&str, &str) -> Value),
        ("gitlab", gitlab),
    ] {
        let scene = Scene::of(kind).await;
        scene.accepts(&scene.token(of("7", "1"))).await;
        scene.accepts(&scene.token(of("7", "1"))).await;
        for other in [of("8", "1"), of("7", "2"), of("8", "2")] {
            refuses(&scene, other).await;
        }
        let mut without = of("7", "1");
        for name in ["repository_id", "project_id"] {
            without[name] = Value::Null;
        }
        refuses(&scene, without).await;
    }
}

#[tokio::test]
async fn after_a_real_move_a_command_pins_the_ids_of_the_next_identity() {
    let scene = Scene::of("github").await;
    scene.accepts(&scene.token(github("7", "1"))).await;
    refuses(&scene, github("8", "2")).await;
    let (done, messages) = unpin(&scene, "acme/payments");
    assert!(
        done && messages.contains("repository 7 of owner 1"),
        "{messages}"
    );
    scene.accepts(&scene.token(github("8", "2"))).await;
    refuses(&scene, github("7", "1")).await;
    let (done, messages) = unpin(&scene, "acme/nosuch");
    assert!(
        !done && messages.contains("nothing was ever uploaded"),
        "{messages}"
    );
}

#[tokio::test]
async fn a_repository_without_ids_is_pinned_by_the_first_identity_with_ids() {
    let scene = Scene::of("github").await;
    scene.accepts(&scene.token(json!({}))).await;
    let (done, messages) = unpin(&scene, "acme/payments");
    assert!(
        done && messages.contains("no pinned identity"),
        "{messages}"
    );
    scene.accepts(&scene.token(github("7", "1"))).await;
    refuses(&scene, github("8", "1")).await;
    refuses(&scene, json!({})).await;
}

#[tokio::test]
async fn a_list_of_branches_must_have_the_pinned_ids() {
    let scene = Scene::of("github").await;
    scene.accepts(&scene.token(github("7", "1"))).await;
    let body = json!({
        "org_name": "acme", "repo_name": "payments", "commit_hash": "c1", "active_branches": ["main"],
    });
    for (repository, status) in [("7", 200), ("8", 403)] {
        let token = scene.token(github(repository, "1"));
        assert_eq!(super::put(&scene, &token, &body).await.status(), status);
    }
}

#[tokio::test]
async fn an_identity_with_other_ids_leaves_nothing_behind() {
    let scene = Scene::of("github").await;
    let token = scene.token(github("7", "1"));
    as_identity(upload(), &token).accepted(&scene.server).await;
    refuses(&scene, github("8", "1")).await;
    assert_eq!(scene.server.stored_files().len(), 1);
}

#[tokio::test]
async fn two_concurrent_first_identities_pin_one_repository() {
    let scene = Scene::of("github").await;
    let tokens: Vec<_> = (0..8)
        .map(|number| scene.token(github(&number.to_string(), "1")))
        .collect();
    let sent = tokens.iter().map(|token| {
        let upload = as_identity(upload(), token);
        async { upload.send(&scene.server).await.status().as_u16() }
    });
    let mut answers = join_all(sent).await;
    answers.sort_unstable();
    assert_eq!(answers[0], 201, "{answers:?}");
    assert_eq!(answers[1..], [403; 7]);
}
