//! The statuses and comments on the forge if parts did not arrive in time.

use super::*;
use crate::harness::{KINDS, Kind, Reachable};
use std::time::Duration;
use tokio::time::sleep;

/// An upload of one of two parts, for a pull request.
fn unit(forge: &ForgeStandIn) -> Upload {
    upload(forge, 80)
        .with("branch_name", "fix/tax")
        .with("pull_request", "7")
        .with("part", "unit")
        .with("parts", "unit,e2e")
        .with("summary", "1")
}

/// The last state and text of a status.
fn status(forge: &ForgeStandIn, context: &str) -> Option<(String, String)> {
    let calls = forge.calls().into_iter().rev();
    let bodies = calls.map(|call| call.body);
    let mut own = bodies.filter(|body| body["context"] == context || body["name"] == context);
    let text =
        |body: &serde_json::Value, name: &str| body[name].as_str().unwrap_or_default().to_owned();
    own.next()
        .map(|body| (text(&body, "state"), text(&body, "description")))
}

async fn page(server: &TestServer, answer: &serde_json::Value) -> String {
    let path = format!("/records/{}", answer["coverage"]["id"]);
    server.get(&path).await.text().await.unwrap()
}

#[tokio::test]
async fn the_operators_token_ends_the_wait_on_the_forge() {
    for kind in KINDS {
        let forge = ForgeStandIn::start(kind).await;
        let host = forge.api().replace("http://", "");
        let host = host.split('/').next().unwrap();
        let tokens = format!("{host}={GOOD}");
        let server = server_with(
            &[&forge],
            &["--parts-timeout", "1s", "--vcs-api-tokens", &tokens],
        )
        .await;
        let answer = unit(&forge).accepted(&server).await;
        let name = "coverage";
        assert_eq!(
            status(&forge, name).expect("a status").0,
            "pending",
            "{kind:?}"
        );
        let mut tries = 0;
        while status(&forge, name).expect("a status").0 != "success" {
            tries += 1;
            assert!(tries < 300, "{kind:?}: {:?}", forge.states());
            sleep(Duration::from_millis(100)).await;
        }
        let (state, text) = status(&forge, "coverage/rust").expect("a status");
        assert_eq!(
            (state.as_str(), text.as_str()),
            ("success", "80.00 %"),
            "{kind:?}"
        );
        let comments = forge.comments();
        let [comment] = &comments[..] else {
            panic!("{kind:?}: {comments:?}");
        };
        assert!(
            !comment.body.contains("waiting for e2e"),
            "{}",
            comment.body
        );
        // The service stores this after the answer of the forge.
        let mut tries = 0;
        while page(&server, &answer)
            .await
            .contains("may still wait for parts")
        {
            tries += 1;
            assert!(tries < 300, "{kind:?}: the note stays");
            sleep(Duration::from_millis(100)).await;
        }
    }
}

#[tokio::test]
async fn without_a_token_the_page_says_that_a_status_still_waits() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&[&forge], &["--parts-timeout", "1s"]).await;
    let answer = unit(&forge).accepted(&server).await;
    assert!(
        !page(&server, &answer)
            .await
            .contains("may still wait for parts")
    );
    let mut tries = 0;
    while !page(&server, &answer)
        .await
        .contains("may still wait for parts")
    {
        tries += 1;
        assert!(tries < 300, "it still waits");
        sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(status(&forge, "coverage").expect("a status").0, "pending");
    // Another upload of the commit updates the forge.
    unit(&forge).accepted(&server).await;
    assert!(
        !page(&server, &answer)
            .await
            .contains("may still wait for parts")
    );
    assert_eq!(status(&forge, "coverage").expect("a status").0, "success");
}
