//! Stand-ins for forges: they answer as GitHub, GitLab and Gitea document it, or misbehave.

mod addresses;
mod answers;
mod authors;
mod comments;
mod pulls;

pub use comments::Comment;
pub use pulls::{OpenPull, TREE_OF_HEAD};

use answers::misbehave;
use axum::{
    Router,
    body::Bytes,
    extract::{ConnectInfo, State},
    http::{HeaderMap, Method, Uri},
    response::Response,
};
use serde_json::Value;
use std::{
    collections::{HashMap, HashSet},
    net::SocketAddr,
    sync::{Arc, Mutex},
};
use tokio::{net::TcpListener, sync::Barrier, task::JoinHandle};

/// The API of a forge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    GitHub,
    GitLab,
    Gitea,
}

pub const KINDS: [Kind; 3] = [Kind::GitHub, Kind::GitLab, Kind::Gitea];

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::GitHub => "github",
            Self::GitLab => "gitlab",
            Self::Gitea => "gitea",
        }
    }

    fn base(self) -> &'static str {
        match self {
            Self::GitHub => "",
            Self::GitLab => "/api/v4",
            Self::Gitea => "/api/v1",
        }
    }
}

/// The names in the path and the query of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    pub repository: String,
    pub branch: String,
    pub sha: String,
}

/// How a stand-in answers a call.
#[derive(Clone, Debug)]
pub enum ForgeBehaviour {
    /// As the forge documents it.
    Documented,
    /// With this status, these headers and this body, always.
    Answer(u16, Vec<(&'static str, String)>, String),
    /// Never answers.
    Silent,
    /// Answers as documented once the barrier is full of waiting calls. Only for comparisons.
    Together(Arc<Barrier>),
    /// Answers one byte at a time and never ends.
    Dripping,
    /// Answers as fast as it can and never ends.
    Endless,
    /// Hangs up in the middle of its answer.
    HangUp,
}

/// A call that a stand-in received.
#[derive(Clone, Debug)]
pub struct Call {
    pub method: Method,
    pub path: String,
    pub headers: HeaderMap,
    pub body: Value,
    /// The address of the client.
    pub peer: SocketAddr,
}

/// A stand-in for a forge, stopped when dropped. It accepts the tokens below for `acme/payments` and for the repositories
/// in [`Self::allow`], and knows every commit except [`NO_COMMIT`]. Each branch contains every commit except those in
/// [`Self::leave_out`].
pub struct ForgeStandIn {
    kind: Kind,
    address: SocketAddr,
    shared: Arc<Shared>,
    running: JoinHandle<()>,
}

struct Shared {
    kind: Kind,
    behaviour: Mutex<ForgeBehaviour>,
    repositories: Mutex<HashSet<String>>,
    calls: Mutex<Vec<Call>>,
    compared: Mutex<Vec<Compared>>,
    comparing: Mutex<ForgeBehaviour>,
    outside: Mutex<HashSet<(String, String)>>,
    pending: Mutex<HashSet<(String, String)>>,
    pull: Mutex<Option<OpenPull>>,
    reading: Mutex<ForgeBehaviour>,
    read: Mutex<Vec<String>>,
    comments: Mutex<Vec<Comment>>,
    comment_calls: Mutex<Vec<String>>,
    commenting: Mutex<ForgeBehaviour>,
    authors: Mutex<HashMap<String, String>>,
    authored: Mutex<Vec<String>>,
}

/// A token that may write.
pub const GOOD: &str = "forge-t0ken-that-may-write";
/// A token that may write statuses but not compare.
pub const STATUSES_ONLY: &str = "forge-t0ken-for-statuses";
/// A token that may only read.
pub const READS_ONLY: &str = "forge-t0ken-that-reads";
pub const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";
/// A commit that no repository has.
pub const NO_COMMIT: &str = "0000000000000000000000000000000000000000";

impl ForgeStandIn {
    pub async fn start(kind: Kind) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            kind,
            behaviour: Mutex::new(ForgeBehaviour::Documented),
            repositories: Mutex::new(HashSet::from(["acme/payments".to_owned()])),
            calls: Mutex::default(),
            compared: Mutex::default(),
            comparing: Mutex::new(ForgeBehaviour::Documented),
            outside: Mutex::default(),
            pending: Mutex::default(),
            pull: Mutex::default(),
            reading: Mutex::new(ForgeBehaviour::Documented),
            read: Mutex::default(),
            comments: Mutex::default(),
            comment_calls: Mutex::default(),
            commenting: Mutex::new(ForgeBehaviour::Documented),
            authors: Mutex::default(),
            authored: Mutex::default(),
        });
        let router = Router::new().fallback(answer).with_state(shared.clone());
        let service = router.into_make_service_with_connect_info::<SocketAddr>();
        let running = tokio::spawn(async move { axum::serve(listener, service).await.unwrap() });
        Self {
            kind,
            address,
            shared,
            running,
        }
    }

    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The address of its API.
    pub fn api(&self) -> String {
        format!("http://{}{}", self.address, self.kind.base())
    }

    /// The item of VCS_API_URLS for it.
    pub fn listed(&self) -> String {
        format!("{}={}", self.kind.name(), self.api())
    }

    pub fn behave(&self, behaviour: ForgeBehaviour) {
        *self.shared.behaviour.lock().unwrap() = behaviour;
    }

    pub fn allow(&self, repository: &str) {
        let mut repositories = self.shared.repositories.lock().unwrap();
        repositories.insert(repository.to_owned());
    }

    /// Sets how it answers comparisons. Calls about statuses do not change.
    pub fn behave_comparing(&self, behaviour: ForgeBehaviour) {
        *self.shared.comparing.lock().unwrap() = behaviour;
    }

    /// Makes the branch not contain this commit.
    pub fn leave_out(&self, branch: &str, sha: &str) {
        let mut outside = self.shared.outside.lock().unwrap();
        outside.insert((branch.to_owned(), sha.to_owned()));
    }

    /// Makes the branch contain this commit again.
    pub fn let_in(&self, branch: &str, sha: &str) {
        let mut outside = self.shared.outside.lock().unwrap();
        outside.remove(&(branch.to_owned(), sha.to_owned()));
    }

    /// Opens a pull request, in place of the one before.
    pub fn open(&self, pull: OpenPull) {
        *self.shared.pull.lock().unwrap() = Some(pull);
    }

    /// Sets how it answers calls about pull requests.
    pub fn behave_reading(&self, behaviour: ForgeBehaviour) {
        *self.shared.reading.lock().unwrap() = behaviour;
    }

    /// The calls about pull requests: path and query behind the API's address.
    pub fn read(&self) -> Vec<String> {
        self.shared.read.lock().unwrap().clone()
    }

    pub fn compared(&self) -> Vec<Compared> {
        self.shared.compared.lock().unwrap().clone()
    }

    /// The calls about statuses.
    pub fn calls(&self) -> Vec<Call> {
        self.shared.calls.lock().unwrap().clone()
    }

    /// The states of the calls about statuses, in order.
    pub fn states(&self) -> Vec<String> {
        let states = self.calls().into_iter();
        states
            .map(|call| call.body["state"].as_str().unwrap().to_owned())
            .collect()
    }
}

