//! Turns errors into HTTP: a problem document (RFC 9457) for the client, the cause for the log.

mod code;
mod of_upload;

pub use code::Code;

use crate::http::request_log::without_signatures;
use access::{AccessError, Cause, Kind, not_main_branch, other_identity};
use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::{PartSet, text::chain};
use objects::ReportsError;
use serde::Serialize;
use std::{collections::BTreeMap, error::Error};
use store::StoreError;
use tokio::task::JoinError;
use utoipa::ToSchema;

pub(crate) type ParameterErrors = BTreeMap<&'static str, String>;

/// A refusal: status, stable code, and one sentence that a person can act on.
#[derive(Clone, Debug)]
pub(crate) struct ApiError {
    pub(crate) code: Code,
    pub(crate) detail: String,
    errors: ParameterErrors,
    retry_after_seconds: Option<u64>,
    logged_as: Option<&'static str>,
}

/// Why a request was refused (RFC 9457).
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "type": "about:blank",
    "title": "Unprocessable Content",
    "status": 422,
    "detail": "Correct these parameters and send the request again: p greater than 0.",
    "code": "invalid_parameter",
    "errors": { "p": "p greater than 0" }
})))]
pub(crate) struct Problem<'a> {
    /// Always `about:blank`; `code` identifies the problem.
    r#type: &'static str,
    /// The name of the status.
    title: &'a str,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599)]
    status: u16,
    /// One sentence that a person can act on.
    detail: &'a str,
    code: Code,
    /// What is wrong with each parameter, by its name; only with `invalid_parameter`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = BTreeMap<String, String>)]
    errors: &'a ParameterErrors,
}

impl ApiError {
    pub(crate) fn new(code: Code, detail: impl Into<String>) -> Self {
        Self {
            code,
            detail: detail.into(),
            errors: ParameterErrors::new(),
            retry_after_seconds: match code.status() {
                StatusCode::SERVICE_UNAVAILABLE => Some(5),
                _ => None,
            },
            logged_as: None,
        }
    }

    pub(crate) fn parameters(errors: ParameterErrors) -> Self {
        let listed: Vec<_> = errors
            .iter()
            .map(|(name, message)| match message.starts_with(name) {
                true => message.clone(),
                false => format!("{name} {message}"),
            })
            .collect();
        let detail = format!(
            "Correct these parameters and send the request again: {}.",
            listed.join("; ")
        );
        Self {
            errors,
            ..Self::new(Code::InvalidParameter, detail)
        }
    }

    pub(crate) fn parameter(name: &'static str, message: String) -> Self {
        Self::parameters(ParameterErrors::from([(name, message)]))
    }

    fn refused(kind: Kind, detail: String) -> Self {
        let code = match kind {
            Kind::MissingToken => Code::MissingToken,
            Kind::InvalidToken => Code::InvalidToken,
            Kind::NotForRepository => Code::TokenNotForRepository,
            Kind::AdminTokenRequired => Code::AdminTokenRequired,
            Kind::NotAReader => Code::NotAReader,
            Kind::UnlistedApi => Code::VcsApiUrlNotAllowed,
            Kind::ShortCommit => return Self::parameter("commit_hash", detail),
            Kind::TooMany => Code::TooManyRequests,
            Kind::ForgeUnreachable => Code::VcsUnreachable,
            Kind::LoginIssuerUnreachable => Code::LoginIssuerUnreachable,
            Kind::Failed => Code::Unavailable,
        };
        Self::new(code, detail)
    }

    pub(crate) fn token_not_for_repository(detail: impl Into<String>) -> Self {
        Self::new(Code::TokenNotForRepository, detail)
    }

    pub(crate) fn malformed(detail: impl Into<String>) -> Self {
        Self::new(Code::MalformedRequest, detail)
    }

    pub(crate) fn unsupported(detail: impl Into<String>) -> Self {
        Self::new(Code::UnsupportedMediaType, detail)
    }

    pub(crate) fn not_found(detail: impl Into<String>) -> Self {
        Self::new(Code::NotFound, detail)
    }

    /// 503 for an internal failure: `cause` goes to the log; the client only learns that it can try again.
    pub(crate) fn unavailable(cause: &dyn Error) -> Self {
        tracing::error!(cause = chain(cause), "request failed");
        Self::new(
            Code::Unavailable,
            "The service cannot do this right now; try again in a few seconds, and if it keeps failing, send the request id to the operator.",
        )
    }

