//! What operations refuse requests with: for each set of codes its statuses, what these mean, and their headers.

use crate::http::error::{Code, Problem};
use std::collections::BTreeMap;
use utoipa::{
    IntoResponses, ToSchema,
    openapi::{
        AllOfBuilder, Content, HeaderBuilder, ObjectBuilder, Ref, RefOr, Response, ResponseBuilder,
        Schema, Type, header::Header,
    },
};

macro_rules! refusals {
    ($($(#[$doc:meta])* $name:ident ($form:ident): $($code:ident)+;)+) => {$(
        $(#[$doc])*
        pub(in crate::routes) struct $name;

        impl IntoResponses for $name {
            fn responses() -> BTreeMap<String, RefOr<Response>> {
                responses(&[$(Code::$code),+], Form::$form)
            }
        }
    )+};
}

refusals! {
    /// Of a query whose parameters have rules.
    WrongParameters(Problem): MalformedRequest InvalidParameter;
    /// Where reading is protected. Browsers get the login page.
    NotForStrangers(ProblemOrPage): MissingToken InvalidToken TooManyRequests;
    /// What may go wrong with anything.
    Unexpected(Problem): Unavailable;
    /// Of what may not be there.
    Missing(Problem): NotFound;
    /// Of a report; browsers get a page.
    NoReport(ProblemOrPage): NotFound Unavailable;
    /// Of what is no record's number; browsers get a page.
    NoRecord(ProblemOrPage): NotFound;
    /// Of conditions and parts of a file.
    Conditions(Problem): PreconditionFailed RangeNotSatisfiable;
    /// Of what is loaded as a part of a page; browsers that show it get a page.
    NoPart(ProblemOrPage): ServiceWorkerNotAllowed NavigationOnly;
    /// Of an address that only leads on.
    OnlyNavigation(Problem): NavigationOnly;
    /// Of an upload.
    Upload(Problem):
        MalformedRequest InvalidParameter MissingToken InvalidToken TokenNotForRepository VcsApiUrlNotAllowed
        TooManyRequests UploadTooSlow UploadTooLarge ArchiveTooLarge UnsupportedMediaType MissingFilePart CorruptArchive
        UnsafeArchiveEntry CoverageFileNotFound UnreadableCoverageReport VcsUnreachable Unavailable StorageFull QuotaExceeded;
    /// Of what only an admin token may do.
    Administration(Problem):
        MissingToken InvalidToken AdminTokenRequired TokenNotForRepository NotFound TooManyRequests Unavailable StorageFull;
    /// Of a list of branches.
    Branches(Problem):
        MalformedRequest InvalidParameter MissingToken InvalidToken TokenNotForRepository VcsApiUrlNotAllowed
        TooManyRequests UploadTooSlow UploadTooLarge UnsupportedMediaType VcsUnreachable Unavailable StorageFull;
}

/// In what form a refusal comes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Problem,
    /// A page where `Accept` names `text/html`.
    ProblemOrPage,
}

fn responses(codes: &[Code], form: Form) -> BTreeMap<String, RefOr<Response>> {
    let mut by_status = BTreeMap::<u16, Vec<Code>>::new();
    for code in codes {
        by_status
            .entry(code.status().as_u16())
            .or_default()
            .push(*code);
    }
    by_status
        .into_iter()
        .map(|(status, codes)| (status.to_string(), response(status, &codes, form).into()))
        .collect()
}

fn response(status: u16, codes: &[Code], form: Form) -> Response {
    let meanings: Vec<_> = codes
        .iter()
        .map(|code| format!("`{}`: {}.", code.as_str(), code.meaning()))
        .collect();
    let response = ResponseBuilder::new()
        .description(meanings.join(" "))
        .content(
            "application/problem+json",
            Content::new(Some(problem(codes))),
        );
    let response = match form {
        Form::Problem => response,
        Form::ProblemOrPage => response.content("text/html", Content::new::<Schema>(None)),
    };
    let response = match status {
        401 => response.header(
            "WWW-Authenticate",
            text("The scheme in which a token is sent: `Bearer`."),
        ),
        429 | 502 | 503 => response.header("Retry-After", seconds()),
        _ => response,
    };
    response.build()
}

/// A problem document with one of these codes.
fn problem(codes: &[Code]) -> Schema {
    let codes = codes.iter().map(|code| code.as_str());
    let code = ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(codes));
    AllOfBuilder::new()
        .item(Ref::from_schema_name(Problem::name()))
        .item(ObjectBuilder::new().property("code", code))
        .into()
}

fn text(description: &str) -> Header {
    HeaderBuilder::new().description(Some(description)).build()
}

fn seconds() -> Header {
    HeaderBuilder::new()
        .schema(Some(
            ObjectBuilder::new()
                .schema_type(Type::Integer)
                .minimum(Some(0)),
        ))
        .description(Some("Seconds after which to try again."))
        .build()
}
