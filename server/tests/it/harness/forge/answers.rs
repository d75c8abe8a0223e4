//! The answers of the forge stand-ins: the documented answers of each forge, and misbehaviour.

use super::{
    Call, Compared, ForgeBehaviour, GOOD, Kind, NO_COMMIT, READS_ONLY, STATUSES_ONLY, Shared,
};
use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use futures::stream;
use serde_json::{Value, json};
use std::{future::pending, io, time::Duration};
use tokio::time::sleep;

pub(super) async fn misbehave(behaviour: ForgeBehaviour) -> Response {
    match behaviour {
        ForgeBehaviour::Documented | ForgeBehaviour::Together(_) => {
            unreachable!("these are documented answers")
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
    /// The documented answer to a comparison.
    pub(super) fn comparison(&self, headers: &HeaderMap, compared: &Compared) -> Response {
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
        let answer = match (self.kind, is_outside) {
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
        axum::Json(answer).into_response()
    }

    /// The documented answer to a call about a status.
    pub(super) fn documented(&self, call: &Call) -> Response {
        let Some((repository, sha)) = self.kind.target(&call.path) else {
            return refuse(404, "Not Found");
        };
        let authorization = call.headers[header::AUTHORIZATION].to_str().unwrap();
        let (scheme, token) = authorization.split_once(' ').unwrap();
        let expected = match self.kind {
            Kind::Gitea => "token",
            _ => "Bearer",
        };
        assert_eq!(scheme, expected, "the scheme that this forge documents");
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

pub(super) fn refuse(status: u16, message: &str) -> Response {
    let status = StatusCode::from_u16(status).unwrap();
    (status, axum::Json(json!({ "message": message }))).into_response()
}
