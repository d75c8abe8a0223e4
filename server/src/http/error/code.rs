//! The stable codes of refusals, with the status and the meaning of each.

use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

macro_rules! codes {
    ($($(#[doc = $meaning:literal])+ $name:ident = $text:literal, $status:ident;)+) => {
        /// Why the request was refused, for programs: a code never changes its meaning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum Code {
            $($(#[doc = $meaning])+ $name,)+
        }

        impl Code {
            /// All codes, ordered by status.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// Returns the code as a problem document has it.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text),+ }
            }

            /// Returns the HTTP status of the code.
            pub fn status(self) -> StatusCode {
                match self { $(Self::$name => StatusCode::$status),+ }
            }

            /// Returns what the code means, in a phrase.
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$name => concat!($($meaning),+).trim_ascii()),+ }
            }
        }
    };
}

codes! {
    /// the body is incomplete or unreadable, the query is not UTF-8, or the request has no host or more than one
    MalformedRequest = "malformed_request", BAD_REQUEST;
    /// no token was sent
    MissingToken = "missing_token", UNAUTHORIZED;
    /// the token is unknown, damaged, expired, revoked or refused
    InvalidToken = "invalid_token", UNAUTHORIZED;
    /// the token is valid, but not for this repository, branch or commit
    TokenNotForRepository = "token_not_for_repository", FORBIDDEN;
    /// the token is valid, but is not an admin token
    AdminTokenRequired = "admin_token_required", FORBIDDEN;
    /// the person has logged in, but may read no org
    NotAReader = "not_a_reader", FORBIDDEN;
    /// the reader may see some orgs only, and the address is about the whole service
    WholeService = "whole_service", FORBIDDEN;
    /// the operator does not list this forge API in VCS_API_URLS
    VcsApiUrlNotAllowed = "vcs_api_url_not_allowed", FORBIDDEN;
    /// an HTML report tried to install a service worker
    ServiceWorkerNotAllowed = "service_worker_not_allowed", FORBIDDEN;
    /// a page requested a part of an HTML report by an address that has no current version of it
    NavigationOnly = "navigation_only", FORBIDDEN;
    /// a form was not sent by a page of the dashboard
    FormOfAnotherSite = "form_of_another_site", FORBIDDEN;
    /// a page of another site sent a request of the Model Context Protocol
    OriginNotAllowed = "origin_not_allowed", FORBIDDEN;
    /// the address, record or file does not exist
    NotFound = "not_found", NOT_FOUND;
    /// the lines of the record are not kept: its coverage file has none, they have expired, or it is too old
    NoLines = "no_lines", NOT_FOUND;
    /// the text of the file is not stored: no job sent it, the operator does not accept source text, or it has expired
    NoSource = "no_source", NOT_FOUND;
    /// the lines of the record have no history: only complete records of the main branch have one
    NoHistory = "no_history", NOT_FOUND;
    /// no coverage file of the record says which tests ran its lines, or they are not kept
    NoTests = "no_tests", NOT_FOUND;
    /// no such owner or view is defined, or none of the files of the view was measured
    NoView = "no_view", NOT_FOUND;
    /// no upload of the record sent the form field `changes`
    NoChanges = "no_changes", NOT_FOUND;
    /// there is no record to compare with
    NoBase = "no_base", NOT_FOUND;
    /// a record has no counts of lines, or no lines to cover
    NoCounts = "no_counts", NOT_FOUND;
    /// the record has no lines of this file
    NoSuchFile = "no_such_file", NOT_FOUND;
    /// the address does not support this method
    MethodNotAllowed = "method_not_allowed", METHOD_NOT_ALLOWED;
    /// the body did not arrive in time
    UploadTooSlow = "upload_too_slow", REQUEST_TIMEOUT;
    /// the part is the only one of its record
    OnlyPart = "only_part", CONFLICT;
    /// the file is not what `If-Match` or `If-Unmodified-Since` expects
    PreconditionFailed = "precondition_failed", PRECONDITION_FAILED;
    /// the body has more bytes than the operator allows
    UploadTooLarge = "upload_too_large", PAYLOAD_TOO_LARGE;
    /// the unpacked archive exceeds the limit that the sentence names
    ArchiveTooLarge = "archive_too_large", PAYLOAD_TOO_LARGE;
    /// the body has the wrong content type, or the file is not an archive
    UnsupportedMediaType = "unsupported_media_type", UNSUPPORTED_MEDIA_TYPE;
    /// the file has none of the requested bytes
    RangeNotSatisfiable = "range_not_satisfiable", RANGE_NOT_SATISFIABLE;
    /// the operator does not list this host name
    HostNotAllowed = "host_not_allowed", MISDIRECTED_REQUEST;
    /// parameters are missing or wrong; `errors` names each
    InvalidParameter = "invalid_parameter", UNPROCESSABLE_ENTITY;
    /// the repository has no such record, commit or tag
    UnknownSince = "unknown_since", UNPROCESSABLE_ENTITY;
    /// the form has no field `file`
    MissingFilePart = "missing_file_part", UNPROCESSABLE_ENTITY;
    /// the archive is cut off or damaged
    CorruptArchive = "corrupt_archive", UNPROCESSABLE_ENTITY;
    /// an entry of the archive is a link, a device, or has a path that leads out of it
    UnsafeArchiveEntry = "unsafe_archive_entry", UNPROCESSABLE_ENTITY;
    /// the archive does not contain the coverage file; the sentence names the coverage files that it contains
    CoverageFileNotFound = "coverage_file_not_found", UNPROCESSABLE_ENTITY;
    /// the coverage file cannot be read; the sentence states where
    UnreadableCoverageReport = "unreadable_coverage_report", UNPROCESSABLE_ENTITY;
    /// the form field `paths` is not what `git ls-files -z` prints; the sentence states where
    InvalidPaths = "invalid_paths", UNPROCESSABLE_ENTITY;
    /// the form field `changes` is not what `git diff` prints; the sentence states where
    InvalidChanges = "invalid_changes", UNPROCESSABLE_ENTITY;
    /// the form field `settings` is not a `coverage-dashboard.toml`; the sentence states where
    InvalidSettings = "invalid_settings", UNPROCESSABLE_ENTITY;
    /// the part, or another part of its commit, has no lines, so they cannot be united
    PartWithoutLines = "part_without_lines", UNPROCESSABLE_ENTITY;
    /// too many tokens were refused or are being checked; try again later
    TooManyRequests = "too_many_requests", TOO_MANY_REQUESTS;
    /// the forge, or the issuer of the identity, did not answer correctly
    VcsUnreachable = "vcs_unreachable", BAD_GATEWAY;
    /// the issuer at which people log in did not answer correctly
    LoginIssuerUnreachable = "login_issuer_unreachable", BAD_GATEWAY;
    /// the service cannot do this right now; try again
    Unavailable = "unavailable", SERVICE_UNAVAILABLE;
    /// there is no space left for uploads
    StorageFull = "storage_full", INSUFFICIENT_STORAGE;
    /// the HTML reports, stored lines and source text of the org or repository have reached the size that the operator allows
    QuotaExceeded = "quota_exceeded", INSUFFICIENT_STORAGE;
}
