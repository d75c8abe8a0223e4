//! The errors of an object storage, in texts without secrets.

use std::{error::Error, io};
use thiserror::Error as ThisError;

/// The error codes for a full storage: of MinIO, of Ceph and compatible storages, and of Garage.
const FULL: [&str; 5] = [
    "XMinioStorageFull",
    "QuotaExceeded",
    "InsufficientStorage",
    "XMinioAdminBucketQuotaExceeded",
    "StorageFull",
];

/// A request to the object storage that failed after all retries.
#[derive(Debug, ThisError)]
#[error("{text}")]
pub struct StorageError {
    pub(crate) kind: Kind,
    text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The object or the bucket does not exist.
    Missing,
    /// The credentials are unknown, or not allowed to do this.
    Refused,
    Full,
    Other,
}

impl StorageError {
    /// Keeps only the code and the message: some storages repeat the request in their answers, with the credentials.
    pub(super) fn of(error: &object_store::Error) -> Self {
        use object_store::Error::{NotFound, PermissionDenied, Unauthenticated};
        let answer = error.to_string();
        let code = between(&answer, "<Code>", "</Code>");
        let status = between(&answer, "status code: ", ":");
        let text = match (code, between(&answer, "<Message>", "</Message>"), status) {
            (Some(code), Some(message), _) => format!("{code}: {message}"),
            (Some(code), None, _) => code.to_owned(),
            (None, _, Some(status)) => format!("it answered {status}"),
            (None, _, None) => root(error).to_string(),
        };
        let number = status.and_then(|status| status.get(..3));
        let is_full = code.is_some_and(|code| FULL.contains(&code)) || number == Some("507");
        let kind = match (error, number) {
            _ if is_full => Kind::Full,
            (NotFound { .. }, _) | (_, Some("404")) => Kind::Missing,
            (PermissionDenied { .. } | Unauthenticated { .. }, _) | (_, Some("401" | "403")) => {
                Kind::Refused
            }
            _ => Kind::Other,
        };
        Self { kind, text }
    }

    /// Converts an error about the whole bucket: there, `Missing` does not mean a missing object.
    pub(super) fn of_all(mut error: Self) -> Self {
        if error.kind == Kind::Missing {
            error.kind = Kind::Other;
        }
        error
    }
}

/// For readers and writers, which can only return `io::Error`.
impl From<StorageError> for io::Error {
    fn from(error: StorageError) -> Self {
        Self::other(error)
    }
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, text) = text.split_once(before)?;
    Some(text.split_once(after)?.0.trim())
}

/// Returns the first cause, such as a refused connection.
fn root<'a>(error: &'a (dyn Error + 'static)) -> &'a (dyn Error + 'static) {
    std::iter::successors(Some(error), |&error| error.source())
        .last()
        .unwrap_or(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(answer: &str) -> StorageError {
        StorageError::of(&object_store::Error::Generic {
            store: "S3",
            source: answer.into(),
        })
    }

    #[test]
    fn request_data_in_storage_errors_is_removed() {
        let error = of(
            "Server returned non-2xx status code: 400 Bad Request: <Error><Code>InvalidToken</Code>\
             <Message>The provided token is malformed.</Message><Token-0>s3cret</Token-0></Error>",
        );
        assert_eq!(
            error.to_string(),
            "InvalidToken: The provided token is malformed."
        );
        let error = of("Server returned non-2xx status code: 403 Forbidden: <p>key s3cret");
        assert_eq!(error.to_string(), "it answered 403 Forbidden");
        assert_eq!(of("connection refused").to_string(), "connection refused");
    }

    #[test]
    fn a_full_storage_is_distinguished_from_a_failing_one() {
        for answer in [
            "status code: 507 Insufficient Storage: ",
            "status code: 403 Forbidden: <Code>QuotaExceeded</Code>",
        ] {
            assert_eq!(of(answer).kind, Kind::Full, "{answer}");
        }
        let failing = of("status code: 500 Internal Server Error: ");
        assert_eq!(failing.kind, Kind::Other);
    }
}
