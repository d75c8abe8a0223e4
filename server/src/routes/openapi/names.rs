//! The rules of names as JSON Schema. The rules themselves are in `domain` and count bytes; a schema counts characters.

use domain::{Mean, Over, TrendRange};
use serde_json::Value;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, Type, schema::AnyOfBuilder,
    },
};

/// A segment of a path that is neither `.` nor `..`.
macro_rules! segment {
    () => {
        r"(?:\.?[A-Za-z0-9_-][A-Za-z0-9._-]*|\.\.[A-Za-z0-9._-]+)"
    };
}

/// The same segment with any Unicode except control characters and backslashes, which no entry of an archive may have.
macro_rules! any_segment {
    () => {
        r"(?:[^/.\\\u0000-\u001F\u007F-\u009F][^/\\\u0000-\u001F\u007F-\u009F]*|\.[^/.\\\u0000-\u001F\u007F-\u009F][^/\\\u0000-\u001F\u007F-\u009F]*|\.\.[^/\\\u0000-\u001F\u007F-\u009F]+)"
    };
}

macro_rules! names {
    ($($(#[doc = $description:literal])+ $name:ident: $pattern:expr, $shortest:literal..=$longest:literal, $example:literal;)+) => {$(
        $(#[doc = $description])+
        pub(in crate::routes) struct $name;

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                ObjectBuilder::new()
                    .schema_type(Type::String)
                    .description(Some(concat!($($description),+).trim_ascii()))
                    .min_length(Some($shortest))
                    .max_length(Some($longest))
                    .pattern(Some($pattern))
                    .examples([Value::from($example)])
                    .into()
            }
        }

        impl ToSchema for $name {}
    )+};
}

names! {
    /// An org, possibly a nested group such as `acme/platform`: segments of `A-Z a-z 0-9 . _ -` joined by `/`,
    /// none of them `.` or `..`. ASCII case is ignored.
    OrgName: concat!("^", segment!(), "(?:/", segment!(), ")*$"), 1..=255, "acme";
    /// A repository within its org: one segment. ASCII case is ignored.
    RepoName: concat!("^", segment!(), "$"), 1..=255, "payments";
    /// A branch: any Unicode without control characters, of at most 255 bytes. It may contain `/`.
    BranchName: r"^[^\u0000-\u001F\u007F-\u009F]+$", 1..=255, "main";
    /// The identifier of a commit.
    CommitHash: "^[A-Za-z0-9._-]+$", 1..=64, "9be01d2f6a7c4e5b8d3f1a2b3c4d5e6f7a8b9c0d";
    /// Who made a commit: any Unicode without control characters, of at most 255 bytes.
    CommitAuthor: r"^[^\u0000-\u001F\u007F-\u009F]+$", 1..=255, "Kim";
    /// The language of the measured code, in lower case.
    Language: "^[a-z0-9+#.-]+$", 1..=32, "python";
    /// The name of the coverage file in the archive, or its path there, without backslashes and of at most 1024 bytes.
    CoverageFileName: concat!(r"^(?:\./)?", any_segment!(), "(?:/", any_segment!(), ")*$"), 1..=1024, "coverage.xml";
    /// A part of a commit's tests. An empty one counts as absent: the unnamed part.
    PartName: "^(?:[a-z0-9][a-z0-9._-]*)?$", 0..=64, "unit";
    /// The name of a part in an address; `-` is the unnamed one.
    PartSegment: "^(?:[a-z0-9][a-z0-9._-]*|-)$", 1..=64, "unit";
    /// Parts with commas between them: at most 50. Spaces around a name do not count. A colon and a language restrict a name to it.
    PartSet: "^(?: *[a-z0-9][a-z0-9._-]{0,63}(?::[a-z0-9+#.-]{1,32})? *(?:, *[a-z0-9][a-z0-9._-]{0,63}(?::[a-z0-9+#.-]{1,32})? *){0,49})?$", 0..=4096, "unit,web,e2e";
    /// Why a part will not come: any Unicode without control characters, of at most 255 bytes.
    Reason: r"^[^\u0000-\u001F\u007F-\u009F]*$", 0..=255, "only documentation has changed";
    /// A folder: any Unicode without control characters, of at most 4096 bytes. An empty one counts as absent.
    Folder: r"^[^\u0000-\u001F\u007F-\u009F]*$", 0..=4096, "/home/runner/work/payments/payments";
    /// The number of a pull request. An empty one counts as absent.
    PullRequest: "^[0-9]*$", 0..=20, "7";
    /// A branch, as `branch_name`. An empty one counts as absent.
    TargetBranch: r"^[^\u0000-\u001F\u007F-\u009F]*$", 0..=255, "main";
    /// A commit, as `commit_hash`. An empty one counts as absent.
    BaseCommit: "^[A-Za-z0-9._-]*$", 0..=64, "5b174c2d6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b1c";
    /// Commits with commas between them, at most 50. Spaces around a commit and a comma at the end do not count.
    Ancestors: "^(?: *[A-Za-z0-9._-]{1,64} *(?:, *[A-Za-z0-9._-]{1,64} *){0,49},? *)?$", 0..=4096, "5b174c2d6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b1c";
    /// The identifier of a commit's tree. An empty one counts as absent.
    TreeHash: "^(?:[0-9A-Fa-f]{40}|[0-9A-Fa-f]{64})?$", 0..=64, "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
    /// The address of the page of a CI run. An empty one counts as absent.
    RunUrl: r"^(?:[Hh][Tt][Tt][Pp][Ss]?://[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~-]*)*)?$", 0..=2048, "https://github.com/acme/payments/actions/runs/17";
    /// The address of the API of a forge, as the operator lists it; a `/` at its end is ignored. An empty one counts as
    /// absent.
    VcsApiUrl: r"^(?:[Hh][Tt][Tt][Pp][Ss]?://[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~-]+)*/?)?$", 0..=2048, "https://api.github.com";
}

