//! A stand-in for an issuer of identities, which can misbehave.

use aws_lc_rs::{
    encoding::AsDer,
    rsa::{KeyPair, KeySize},
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair},
};
use axum::{
    Json, Router,
    body::Body,
    extract::{Query, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use futures::{StreamExt, stream};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode, get_current_timestamp, jwk::Jwk};
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};
use tokio::{net::TcpListener, sync::watch, task::JoinHandle};

/// A key that signs identities.
#[derive(Clone)]
pub struct SigningKey {
    pub id: String,
    pub algorithm: Algorithm,
    pub secret: EncodingKey,
}

impl SigningKey {
    /// A key for ES256.
    pub fn p256(id: &str) -> Self {
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap();
        Self {
            id: id.to_owned(),
            algorithm: Algorithm::ES256,
            secret: EncodingKey::from_ec_der(pair.to_pkcs8v1().unwrap().as_ref()),
        }
    }

    /// A key for RS256, with 2048 bits. It is generated once, because that is slow.
    pub fn rsa(id: &str) -> Self {
        /// The PKCS #8 bytes around such a key.
        const WRAPPING: usize = 26;
        static KEY: OnceLock<Vec<u8>> = OnceLock::new();
        let key = KEY.get_or_init(|| {
            let pair = KeyPair::generate(KeySize::Rsa2048).unwrap();
            pair.as_der().unwrap().as_ref()[WRAPPING..].to_vec()
        });
        Self {
            id: id.to_owned(),
            algorithm: Algorithm::RS256,
            secret: EncodingKey::from_rsa_der(key),
        }
    }

    /// The public part, as an issuer publishes it.
    pub fn public(&self) -> Value {
        let mut key = Jwk::from_encoding_key(&self.secret, self.algorithm).unwrap();
        key.common.key_id = Some(self.id.clone());
        serde_json::to_value(key).unwrap()
    }

    pub fn header(&self) -> Header {
        Header {
            kid: Some(self.id.clone()),
            ..Header::new(self.algorithm)
        }
    }

    pub fn token(&self, claims: &Value) -> String {
        encode(&self.header(), claims, &self.secret).unwrap()
    }
}