    pub(crate) fn storage_full(cause: &dyn Error) -> Self {
        tracing::error!(cause = chain(cause), "no space left");
        Self::new(
            Code::StorageFull,
            "The service has no space left for uploads; ask the operator to free some, then send the upload again.",
        )
    }

    /// 503: more work is under way than the operator allows at once.
    pub(crate) fn busy(detail: impl Into<String>) -> Self {
        Self::new(Code::Unavailable, detail)
    }

    /// Removes the `Retry-After`: the same request would fail again.
    pub(crate) fn not_repeated(mut self) -> Self {
        self.retry_after_seconds = None;
        self
    }

    /// Whether the same request may succeed later.
    pub(crate) fn can_be_repeated(&self) -> bool {
        self.retry_after_seconds.is_some()
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.code.status()
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Full(_) => Self::storage_full(&error),
            StoreError::Quota(quota) => Self::new(
                Code::QuotaExceeded,
                format!(
                    "The HTML reports, stored lines and source text of {} would exceed the {} bytes that the operator allows ({}); ask the operator to remove old HTML reports and records or to raise the limit, then send the upload again.",
                    quota.whose, quota.bytes, quota.setting
                ),
            ),
            StoreError::TooManyParts => Self::parameter(
                "parts",
                format!("must not give the commit more than {} parts", PartSet::MAX),
            ),
            StoreError::OnlyPart => Self::new(
                Code::OnlyPart,
                "This is the only part of the record; delete the record instead.",
            ),
            StoreError::PartsChanged => Self::busy(
                "Other parts of the commit keep arriving; send this one again in a few seconds.",
            ),
            StoreError::IgnoreRulesChanged => Self::busy(
                "Another upload of the commit was first, with other ignore rules; send this one again in a few seconds.",
            ),
            StoreError::OtherForge(forge) => Self::token_not_for_repository(format!(
                "The repository now belongs to {forge} here; if it has moved, ask the operator to add its org to UPLOAD_ORGS."
            )),
            StoreError::OtherIdentity => Self::token_not_for_repository(other_identity("ORG/REPO")),
            StoreError::NotMainBranch(branch) => {
                Self::token_not_for_repository(not_main_branch(&branch))
            }
            StoreError::NoSuchBranch => Self::parameter(
                "active_branches",
                "must name at least one branch that has a record".to_owned(),
            ),
            _ => Self::unavailable(&error),
        }
    }
}

impl From<serde_json::Error> for ApiError {
    fn from(error: serde_json::Error) -> Self {
        Self::unavailable(&error)
    }
}

/// A task or a thread ended early.
impl From<JoinError> for ApiError {
    fn from(error: JoinError) -> Self {
        Self::unavailable(&error)
    }
}

impl From<AccessError> for ApiError {
    fn from(refusal: AccessError) -> Self {
        let AccessError {
            kind,
            detail,
            retry_after_seconds,
            logged_as,
            cause,
        } = refusal;
        let is_failure = cause.is_some();
        let error = match cause {
            Some(Cause::Store(error)) => error.into(),
            Some(Cause::Task(error)) => Self::unavailable(&error),
            None => Self::refused(kind, detail),
        };
        Self {
            // A failure of the service keeps its own `Retry-After`, unless the same request would fail again.
            retry_after_seconds: match is_failure {
                true => retry_after_seconds.and(error.retry_after_seconds),
                false => retry_after_seconds,
            },
            logged_as,
            ..error
        }
    }
}

impl From<ReportsError> for ApiError {
    fn from(error: ReportsError) -> Self {
        match error {
            ReportsError::Full(_) => Self::storage_full(&error),
            _ => Self::unavailable(&error),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = self.status();
        let problem = Problem {
            r#type: "about:blank",
            title: title(status),
            status: status.as_u16(),
            detail: &self.detail,
            code: self.code,
            errors: &self.errors,
        };
        tracing::info!(
            status = status.as_u16(),
            code = self.code.as_str(),
            detail = &*without_signatures(self.logged_as.unwrap_or(&self.detail)),
            "refused"
        );
        let mut response = (status, Json(problem)).into_response();
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/problem+json"),
        );
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = self.retry_after_seconds {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

/// Returns the phrase of a status from RFC 9110. The http crate has outdated phrases for two of them.
fn title(status: StatusCode) -> &'static str {
    match status {
        StatusCode::PAYLOAD_TOO_LARGE => "Content Too Large",
        StatusCode::UNPROCESSABLE_ENTITY => "Unprocessable Content",
        other => other.canonical_reason().unwrap_or("Error"),
    }
}
