//! Uploads with the job's token of a forge.

use super::{COMMIT, LCOV, UPLOAD, payload, put, record, refusal, server_with, stated};
use crate::harness::{ForgeStandIn, GOOD, Kind, Reachable, within_deadline};
use serde_json::Value;
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