/// How an issuer answers.
#[derive(Clone)]
pub enum IssuerBehaviour {
    Honest,
    /// With status 500.
    Failing,
    /// With a redirect of its discovery document or its keys to this address.
    Redirecting(&'static str, String),
    /// With a discovery document that names this address of keys.
    KeysAt(String),
    /// With a discovery document of this issuer.
    Called(String),
    /// With an answer that never ends.
    Endless,
    /// With an answer that is too large.
    Large,
    /// With this text to every request.
    Text(&'static str),
}

/// The token with which a job asks its runner for an identity.
pub const RUNNER_TOKEN: &str = "runner-t0ken";

/// An issuer on loopback, stopped when dropped.
pub struct TestIssuer {
    pub url: String,
    shared: Arc<Shared>,
    serving: JoinHandle<()>,
}

struct Shared {
    url: String,
    behaviour: Mutex<IssuerBehaviour>,
    keys: Mutex<Vec<Value>>,
    discoveries: AtomicUsize,
    key_sets: AtomicUsize,
    open: watch::Sender<bool>,
}

const DISCOVERY: &str = "/.well-known/openid-configuration";
const KEYS: &str = "/keys";

impl TestIssuer {
    pub async fn start(keys: &[&SigningKey]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let shared = Arc::new(Shared {
            url: url.clone(),
            behaviour: Mutex::new(IssuerBehaviour::Honest),
            keys: Mutex::default(),
            discoveries: AtomicUsize::new(0),
            key_sets: AtomicUsize::new(0),
            open: watch::Sender::new(true),
        });
        let router = Router::new()
            .route(DISCOVERY, get(discovery))
            .route(KEYS, get(key_set))
            .with_state(shared.clone());
        let serving = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        let issuer = Self {
            url,
            shared,
            serving,
        };
        issuer.publish(keys);
        issuer
    }

    /// Starts what issues identities to jobs, as a GitHub runner has it: `…?api-version=2&audience=…`, to be asked with
    /// [`RUNNER_TOKEN`]. A job runs for a commit on the branch `feature/x` of `acme/payments`.
    pub async fn runner(&self, key: SigningKey, commit: &str) -> String {
        let (issuer, commit) = (self.url.clone(), commit.to_owned());
        let identity =
            async move |headers: HeaderMap, Query(query): Query<HashMap<String, String>>| {
                assert_eq!(headers["authorization"], format!("Bearer {RUNNER_TOKEN}"));
                let now = get_current_timestamp();
                let claims = json!({
                    "iss": issuer, "aud": query["audience"], "nbf": now, "exp": now + 300,
                    "repository": "acme/payments", "ref": "refs/heads/feature/x", "sha": commit,
                    "event_name": "push", "actor": "kim",
                });
                Json(json!({ "count": 1, "value": key.token(&claims) }))
            };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route("/idtoken", get(identity));
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        format!("http://{address}/idtoken?api-version=2")
    }

    /// Publishes these keys and no others.
    pub fn publish(&self, keys: &[&SigningKey]) {
        self.publish_exactly(keys.iter().map(|key| key.public()).collect());
    }

    pub fn publish_exactly(&self, keys: Vec<Value>) {
        *self.shared.keys.lock().unwrap() = keys;
    }

    pub fn behave(&self, behaviour: IssuerBehaviour) {
        *self.shared.behaviour.lock().unwrap() = behaviour;
    }

    /// Opens or closes it. While it is closed, all requests wait.
    pub fn open(&self, open: bool) {
        self.shared.open.send_replace(open);
    }

    /// The numbers of requests for its discovery document and its keys.
    pub fn requests(&self) -> (usize, usize) {
        (
            self.shared.discoveries.load(Ordering::SeqCst),
            self.shared.key_sets.load(Ordering::SeqCst),
        )
    }
}

impl Drop for TestIssuer {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn discovery(State(shared): State<Arc<Shared>>) -> Response {
    shared.discoveries.fetch_add(1, Ordering::SeqCst);
    let (mut issuer, mut keys) = (shared.url.clone(), format!("{}{KEYS}", shared.url));
    match shared.behaviour.lock().unwrap().clone() {
        IssuerBehaviour::KeysAt(url) => keys = url,
        IssuerBehaviour::Called(name) => issuer = name,
        _ => {}
    }
    shared
        .answer(DISCOVERY, json!({ "issuer": issuer, "jwks_uri": keys }))
        .await
}

async fn key_set(State(shared): State<Arc<Shared>>) -> Response {
    shared.key_sets.fetch_add(1, Ordering::SeqCst);
    let keys = shared.keys.lock().unwrap().clone();
    shared.answer(KEYS, json!({ "keys": keys })).await
}

impl Shared {
    async fn answer(&self, path: &str, document: Value) -> Response {
        self.open.subscribe().wait_for(|open| *open).await.unwrap();
        let behaviour = self.behaviour.lock().unwrap().clone();
        let json = [(header::CONTENT_TYPE, "application/json")];
        match behaviour {
            IssuerBehaviour::Failing => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
            IssuerBehaviour::Redirecting(from, to) if from == path => {
                Redirect::temporary(&to).into_response()
            }
            IssuerBehaviour::Endless => {
                let beginning = stream::iter([Ok::<_, std::io::Error>("{")]);
                let body = Body::from_stream(beginning.chain(stream::pending()));
                (json, body).into_response()
            }
            IssuerBehaviour::Large => {
                (json, " ".repeat(1 << 20) + &document.to_string()).into_response()
            }
            IssuerBehaviour::Text(text) => (json, text).into_response(),
            _ => Json(document).into_response(),
        }
    }
}
