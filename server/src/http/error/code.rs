//! The stable codes of refusals: what programs tell them by, the status of each, and what it means.

use axum::http::StatusCode;
use serde::{Serialize, Serializer};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

macro_rules! codes {
    ($($(#[doc = $meaning:literal])+ $name:ident = $text:literal, $status:ident;)+) => {
        /// Why a request was refused, for programs: a code never changes its meaning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Code {
            $($(#[doc = $meaning])+ $name,)+
        }

        impl Code {
            /// All of them, by status.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// As it stands in a problem document.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text),+ }
            }

            /// The HTTP status that it comes with.
            pub fn status(self) -> StatusCode {
                match self { $(Self::$name => StatusCode::$status),+ }
            }

            /// What it means, in a phrase.
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$name => concat!($($meaning),+).trim_ascii()),+ }
            }
        }
    };
}

codes! {
    /// the body broke off or cannot be read, the query is not UTF-8, or the request names no host or several
    MalformedRequest = "malformed_request", BAD_REQUEST;
    /// no token was sent
    MissingToken = "missing_token", UNAUTHORIZED;
    /// the token is unknown, damaged, expired, revoked or refused
    InvalidToken = "invalid_token", UNAUTHORIZED;
    /// the token is good, but not for this repository, branch or commit
    TokenNotForRepository = "token_not_for_repository", FORBIDDEN;
    /// the token is good, but not for administration
    AdminTokenRequired = "admin_token_required", FORBIDDEN;
    /// the operator does not list this API of a forge
    VcsApiUrlNotAllowed = "vcs_api_url_not_allowed", FORBIDDEN;
    /// a report asked for a service worker
    ServiceWorkerNotAllowed = "service_worker_not_allowed", FORBIDDEN;
    /// a page asked for a part of a report, by an address that names no current version of it
    NavigationOnly = "navigation_only", FORBIDDEN;
    /// a form was not sent by a page of the dashboard
    FormOfAnotherSite = "form_of_another_site", FORBIDDEN;
    /// it is not here
    NotFound = "not_found", NOT_FOUND;
    /// the address does not take this method
    MethodNotAllowed = "method_not_allowed", METHOD_NOT_ALLOWED;
    /// the body did not come in time
    UploadTooSlow = "upload_too_slow", REQUEST_TIMEOUT;
    /// the file is not what `If-Match` or `If-Unmodified-Since` expects
    PreconditionFailed = "precondition_failed", PRECONDITION_FAILED;
    /// the body has more bytes than the operator allows
    UploadTooLarge = "upload_too_large", PAYLOAD_TOO_LARGE;
    /// the unpacked archive passes a limit, which the sentence names
    ArchiveTooLarge = "archive_too_large", PAYLOAD_TOO_LARGE;
    /// the body is of another kind than it has to be, or the file is no archive
    UnsupportedMediaType = "unsupported_media_type", UNSUPPORTED_MEDIA_TYPE;
    /// the file has none of the bytes that were asked for
    RangeNotSatisfiable = "range_not_satisfiable", RANGE_NOT_SATISFIABLE;
    /// the operator does not list this host name
    HostNotAllowed = "host_not_allowed", MISDIRECTED_REQUEST;
    /// parameters are missing or wrong; `errors` names each
    InvalidParameter = "invalid_parameter", UNPROCESSABLE_ENTITY;
    /// the form has no part `file`
    MissingFilePart = "missing_file_part", UNPROCESSABLE_ENTITY;
    /// the archive is cut off or damaged
    CorruptArchive = "corrupt_archive", UNPROCESSABLE_ENTITY;
    /// an entry of the archive is a link, a device, or has a path that leads out of it
    UnsafeArchiveEntry = "unsafe_archive_entry", UNPROCESSABLE_ENTITY;
    /// the archive does not hold the coverage report; the sentence names those that it holds
    CoverageFileNotFound = "coverage_file_not_found", UNPROCESSABLE_ENTITY;
    /// the coverage report cannot be read; the sentence says where
    UnreadableCoverageReport = "unreadable_coverage_report", UNPROCESSABLE_ENTITY;
    /// too many tokens were refused; come again later
    TooManyRequests = "too_many_requests", TOO_MANY_REQUESTS;
    /// the forge, or the issuer of the identity, did not answer as it should
    VcsUnreachable = "vcs_unreachable", BAD_GATEWAY;
    /// the service cannot do this right now; come again
    Unavailable = "unavailable", SERVICE_UNAVAILABLE;
    /// there is no room for further reports
    StorageFull = "storage_full", INSUFFICIENT_STORAGE;
    /// the reports of the organisation or the repository take as much room as the operator allows
    QuotaExceeded = "quota_exceeded", INSUFFICIENT_STORAGE;
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl PartialSchema for Code {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some(
                "Why the request was refused, for programs: a code never changes its meaning.",
            ))
            .enum_values(Some(Self::ALL.iter().map(|code| code.as_str())))
            .into()
    }
}

impl ToSchema for Code {}
