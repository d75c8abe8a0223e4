//! Stand-ins for forges: they answer as GitHub, GitLab and Gitea document it, or misbehave.

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{ConnectInfo, State},
    http::{HeaderMap, Method, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use futures::stream;
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};
use std::{
    collections::HashSet,
    future::pending,
    io,
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{net::TcpListener, sync::Barrier, task::JoinHandle, time::sleep};

/// Which API it has.
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

    /// The repository and the commit that a path names, where it is that of a status.
    fn target(self, path: &str) -> Option<(String, String)> {
        let path = path.strip_prefix(self.base())?;
        let segments: Vec<_> = path.split('/').skip(1).collect();
        let decoded = |segment: &str| percent_decode_str(segment).decode_utf8_lossy().into_owned();
        match (self, &segments[..]) {
            (Self::GitLab, ["projects", project, "statuses", sha]) => {
                Some((decoded(project), decoded(sha)))
            }
            (Self::GitHub | Self::Gitea, ["repos", org, repo, "statuses", sha]) => {
                Some((format!("{}/{}", decoded(org), decoded(repo)), decoded(sha)))
            }
            _ => None,
        }
    }
}

/// The names that the path and the query of a comparison have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    pub repository: String,
    pub branch: String,
    pub sha: String,
}

impl Kind {
    fn compared(self, uri: &Uri) -> Option<Compared> {
        let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let path = uri.path().strip_prefix(self.base())?;
        let query = uri.query().unwrap_or_default();
        let (repository, branch, sha) = match self {
            Self::GitLab => {
                let project = path.strip_prefix("/projects/")?;
                let project = project.strip_suffix("/repository/merge_base")?;
                let refs: Vec<_> = query
                    .split('&')
                    .map(|pair| decoded(pair.strip_prefix("refs%5B%5D=").unwrap()))
                    .collect();
                let [branch, sha] = &refs[..] else {
                    panic!("{query}")
                };
                (decoded(project), branch.clone(), sha.clone())
            }
            Self::GitHub | Self::Gitea => {
                let (repository, compared) =
                    path.strip_prefix("/repos/")?.split_once("/compare/")?;
                let (branch, sha) = compared.split_once("...").unwrap();
                assert!(query.contains(if self == Self::GitHub {
                    "per_page=1"
                } else {
                    "files=false"
                }));
                (decoded(repository), decoded(branch), decoded(sha))
            }
        };
        let branch = match self {
            Self::Gitea => branch,
            _ => branch.strip_prefix("refs/heads/").unwrap().to_owned(),
        };
        Some(Compared {
            repository,
            branch,
            sha,
        })
    }
}

/// What it does with a call.
#[derive(Clone, Debug)]
pub enum ForgeBehaviour {
    /// What its documentation says.
    Documented,
    /// This answer to everything.
    Answer(u16, Vec<(&'static str, String)>, String),
    /// Never answers.
    Silent,
    /// Answers as documented once so many calls wait for that at the same time. Only for comparisons.
    Together(Arc<Barrier>),
    /// Answers a byte at a time, without an end.
    Dripping,
    /// Answers as fast as it can, without an end.
    Endless,
    /// Hangs up in the middle of its answer.
    HangUp,
}

/// A call that it had.
#[derive(Clone, Debug)]
pub struct Call {
    pub method: Method,
    pub path: String,
    pub headers: HeaderMap,
    pub body: Value,
    /// The other end of its connection.
    pub peer: SocketAddr,
}

/// A stand-in; gone when dropped. It knows the tokens `good` for `acme/payments` and what else is allowed, and every
/// commit but the one of zeros. Each branch contains every commit, unless it is said otherwise.
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
}

/// A token that may write, one that may write statuses but not compare, one that may only read, and a commit that is not
/// there.
pub const GOOD: &str = "forge-t0ken-that-may-write";
pub const STATUSES_ONLY: &str = "forge-t0ken-for-statuses";
pub const READS_ONLY: &str = "forge-t0ken-that-reads";
pub const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";
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

    /// How it compares, whatever it does with statuses.
    pub fn behave_comparing(&self, behaviour: ForgeBehaviour) {
        *self.shared.comparing.lock().unwrap() = behaviour;
    }

    /// Leaves a commit out of a branch.
    pub fn leave_out(&self, branch: &str, sha: &str) {
        let mut outside = self.shared.outside.lock().unwrap();
        outside.insert((branch.to_owned(), sha.to_owned()));
    }

    /// The comparisons that it was asked for.
    pub fn compared(&self) -> Vec<Compared> {
        self.shared.compared.lock().unwrap().clone()
    }

    /// The calls about statuses.
    pub fn calls(&self) -> Vec<Call> {
        self.shared.calls.lock().unwrap().clone()
    }

