//! Uploads with identities of CI systems.

mod accepted;
mod agreement;
mod keys;
mod main_branch;
mod pinned;
mod refused;
mod strangers;

use crate::harness::{Archive, Reachable, SigningKey, TestIssuer, TestServer, Upload, cobertura};
use jsonwebtoken::get_current_timestamp;
use serde_json::{Value, json};

/// A service, the only issuer that it lists, and a key of that issuer.
struct Scene {
    issuer: TestIssuer,
    server: TestServer,
    key: SigningKey,
}

impl Scene {
    async fn of(kind: &str) -> Self {
        Self::with(kind, SigningKey::p256("k1"), &[]).await
    }

    async fn with(kind: &str, key: SigningKey, arguments: &[&str]) -> Self {
        let issuer = TestIssuer::start(&[&key]).await;
        let listed = format!("{kind}={}", issuer.url);
        // Most of these tests cause refusals.
        let own = [
            "--oidc-issuers",
            &listed,
            "--failed-tries-per-address",
            "1000",
            "--failed-tries-per-repository",
            "1000",
        ];
        let server = TestServer::start_with(&[&own, arguments].concat()).await;
        Self {
            issuer,
            server,
            key,
        }
    }

    /// The claims of a push to the branch of the uploads here.
    fn claims(&self) -> Value {
        let now = get_current_timestamp();
        json!({
            "iss": self.issuer.url, "aud": self.server.url(""), "iat": now, "nbf": now, "exp": now + 300,
            "repository": "acme/payments", "ref": "refs/heads/main", "sha": "c1", "event_name": "push", "actor": "kim",
        })
    }

    /// An identity with these claims changed; null removes a claim.
    fn token(&self, changes: Value) -> String {
        self.key.token(&changed(self.claims(), changes))
    }

    /// Sends an upload with an identity, expects it to be accepted, and returns the answer.
    async fn accepts(&self, token: &str) -> Value {
        as_identity(upload(), token).accepted(&self.server).await
    }

    /// Sends an upload with an identity, expects this refusal, and returns its detail.
    async fn refuses(&self, token: &str, status: u16, code: &str) -> String {
        self.refuses_upload(upload(), token, status, code).await
    }

    async fn refuses_upload(&self, upload: Upload, token: &str, status: u16, code: &str) -> String {
        let (answered, problem) = as_identity(upload, token).refused(&self.server).await;
        assert_eq!(
            (answered, problem["code"].as_str()),
            (status, Some(code)),
            "{problem}"
        );
        let signature = token.rsplit('.').next().unwrap();
        assert!(signature.is_empty() || !problem.to_string().contains(signature));
        problem["detail"].as_str().unwrap().to_owned()
    }
}

fn upload() -> Upload {
    Upload::of(Archive::report("<p>", &cobertura(1, 2)).tar_gz())
}

fn as_identity(upload: Upload, token: &str) -> Upload {
    upload.authorization(Some(&format!("Bearer {token}")))
}

/// Sends a list of branches with an identity.
async fn put(scene: &Scene, token: &str, body: &Value) -> reqwest::Response {
    let request = scene.server.client.put(scene.server.url("/coverages-api"));
    let request = request.json(body).header("authorization", token);
    request.send().await.unwrap()
}

fn changed(mut claims: Value, changes: Value) -> Value {
    let object = claims.as_object_mut().unwrap();
    for (name, value) in changes.as_object().unwrap().clone() {
        if value.is_null() {
            object.remove(&name)
        } else {
            object.insert(name, value)
        };
    }
    claims
}