pub(in crate::routes) fn range() -> Schema {
    one_of(
        "The period, if no first day is given.",
        TrendRange::ALL.iter().map(|range| range.word()),
        TrendRange::default().word(),
    )
}

pub(in crate::routes) fn some_org() -> Schema {
    or_nothing(OrgName::schema())
}

pub(in crate::routes) fn some_repo() -> Schema {
    or_nothing(RepoName::schema())
}

pub(in crate::routes) fn mean() -> Schema {
    one_of(
        "Whether repositories are weighted by their lines or equally.",
        Mean::ALL.iter().map(|mean| mean.word()),
        Mean::default().word(),
    )
}

pub(in crate::routes) fn over() -> Schema {
    one_of(
        "Whether only repositories with a value at both ends of the period count, or on each day all repositories with a value.",
        Over::ALL.iter().map(|over| over.word()),
        Over::default().word(),
    )
}

pub(in crate::routes) fn from() -> Schema {
    day("The first day of the period, instead of the first day of `range`.")
}

pub(in crate::routes) fn to() -> Schema {
    day("The last day of the period, instead of today.")
}

/// Returns the schema of a day from 1970 on, or nothing, as a form sends an empty field.
fn day(description: &str) -> Schema {
    let date = ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Date)))
        .pattern(Some("^(?:19[7-9][0-9]|[2-9][0-9]{3})-[0-9]{2}-[0-9]{2}$"));
    AnyOfBuilder::new()
        .item(date)
        .item(nothing())
        .description(Some(description))
        .into()
}

/// Returns the schema of a text that may be empty, as a form sends an empty field.
fn or_nothing(schema: impl Into<RefOr<Schema>>) -> Schema {
    AnyOfBuilder::new().item(schema).item(nothing()).into()
}

fn nothing() -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .max_length(Some(0))
}

/// Returns the schema of a text that is one of these words.
pub(in crate::routes) fn one_of<'a>(
    description: &str,
    words: impl IntoIterator<Item = &'a str>,
    default: &str,
) -> Schema {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(description))
        .enum_values(Some(words))
        .default(Some(default.into()))
        .into()
}
