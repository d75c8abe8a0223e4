//! The answers that operations share: refusals, with the statuses, meanings and headers of a set of codes, and answers with an
//! `ETag`.

use crate::http::error::{Code, Problem};
use std::{collections::BTreeMap, marker::PhantomData};
use utoipa::{
    IntoParams, IntoResponses, ToSchema,
    openapi::{
        AllOfBuilder, Content, HeaderBuilder, ObjectBuilder, Ref, RefOr, Response, ResponseBuilder,
        Schema, Type,
        header::Header,
        path::{Parameter, ParameterBuilder, ParameterIn},
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
    /// For a query with validated parameters.
    WrongParameters(Problem): MalformedRequest InvalidParameter;
    /// If reading is protected. Browsers get the login page.
    NotForStrangers(ProblemOrPage): MissingToken InvalidToken TooManyRequests;
    /// For any operation.
    Unexpected(Problem): Unavailable;
    /// For things that may not exist.
    Missing(Problem): NotFound;
    WithoutLines(Problem): NotFound NoLines;
    WithoutChanges(Problem): MalformedRequest InvalidParameter NotFound NoLines NoChanges NoView;
    WithoutNew(Problem): MalformedRequest InvalidParameter UnknownSince NotFound NoHistory NoView;
    WithoutCold(Problem): MalformedRequest InvalidParameter NoHistory NoView;
    WithoutTable(Problem): MalformedRequest InvalidParameter NotFound;
    WithoutTrend(Problem): MalformedRequest InvalidParameter UnknownSince NotFound NoView;
    WithoutExplanation(Problem): MalformedRequest InvalidParameter NotFound NoBase NoCounts NoView;
    WithoutSource(Problem): MalformedRequest InvalidParameter NotFound NoSource;
    WithoutTests(Problem): MalformedRequest InvalidParameter NotFound NoTests NoSuchFile;
    WithoutFile(Problem): MalformedRequest InvalidParameter NotFound NoLines NoSuchFile NoHistory;
    /// For a report; browsers get a page.
    NoReport(ProblemOrPage):
        MissingToken InvalidToken TooManyRequests ServiceWorkerNotAllowed NavigationOnly NotFound Unavailable;
    /// For an address with an invalid record id; browsers get a page.
    NoRecord(ProblemOrPage): MissingToken InvalidToken TooManyRequests ServiceWorkerNotAllowed NavigationOnly NotFound;
    /// For conditions and parts of a file.
    Conditions(Problem): PreconditionFailed RangeNotSatisfiable;
    /// For an address that only redirects.
    OnlyNavigation(Problem): NavigationOnly;
    Upload(Problem):
        MalformedRequest InvalidParameter MissingToken InvalidToken TokenNotForRepository VcsApiUrlNotAllowed
        TooManyRequests UploadTooSlow UploadTooLarge ArchiveTooLarge UnsupportedMediaType MissingFilePart CorruptArchive
        UnsafeArchiveEntry CoverageFileNotFound UnreadableCoverageReport InvalidPaths InvalidChanges InvalidSettings PartWithoutLines
        NotFound VcsUnreachable Unavailable StorageFull
        QuotaExceeded;
    /// For a message of the Model Context Protocol.
    Mcp(Problem): MalformedRequest OriginNotAllowed UploadTooSlow UploadTooLarge UnsupportedMediaType;
    /// For operations that need an admin token.
    Administration(Problem):
        MissingToken InvalidToken AdminTokenRequired TokenNotForRepository NotFound TooManyRequests Unavailable StorageFull;
    OnlyPart(Problem): OnlyPart;
    PushBase(Problem):
        MalformedRequest InvalidParameter MissingToken InvalidToken TokenNotForRepository VcsApiUrlNotAllowed NoBase
        TooManyRequests VcsUnreachable Unavailable StorageFull;
    Branches(Problem):
        MalformedRequest InvalidParameter MissingToken InvalidToken TokenNotForRepository VcsApiUrlNotAllowed
        TooManyRequests UploadTooSlow UploadTooLarge UnsupportedMediaType VcsUnreachable Unavailable StorageFull;
}

/// The header of a client that already has an answer.
pub(in crate::routes) struct IfNoneMatch;

impl IntoParams for IfNoneMatch {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let parameter = ParameterBuilder::new()
            .name("If-None-Match")
            .parameter_in(ParameterIn::Header)
            .description(Some("The `ETag` of an earlier answer: if nothing has changed, the answer is 304 without a body."))
            .schema(Some(ObjectBuilder::new().schema_type(Type::String)));
        vec![parameter.build()]
    }
}

/// The answer if nothing has changed.
pub(in crate::routes) struct NotModified;

impl IntoResponses for NotModified {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let response = ResponseBuilder::new()
            .description("The answer is the one that `If-None-Match` names.")
            .build();
        BTreeMap::from([("304".to_owned(), response.into())])
    }
}

/// The answers of a public file besides the file itself: it needs no token, and can be revalidated.
pub(in crate::routes) struct PublicFile;

impl IntoResponses for PublicFile {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let parts = [NotModified::responses(), Unexpected::responses()];
        parts.into_iter().flatten().collect()
    }
}

/// The answers of a read that can be revalidated, besides its result: `Refused` and the refusals of every read.
pub(in crate::routes) struct Read<Refused = Nothing>(PhantomData<Refused>);

impl<Refused: IntoResponses> IntoResponses for Read<Refused> {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let parts = [
            PublicFile::responses(),
            NotForStrangers::responses(),
            Refused::responses(),
        ];
        parts.into_iter().flatten().collect()
    }
}

/// No further refusals.
pub(in crate::routes) struct Nothing;

impl IntoResponses for Nothing {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        BTreeMap::new()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Problem,
    /// A page if `Accept` names `text/html`.
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

pub(super) fn text(description: &str) -> Header {
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
