//! The comments of a pull request, as each forge keeps them.

use super::{ForgeBehaviour, ForgeStandIn, GOOD, Kind, Shared, answers::refuse, misbehave};
use axum::{
    http::{HeaderMap, Method, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    pub id: u64,
    pub pull: String,
    pub author: String,
    pub body: String,
}

enum Place {
    All(String),
    One(u64),
}

impl Kind {
    fn comments(self, uri: &Uri) -> Option<Place> {
        let path = uri.path().strip_prefix(self.base())?;
        let segments: Vec<_> = path.split('/').skip(1).collect();
        match (self, &segments[..]) {
            (Self::GitLab, ["projects", _, "merge_requests", pull, "notes"]) => {
                Some(Place::All((*pull).to_owned()))
            }
            (Self::GitLab, ["projects", _, "merge_requests", _, "notes", id]) => {
                Some(Place::One(id.parse().unwrap()))
            }
            (_, ["repos", _, _, "issues", "comments", id]) => Some(Place::One(id.parse().unwrap())),
            (_, ["repos", _, _, "issues", pull, "comments"]) => {
                Some(Place::All((*pull).to_owned()))
            }
            _ => None,
        }
    }

    pub(super) fn is_about_comments(self, uri: &Uri) -> bool {
        self.comments(uri).is_some()
    }

    fn json(self, comment: &Comment) -> Value {
        let Comment {
            id, author, body, ..
        } = comment;
        match self {
            Self::GitLab => json!({ "id": id, "body": body, "author": { "username": author } }),
            _ => json!({ "id": id, "body": body, "user": { "login": author } }),
        }
    }
}

impl Shared {
    pub(super) async fn answer_about_comments(
        &self,
        method: Method,
        uri: &Uri,
        headers: &HeaderMap,
        body: &Value,
    ) -> Response {
        let call = format!("{method} {}", uri.path());
        self.comment_calls.lock().unwrap().push(call);
        let behaviour = self.commenting.lock().unwrap().clone();
        let behaviour = match behaviour {
            // It executes the call, but its answer is lost.
            ForgeBehaviour::HangUp => {
                self.documented_comments(&method, uri, body);
                ForgeBehaviour::HangUp
            }
            other => other,
        };
        if !matches!(behaviour, ForgeBehaviour::Documented) {
            return misbehave(behaviour).await;
        }
        let authorization = headers[header::AUTHORIZATION].to_str().unwrap();
        if authorization.split_once(' ').unwrap().1 != GOOD {
            return match self.kind {
                Kind::GitHub => refuse(403, "Resource not accessible by integration"),
                Kind::GitLab => refuse(403, "403 Forbidden"),
                Kind::Gitea => refuse(403, "token does not have at least one of required scope(s)"),
            };
        }
        self.documented_comments(&method, uri, body)
    }

    fn documented_comments(&self, method: &Method, uri: &Uri, body: &Value) -> Response {
        let edit = match self.kind {
            Kind::GitLab => Method::PUT,
            _ => Method::PATCH,
        };
        let mut comments = self.comments.lock().unwrap();
        match self.kind.comments(uri).unwrap() {
            Place::All(pull) if *method == Method::POST => {
                let comment = Comment {
                    id: 100 + comments.len() as u64,
                    pull,
                    author: "ci-bot".to_owned(),
                    body: body["body"].as_str().unwrap().to_owned(),
                };
                let answer = self.kind.json(&comment);
                comments.push(comment);
                (StatusCode::CREATED, axum::Json(answer)).into_response()
            }
            Place::All(pull) if *method == Method::GET => {
                let all = comments.iter().filter(|comment| comment.pull == pull);
                let all: Vec<_> = all.map(|comment| self.kind.json(comment)).collect();
                axum::Json(all).into_response()
            }
            Place::One(id) if *method == edit => {
                let Some(comment) = comments.iter_mut().find(|comment| comment.id == id) else {
                    return refuse(404, "Not Found");
                };
                body["body"].as_str().unwrap().clone_into(&mut comment.body);
                axum::Json(self.kind.json(comment)).into_response()
            }
            _ => panic!("{method} {uri}"),
        }
    }
}

impl ForgeStandIn {
    /// All comments, the oldest first.
    pub fn comments(&self) -> Vec<Comment> {
        self.shared.comments.lock().unwrap().clone()
    }

    /// Adds a comment of somebody.
    pub fn add_comment(&self, pull: &str, author: &str, body: &str) {
        let mut comments = self.shared.comments.lock().unwrap();
        let id = 100 + comments.len() as u64;
        comments.push(Comment {
            id,
            pull: pull.to_owned(),
            author: author.to_owned(),
            body: body.to_owned(),
        });
    }

    pub fn delete_comments(&self) {
        self.shared.comments.lock().unwrap().clear();
    }

    /// The calls about comments: method and path.
    pub fn comment_calls(&self) -> Vec<String> {
        self.shared.comment_calls.lock().unwrap().clone()
    }

    /// Sets how it answers calls about comments.
    pub fn behave_commenting(&self, behaviour: ForgeBehaviour) {
        *self.shared.commenting.lock().unwrap() = behaviour;
    }
}
