//! Comments on pull requests: creating, editing and finding them.

use crate::{
    forge::Pull,
    message,
    outbound::{Answer, OutboundError},
    proof::{Proof, Writer},
};
use domain::{PullRequest, text::chain};
use http::StatusCode;
use reqwest::{Method, Url};
use serde_json::{Value, json};

/// Writes the comment of one pull request with the token of an upload.
#[derive(Clone, Debug)]
pub struct Commenter {
    pub(super) writer: Writer,
    pub(super) number: PullRequest,
}

/// A comment as the forge returned it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The id of the comment on the forge.
    pub id: String,
    /// The login name of the author. `None` if the forge does not return it.
    pub author: Option<String>,
}

/// Why a comment was not written. The caller puts the text after `The comment of pull request 7 was not written: `.
#[derive(Debug)]
pub struct NotWritten(pub String);

impl Proof {
    /// Returns the writer of a pull request's comment.
    pub fn commenter(&self, number: &PullRequest) -> Commenter {
        Commenter {
            writer: self.writer.clone(),
            number: number.clone(),
        }
    }
}

impl Commenter {
    /// Returns the address of the forge's API.
    pub fn forge(&self) -> &str {
        &self.writer.api.listed.text
    }

    /// Creates the comment.
    pub async fn create(&self, body: &str) -> Result<Comment, NotWritten> {
        let api = &self.writer.api;
        let url = api.forge.comments_url(&api.listed.url, self.pull());
        let answer = self.call(Method::POST, url, Some(body)).await?;
        self.written(&answer)
    }

    /// Replaces the text of a comment. `None` if the comment no longer exists.
    pub async fn edit(&self, id: &str, body: &str) -> Result<Option<Comment>, NotWritten> {
        let forge = self.writer.api.forge;
        let url = forge.comment_url(&self.writer.api.listed.url, self.pull(), id);
        let method = forge.facts().edit.clone();
        let answer = self.call(method, url, Some(body)).await?;
        match answer.status {
            StatusCode::NOT_FOUND | StatusCode::GONE => Ok(None),
            _ => self.written(&answer).map(Some),
        }
    }

    /// Finds a comment of `author` that begins with `marker`. Comments since the time `since` (RFC 3339) are searched; GitLab
    /// cannot select by time and returns the newest 100.
    pub async fn find(
        &self,
        author: &str,
        marker: &str,
        since: &str,
    ) -> Result<Option<Comment>, NotWritten> {
        let forge = self.writer.api.forge;
        let mut url = forge.comments_url(&self.writer.api.listed.url, self.pull());
        url.set_query(Some(&forge.since(since)));
        let answer = self.call(Method::GET, url, None).await?;
        if answer.status != StatusCode::OK {
            return Err(self.refusal(&answer));
        }
        let comments: Vec<Value> = serde_json::from_slice(&answer.body).unwrap_or_default();
        let is_own = |comment: &&Value| {
            let body = comment.get("body").and_then(Value::as_str);
            forge.author(comment) == Some(author)
                && body.is_some_and(|body| body.starts_with(marker))
        };
        let own = comments.iter().filter(is_own);
        Ok(own.filter_map(|comment| self.comment(comment)).next_back())
    }

    fn pull(&self) -> Pull<'_> {
        Pull {
            repository: &self.writer.pending.repository,
            number: &self.number,
        }
    }

    async fn call(
        &self,
        method: Method,
        url: Url,
        body: Option<&str>,
    ) -> Result<Answer, NotWritten> {
        let body = body.map(|body| json!({ "body": body }));
        let Writer { api, token, .. } = &self.writer;
        let token = token.expose();
        let called = api.call(api.outbound(token), token, (method, url, body));
        called.await.map_err(|error| {
            tracing::warn!(?api, cause = chain(&error), "a comment was not written");
            let name = api.forge.facts().name;
            NotWritten(match error {
                OutboundError::Limited(_) => format!("the rate limit of {name} is exceeded"),
                error => format!("{name}: {error}"),
            })
        })
    }

    fn written(&self, answer: &Answer) -> Result<Comment, NotWritten> {
        if !matches!(answer.status, StatusCode::CREATED | StatusCode::OK) {
            return Err(self.refusal(answer));
        }
        let body: Option<Value> = serde_json::from_slice(&answer.body).ok();
        let comment = body.as_ref().and_then(|body| self.comment(body));
        comment.ok_or_else(|| {
            let name = self.writer.api.forge.facts().name;
            NotWritten(format!("{name} answered without a comment id"))
        })
    }

    /// An id becomes a part of addresses, so it must be a number.
    fn comment(&self, comment: &Value) -> Option<Comment> {
        Some(Comment {
            id: comment.get("id")?.as_u64()?.to_string(),
            author: self.writer.api.forge.author(comment).map(ToOwned::to_owned),
        })
    }

    fn refusal(&self, answer: &Answer) -> NotWritten {
        let (api, status, said) = (&self.writer.api, answer.status, message(answer));
        tracing::warn!(?api, %status, said, "the forge refused a comment");
        let facts = self.writer.api.forge.facts();
        let name = facts.name;
        NotWritten(match answer.status {
            StatusCode::UNAUTHORIZED => format!("{name} no longer accepts the token"),
            StatusCode::FORBIDDEN | StatusCode::NOT_FOUND => format!(
                "the token needs {}, or pull request {} does not exist or is locked",
                facts.right_to_comment, self.number
            ),
            status => format!("{name} answered with {status}"),
        })
    }
}
