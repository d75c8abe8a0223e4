//! A stand-in for an OpenID Connect issuer at which people log in. It checks what a client must send, and can misbehave.
//!
//! Everyone who comes is logged in at once, as the person whose claims the test has set.

use super::issuer::SigningKey;
use axum::{
    Json, Router,
    extract::{Form, Query, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
    routing::{get, post},
};
use base64::{Engine, prelude::BASE64_STANDARD, prelude::BASE64_URL_SAFE_NO_PAD};
use jsonwebtoken::get_current_timestamp;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};
use tokio::{net::TcpListener, sync::Semaphore, task::JoinHandle};

/// The id of the service, and the secret that it shares with the issuer.
pub const CLIENT: &str = "coverage";
const CLIENT_SECRET: &str = "s3cret:%/ä";

/// How it misbehaves.
#[derive(Clone, Debug, PartialEq)]
pub enum LoginFault {
    /// Changes of the claims of its identities; null removes a claim.
    Claims(Value),
    /// Seconds that its clock is ahead.
    Clock(i64),
    /// It signs with a key that it does not publish.
    Signature,
    /// It redirects people to the service with this error instead of a code.
    Denied(&'static str),
    /// It answers the exchange of a code with this status and text.
    Exchange(u16, String),
    /// Its discovery document has these members instead.
    Discovery(Value),
    /// Its answer to a request for more claims of the person.
    Userinfo(u16, Value),
    /// It accepts the secret in the body only.
    SecretInBody,
    /// It answers an exchange of a code only when it is released.
    Waiting,
}

/// An issuer on loopback, stopped when dropped.
pub struct LoginIssuer {
    pub url: String,
    shared: Arc<Shared>,
    serving: JoinHandle<()>,
}

struct Shared {
    url: String,
    key: Mutex<SigningKey>,
    claims: Mutex<Value>,
    faults: Mutex<Vec<LoginFault>>,
    /// The parameters of the login that each code was issued for.
    codes: Mutex<HashMap<String, HashMap<String, String>>>,
    /// The paths that were requested.
    requests: Mutex<Vec<&'static str>>,
    /// How many waiting answers it may send.
    released: Semaphore,
}

type Shares = State<Arc<Shared>>;

impl LoginIssuer {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let shared = Arc::new(Shared {
            url: url.clone(),
            key: Mutex::new(SigningKey::p256("k1")),
            claims: Mutex::new(json!({ "sub": "kim-1", "email": "kim@example.com" })),
            faults: Mutex::default(),
            codes: Mutex::default(),
            requests: Mutex::default(),
            released: Semaphore::new(0),
        });
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/keys", get(keys))
            .route("/authorize", get(authorize))
            .route("/token", post(token))
            .route("/userinfo", get(userinfo))
            .with_state(shared.clone());
        let serving = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self {
            url,
            shared,
            serving,
        }
    }

    /// The flags of a service that trusts it.
    pub fn flags(&self) -> Vec<&str> {
        vec![
            "--protect-reading",
            "--login-issuer",
            &self.url,
            "--login-client-id",
            CLIENT,
            "--login-client-secret",
            CLIENT_SECRET,
        ]
    }

    /// Who logs in from now on.
    pub fn logs_in(&self, claims: Value) {
        *self.shared.claims.lock().unwrap() = claims;
    }

    pub fn misbehave(&self, faults: &[LoginFault]) {
        *self.shared.faults.lock().unwrap() = faults.to_vec();
    }

    /// Signs with another key from now on, and publishes only that.
    pub fn change_key(&self, id: &str) {
        *self.shared.key.lock().unwrap() = SigningKey::p256(id);
    }

    /// Lets it answer once if it waits.
    pub fn release(&self) {
        self.shared.released.add_permits(1);
    }

    /// How often a path was requested.
    pub fn requests(&self, path: &str) -> usize {
        let requests = self.shared.requests.lock().unwrap();
        requests
            .iter()
            .filter(|requested| **requested == path)
            .count()
    }
}

impl Drop for LoginIssuer {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Shared {
    fn fault<T>(&self, find: impl Fn(&LoginFault) -> Option<T>) -> Option<T> {
        self.faults.lock().unwrap().iter().find_map(find)
    }

    fn is(&self, fault: &LoginFault) -> bool {
        self.faults.lock().unwrap().contains(fault)
    }

    fn note(&self, path: &'static str) {
        self.requests.lock().unwrap().push(path);
    }