impl Drop for ForgeStandIn {
    fn drop(&mut self) {
        self.running.abort();
    }
}

async fn answer(
    State(shared): State<Arc<Shared>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if let Some(answer) = shared.answer_about_author(&uri, &headers) {
        return answer;
    }
    if shared.kind.is_about_comments(&uri) {
        let body = serde_json::from_slice(&body).unwrap_or_default();
        return shared
            .answer_about_comments(method, &uri, &headers, &body)
            .await;
    }
    if shared.kind.is_about_pulls(&uri) {
        assert_eq!(method, Method::GET);
        return shared.answer_about_pulls(&uri, &headers).await;
    }
    if let Some(compared) = shared.kind.compared(&uri) {
        assert_eq!(method, Method::GET);
        shared.compared.lock().unwrap().push(compared.clone());
        let behaviour = shared.comparing.lock().unwrap().clone();
        return match behaviour {
            ForgeBehaviour::Documented => shared.comparison(&headers, &compared),
            ForgeBehaviour::Together(calls) => {
                calls.wait().await;
                shared.comparison(&headers, &compared)
            }
            other => misbehave(other).await,
        };
    }
    let call = Call {
        method,
        path: uri.path().to_owned(),
        headers,
        body: serde_json::from_slice(&body).unwrap_or_default(),
        peer,
    };
    shared.calls.lock().unwrap().push(call.clone());
    let behaviour = shared.behaviour.lock().unwrap().clone();
    match behaviour {
        ForgeBehaviour::Documented => shared.documented(&call),
        other => misbehave(other).await,
    }
}