    /// The states that were asked to be written, in order.
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

async fn misbehave(behaviour: ForgeBehaviour) -> Response {
    match behaviour {
        ForgeBehaviour::Documented | ForgeBehaviour::Together(_) => {
            unreachable!("that is no misbehaviour")
        }
        ForgeBehaviour::Answer(status, headers, body) => {
            let mut response = Response::new(Body::from(body));
            *response.status_mut() = StatusCode::from_u16(status).unwrap();
            for (name, value) in headers {
                response.headers_mut().insert(name, value.parse().unwrap());
            }
            response
        }
        ForgeBehaviour::Silent => pending().await,
        ForgeBehaviour::Dripping => {
            let drops = stream::unfold((), async |()| {
                sleep(Duration::from_millis(50)).await;
                Some((Ok::<_, io::Error>(Bytes::from_static(b" ")), ()))
            });
            (StatusCode::CREATED, Body::from_stream(drops)).into_response()
        }
        ForgeBehaviour::Endless => {
            let chunks =
                stream::repeat_with(|| Ok::<_, io::Error>(Bytes::from_static(&[b' '; 4096])));
            (StatusCode::CREATED, Body::from_stream(chunks)).into_response()
        }
        ForgeBehaviour::HangUp => {
            let chunks = [
                Ok(Bytes::from_static(b"{\"con")),
                Err(io::Error::other("gone")),
            ];
            (StatusCode::CREATED, Body::from_stream(stream::iter(chunks))).into_response()
        }
    }
}

impl Shared {
    fn comparison(&self, headers: &HeaderMap, compared: &Compared) -> Response {
        let authorization = headers[header::AUTHORIZATION].to_str().unwrap();
        let token = authorization.split_once(' ').unwrap().1;
        if token != GOOD {
            return match self.kind {
                Kind::GitHub => refuse(403, "Resource not accessible by integration"),
                Kind::GitLab => refuse(403, "403 Forbidden"),
                Kind::Gitea => refuse(404, "Can't read headRepo UnitTypeCode"),
            };
        }
        let key = (compared.branch.clone(), compared.sha.clone());
        let is_outside = self.outside.lock().unwrap().contains(&key);
        let said = match (self.kind, is_outside) {
            (Kind::GitHub, true) => {
                json!({ "status": "ahead", "total_commits": 3, "commits": [{}] })
            }
            (Kind::GitHub, false) => {
                json!({ "status": "behind", "total_commits": 0, "commits": [] })
            }
            (Kind::GitLab, true) => json!({ "id": NO_COMMIT, "short_id": "00000000" }),
            (Kind::GitLab, false) => json!({ "id": compared.sha }),
            (Kind::Gitea, true) => json!({ "total_commits": 3, "commits": [{}, {}, {}] }),
            (Kind::Gitea, false) => json!({ "total_commits": 0, "commits": [] }),
        };
        axum::Json(said).into_response()
    }

    fn documented(&self, call: &Call) -> Response {
        let Some((repository, sha)) = self.kind.target(&call.path) else {
            return refuse(404, "Not Found");
        };
        let authorization = call.headers[header::AUTHORIZATION].to_str().unwrap();
        let (scheme, token) = authorization.split_once(' ').unwrap();
        let expected = match self.kind {
            Kind::Gitea => "token",
            _ => "Bearer",
        };
        assert_eq!(scheme, expected, "the scheme that this service documents");
        match self.kind {
            _ if ![GOOD, STATUSES_ONLY, READS_ONLY].contains(&token) => match self.kind {
                Kind::GitHub => return refuse(401, "Bad credentials"),
                Kind::GitLab => return refuse(401, "401 Unauthorized"),
                Kind::Gitea => return refuse(401, "invalid username, password or token"),
            },
            kind if !self.repositories.lock().unwrap().contains(&repository) => match kind {
                Kind::GitLab => return refuse(404, "404 Project Not Found"),
                _ => return refuse(404, "Not Found"),
            },
            kind if token == READS_ONLY => match kind {
                Kind::GitHub => return refuse(403, "Resource not accessible by integration"),
                Kind::GitLab => return refuse(403, "403 Forbidden"),
                Kind::Gitea => {
                    return refuse(403, "user should have a permission to write to a repo");
                }
            },
            kind if sha == NO_COMMIT => match kind {
                Kind::GitHub => return refuse(422, &format!("No commit found for SHA: {sha}")),
                Kind::GitLab => return refuse(404, "404 Commit Not Found"),
                Kind::Gitea => return refuse(404, "object does not exist"),
            },
            _ => {}
        }
        let body = &call.body;
        match self.kind {
            Kind::GitLab => self.gitlab_status(sha, body),
            _ => {
                let state = body["state"].as_str().unwrap();
                assert!(["pending", "success", "failure", "error"].contains(&state));
                let written = json!({
                    "id": 1, "url": "", "state": state, "status": state,
                    "context": body["context"], "description": body["description"],
                    "target_url": body["target_url"], "creator": { "login": "ci" },
                });
                (StatusCode::CREATED, axum::Json(written)).into_response()
            }
        }
    }

    fn gitlab_status(&self, sha: String, body: &Value) -> Response {
        let state = body["state"].as_str().unwrap();
        assert!(["pending", "running", "success", "failed", "canceled"].contains(&state));
        let key = (sha.clone(), body["name"].as_str().unwrap().to_owned());
        let mut pending = self.pending.lock().unwrap();
        if state != "pending" {
            pending.remove(&key);
        } else if !pending.insert(key) {
            return refuse(
                400,
                "Cannot transition status via :enqueue from :pending (Reason(s): Status cannot transition via \"enqueue\")",
            );
        }
        let written = json!({
            "id": 1, "sha": sha, "ref": body["ref"], "status": state, "name": body["name"],
            "target_url": body["target_url"], "description": body["description"],
            "coverage": body["coverage"], "author": { "username": "ci" },
        });
        (StatusCode::CREATED, axum::Json(written)).into_response()
    }
}

fn refuse(status: u16, message: &str) -> Response {
    let status = StatusCode::from_u16(status).unwrap();
    (status, axum::Json(json!({ "message": message }))).into_response()
}