    /// An identity for the login that a code was issued for.
    fn identity(&self, given_for: &HashMap<String, String>) -> String {
        let clock = self.fault(|fault| match fault {
            LoginFault::Clock(seconds) => Some(*seconds),
            _ => None,
        });
        let now = get_current_timestamp() as i64 + clock.unwrap_or_default();
        let mut claims = json!({
            "iss": self.url, "aud": CLIENT, "iat": now, "nbf": now, "exp": now + 300,
            "nonce": given_for["nonce"],
        });
        let person = self.claims.lock().unwrap().clone();
        change(&mut claims, &person);
        let changes = self.fault(|fault| match fault {
            LoginFault::Claims(changes) => Some(changes.clone()),
            _ => None,
        });
        change(&mut claims, &changes.unwrap_or(json!({})));
        let key = self.key.lock().unwrap().clone();
        if self.is(&LoginFault::Signature) {
            return SigningKey::p256(&key.id).token(&claims);
        }
        key.token(&claims)
    }
}

/// Sets members; null removes one.
fn change(claims: &mut Value, changes: &Value) {
    let members = claims.as_object_mut().unwrap();
    for (name, value) in changes.as_object().unwrap() {
        if value.is_null() {
            members.remove(name);
        } else {
            members.insert(name.clone(), value.clone());
        }
    }
}

async fn discovery(State(shared): Shares) -> Json<Value> {
    shared.note("/.well-known/openid-configuration");
    let url = &shared.url;
    let mut document = json!({
        "issuer": url,
        "jwks_uri": format!("{url}/keys"),
        "authorization_endpoint": format!("{url}/authorize?tenant=a"),
        "token_endpoint": format!("{url}/token"),
        "userinfo_endpoint": format!("{url}/userinfo"),
    });
    if shared.is(&LoginFault::SecretInBody) {
        document["token_endpoint_auth_methods_supported"] = json!(["client_secret_post"]);
    }
    let changes = shared.fault(|fault| match fault {
        LoginFault::Discovery(changes) => Some(changes.clone()),
        _ => None,
    });
    change(&mut document, &changes.unwrap_or(json!({})));
    Json(document)
}

async fn keys(State(shared): Shares) -> Json<Value> {
    shared.note("/keys");
    let key = shared.key.lock().unwrap().public();
    Json(json!({ "keys": [key] }))
}

async fn authorize(
    State(shared): Shares,
    Query(asked): Query<HashMap<String, String>>,
) -> Redirect {
    shared.note("/authorize");
    assert_eq!(asked["response_type"], "code");
    assert_eq!(asked["client_id"], CLIENT);
    assert_eq!(asked["tenant"], "a", "the endpoint has a query of its own");
    assert_eq!(asked["code_challenge_method"], "S256");
    assert!(asked["redirect_uri"].ends_with("/login/callback"));
    assert!(asked["scope"].split(' ').any(|scope| scope == "openid"));
    for secret in ["state", "nonce", "code_challenge"] {
        assert!(asked[secret].len() >= 32, "{secret}");
    }
    let denied = shared.fault(|fault| match fault {
        LoginFault::Denied(error) => Some(*error),
        _ => None,
    });
    let back = |answer: String| {
        let state = &asked["state"];
        let issuer = shared.url.replace(':', "%3A").replace('/', "%2F");
        Redirect::to(&format!(
            "{}?{answer}&state={state}&iss={issuer}",
            asked["redirect_uri"]
        ))
    };
    if let Some(error) = denied {
        return back(format!("error={error}"));
    }
    let code = format!("code-{}", rand::random::<u64>());
    let redirect = back(format!("code={code}"));
    shared.codes.lock().unwrap().insert(code, asked);
    redirect
}

/// Refuses a code that was used before, of another client, or without the verifier of its challenge.
async fn token(
    State(shared): Shares,
    headers: HeaderMap,
    Form(sent): Form<HashMap<String, String>>,
) -> Response {
    shared.note("/token");
    if shared.is(&LoginFault::Waiting) {
        shared.released.acquire().await.unwrap().forget();
    }
    let answer = shared.fault(|fault| match fault {
        LoginFault::Exchange(status, text) => Some((*status, text.clone())),
        _ => None,
    });
    if let Some((status, text)) = answer {
        return (StatusCode::from_u16(status).unwrap(), text).into_response();
    }
    let refuse =
        |error: &str| (StatusCode::BAD_REQUEST, Json(json!({ "error": error }))).into_response();
    let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let basic = format!("{}:{}", encoded(CLIENT), encoded(CLIENT_SECRET));
    let basic = format!("Basic {}", BASE64_STANDARD.encode(basic));
    let is_known = if shared.is(&LoginFault::SecretInBody) {
        sent.get("client_id").is_some_and(|id| id == CLIENT)
            && sent
                .get("client_secret")
                .is_some_and(|secret| secret == CLIENT_SECRET)
    } else {
        headers
            .get(header::AUTHORIZATION)
            .is_some_and(|value| value == &basic)
    };
    if !is_known {
        return refuse("invalid_client");
    }
    assert_eq!(sent["grant_type"], "authorization_code");
    let Some(given_for) = shared.codes.lock().unwrap().remove(&sent["code"]) else {
        return refuse("invalid_grant");
    };
    let challenge = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(&sent["code_verifier"]));
    if given_for["code_challenge"] != challenge || given_for["redirect_uri"] != sent["redirect_uri"]
    {
        return refuse("invalid_grant");
    }
    Json(json!({
        "token_type": "Bearer",
        "access_token": "for-userinfo",
        "id_token": shared.identity(&given_for),
    }))
    .into_response()
}

async fn userinfo(State(shared): Shares, headers: HeaderMap) -> Response {
    shared.note("/userinfo");
    assert_eq!(headers[header::AUTHORIZATION], "Bearer for-userinfo");
    let answer = shared.fault(|fault| match fault {
        LoginFault::Userinfo(status, claims) => Some((*status, claims.clone())),
        _ => None,
    });
    let (status, claims) = answer.unwrap_or((200, json!({ "sub": "kim-1" })));
    (StatusCode::from_u16(status).unwrap(), Json(claims)).into_response()
}
