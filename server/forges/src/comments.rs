//! Comments on pull requests: creating, editing and finding them.

use crate::{
    Api,
    forge::Pull,
    message,
    outbound::{Answer, OutboundError},
};
use domain::{PullRequest, Repository, text::chain};
use http::StatusCode;
use reqwest::{Method, Url};
use serde_json::{Value, json};

/// Writes the comment of one pull request with the token of an upload.
#[derive(Clone, Debug)]
pub struct Commenter {
    pub(super) api: std::sync::Arc<Api>,
    pub(super) token: config::Secret,
    pub(super) repository: Repository,
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

/// Why a comment was not written.
#[derive(Debug)]
pub enum NotWritten {
    /// The comment no longer exists.
    Gone,
    /// The end of a sentence, with the reason.
    Because(String),
}

impl Commenter {
    /// Returns the address of the forge's API.
    pub fn forge(&self) -> &str {
        &self.api.listed.text
    }

    /// Creates the comment.
    pub async fn create(&self, body: &str) -> Result<Comment, NotWritten> {
        let url = self
            .api
            .forge
            .comments_url(&self.api.listed.url, self.pull());
        let answer = self.call(Method::POST, url, Some(body)).await?;
        match answer.status {
            StatusCode::CREATED | StatusCode::OK => self.written(&answer),
            _ => Err(NotWritten::Because(self.refusal(&answer))),
        }
    }

    /// Replaces the text of a comment.
    pub async fn edit(&self, id: &str, body: &str) -> Result<Comment, NotWritten> {
        let forge = self.api.forge;
        let url = forge.comment_url(&self.api.listed.url, self.pull(), id);
        let answer = self.call(forge.edit(), url, Some(body)).await?;
        match answer.status {
            StatusCode::CREATED | StatusCode::OK => self.written(&answer),
            StatusCode::NOT_FOUND | StatusCode::GONE => Err(NotWritten::Gone),
            _ => Err(NotWritten::Because(self.refusal(&answer))),
        }
    }

    /// Finds a comment of `author` that contains `marker` and is not older than a moment in RFC 3339.
    pub async fn find(
        &self,
        author: &str,
        marker: &str,
        since: &str,
    ) -> Result<Option<Comment>, NotWritten> {
        let forge = self.api.forge;
        let mut url = forge.comments_url(&self.api.listed.url, self.pull());
        url.set_query(Some(&forge.since(since)));
        let answer = self.call(Method::GET, url, None).await?;
        if answer.status != StatusCode::OK {
            return Err(NotWritten::Because(self.refusal(&answer)));
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
            repository: &self.repository,
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
        let called = self.api.comment(self.token.expose(), method, url, body);
        called.await.map_err(|error: OutboundError| {
            tracing::warn!(api = ?self.api, cause = chain(&error), "a comment was not written");
            NotWritten::Because(format!("{}: {error}", self.name()))
        })
    }

    fn written(&self, answer: &Answer) -> Result<Comment, NotWritten> {
        let body: Option<Value> = serde_json::from_slice(&answer.body).ok();
        let comment = body.as_ref().and_then(|body| self.comment(body));
        comment.ok_or_else(|| {
            NotWritten::Because(format!("{} answered without a comment id", self.name()))
        })
    }

    /// An id becomes a part of addresses, so it must be a number.
    fn comment(&self, comment: &Value) -> Option<Comment> {
        Some(Comment {
            id: comment.get("id")?.as_u64()?.to_string(),
            author: self.api.forge.author(comment).map(ToOwned::to_owned),
        })
    }

    fn name(&self) -> &'static str {
        self.api.forge.name()
    }

    fn refusal(&self, answer: &Answer) -> String {
        let (api, status, said) = (&self.api, answer.status, message(answer));
        tracing::warn!(?api, %status, said, "the forge refused a comment");
        let (name, forge) = (self.name(), self.api.forge);
        match answer.status {
            _ if forge.limit(answer).is_some() => format!("the rate limit of {name} is exceeded"),
            StatusCode::UNAUTHORIZED => format!("{name} no longer accepts the token"),
            StatusCode::FORBIDDEN | StatusCode::NOT_FOUND => format!(
                "the token needs {}, or pull request {} does not exist or is locked",
                forge.right_to_comment(),
                self.number
            ),
            status => format!("{name} answered with {status}"),
        }
    }
}
