//! The rules of names as JSON Schema. The rules themselves are in `domain` and count bytes; a schema counts characters.

use crate::routes::{base::Ancestors as Commits, upload::PlainText};
use domain::{
    GateInterval, Mean, Metric, NewSince, Over, PartList, StatedMetric, TrendRange, ViewKind,
};
use serde_json::Value;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        KnownFormat, ObjectBuilder, Ref, RefOr, Schema, SchemaFormat, Type, schema::AnyOfBuilder,
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

/// A value whose rule the document describes.
pub(in crate::routes) trait Named {
    fn schema() -> RefOr<Schema>;
}

impl Named for String {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::String).into()
    }
}

pub(in crate::routes) fn text(description: &str) -> ObjectBuilder {
    let text = ObjectBuilder::new().schema_type(Type::String);
    text.description(Some(description))
}

pub(in crate::routes) fn number(description: &str) -> ObjectBuilder {
    let number = ObjectBuilder::new().schema_type(Type::Integer);
    number.description(Some(description))
}

/// Declares the schemas that operations share, each perhaps with the type of such values.
macro_rules! names {
    ($($(#[doc = $description:literal])+ $name:ident $(of $value:ty)?: $pattern:expr, $shortest:literal..=$longest:literal, $example:literal;)+) => {
        $(
            $(#[doc = $description])+
            pub(in crate::routes) struct $name;

            impl PartialSchema for $name {
                fn schema() -> RefOr<Schema> {
                    text(concat!($($description),+).trim_ascii())
                        .min_length(Some($shortest))
                        .max_length(Some($longest))
                        .pattern(Some($pattern))
                        .examples([Value::from($example)])
                        .into()
                }
            }

            impl ToSchema for $name {}

            impl Named for $name {
                fn schema() -> RefOr<Schema> {
                    Ref::from_schema_name(stringify!($name)).into()
                }
            }

            $(impl Named for $value {
                fn schema() -> RefOr<Schema> {
                    <$name as Named>::schema()
                }
            })?
        )+

        /// All of these, by name.
        pub(super) fn all() -> impl Iterator<Item = (String, RefOr<Schema>)> {
            [$((stringify!($name).to_owned(), <$name as PartialSchema>::schema())),+].into_iter()
        }
    };
}

names! {
    /// An org, possibly a nested group such as `acme/platform`: segments of `A-Z a-z 0-9 . _ -` joined by `/`,
    /// none of them `.` or `..`. ASCII case is ignored.
    OrgName of domain::OrgName: concat!("^", segment!(), "(?:/", segment!(), ")*$"), 1..=255, "acme";
    /// A repository within its org: one segment. ASCII case is ignored.
    RepoName of domain::RepoName: concat!("^", segment!(), "$"), 1..=255, "payments";
    /// A branch: any Unicode without control characters, of at most 255 bytes. It may contain `/`.
    BranchName of domain::BranchName: r"^[^\u0000-\u001F\u007F-\u009F]+$", 1..=255, "main";
    /// The identifier of a commit.
    CommitHash of domain::CommitHash: "^[A-Za-z0-9._-]+$", 1..=64, "9be01d2f6a7c4e5b8d3f1a2b3c4d5e6f7a8b9c0d";
    /// Who made a commit: any Unicode without control characters, of at most 255 bytes.
    CommitAuthor of domain::CommitAuthor: r"^[^\u0000-\u001F\u007F-\u009F]+$", 1..=255, "Kim";
    /// The language of the measured code, in lower case.
    Language of domain::Language: "^[a-z0-9+#.-]+$", 1..=32, "python";
    /// The name of the coverage file in the archive, or its path there, without backslashes and of at most 1024 bytes.
    CoverageFileName of ingest::CoverageFileName: concat!(r"^(?:\./)?", any_segment!(), "(?:/", any_segment!(), ")*$"), 1..=1024, "coverage.xml";
    /// A part of a commit's tests. An empty one counts as absent: the unnamed part.
    PartName of domain::PartName: "^(?:[a-z0-9][a-z0-9._-]*)?$", 0..=64, "unit";
    /// The name of a part in an address; `-` is the unnamed one.
    PartSegment: "^(?:[a-z0-9][a-z0-9._-]*|-)$", 1..=64, "unit";
    /// Parts with commas between them: at most 50. Spaces around a name do not count. A colon and a language restrict a name to it.
    PartSet of PartList: "^(?: *[a-z0-9][a-z0-9._-]{0,63}(?::[a-z0-9+#.-]{1,32})? *(?:, *[a-z0-9][a-z0-9._-]{0,63}(?::[a-z0-9+#.-]{1,32})? *){0,49})?$", 0..=4096, "unit,web,e2e";
    /// Why a part will not come: any Unicode without control characters, of at most 255 bytes.
    Reason of PlainText<255>: r"^[^\u0000-\u001F\u007F-\u009F]*$", 0..=255, "only documentation has changed";
    /// A folder: any Unicode without control characters, of at most 4096 bytes. An empty one counts as absent.
    Folder of PlainText<4096>: r"^[^\u0000-\u001F\u007F-\u009F]*$", 0..=4096, "/home/runner/work/payments/payments";
    /// A folder of the repository. An empty one counts as absent: the top.
    FolderName of PlainText<1024>: r"^[^\u0000-\u001F\u007F-\u009F]*$", 0..=1024, "server/src";
    /// A view: `folder:` and a path, `owner:` and an owner as `CODEOWNERS` names it or `none`, or `view:` and a name from the settings.
    /// An empty one counts as absent.
    ViewName of domain::ViewName: "^(?:folder:[^/\\u0000-\\u001F\\u007F-\\u009F]+|owner:none|view:[a-z0-9][a-z0-9._-]*)?$", 0..=1031, "folder:server/src";
    /// The number of a pull request. An empty one counts as absent.
    PullRequest of domain::PullRequest: "^[0-9]*$", 0..=20, "7";
    /// A branch, as `branch_name`. An empty one counts as absent.
    TargetBranch: r"^[^\u0000-\u001F\u007F-\u009F]*$", 0..=255, "main";
    /// A commit, as `commit_hash`. An empty one counts as absent.
    BaseCommit: "^[A-Za-z0-9._-]*$", 0..=64, "5b174c2d6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b1c";
    /// Commits with commas between them, at most 50. Spaces around a commit and a comma at the end do not count.
    Ancestors of Commits: "^(?: *[A-Za-z0-9._-]{1,64} *(?:, *[A-Za-z0-9._-]{1,64} *){0,49},? *)?$", 0..=4096, "5b174c2d6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b1c";
    /// The identifier of a commit's tree. An empty one counts as absent.
    TreeHash of domain::TreeHash: "^(?:[0-9A-Fa-f]{40}|[0-9A-Fa-f]{64})?$", 0..=64, "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
    /// The address of the page of a CI run. An empty one counts as absent.
    RunUrl of domain::RunUrl: r"^(?:[Hh][Tt][Tt][Pp][Ss]?://[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~-]*)*)?$", 0..=2048, "https://github.com/acme/payments/actions/runs/17";
    /// The address of the API of a forge, as the operator lists it; a `/` at its end is ignored. An empty one counts as
    /// absent.
    VcsApiUrl: r"^(?:[Hh][Tt][Tt][Pp][Ss]?://[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~-]+)*/?)?$", 0..=2048, "https://api.github.com";
}

impl Named for TrendRange {
    fn schema() -> RefOr<Schema> {
        one_of(
            "The period, if no first day is given.",
            Self::ALL.iter().map(|range| range.word()),
            Self::default().word(),
        )
    }
}

impl Named for Metric {
    fn schema() -> RefOr<Schema> {
        one_of(
            "What is counted. `new` counts lines of the main branch that are new since `since`.",
            Self::ALL.iter().map(|metric| metric.word()),
            Self::default().word(),
        )
    }
}

impl Named for StatedMetric {
    fn schema() -> RefOr<Schema> {
        one_of(
            "What is counted. A record without such counts has no value.",
            Self::ALL.iter().map(|metric| metric.word()),
            Self::default().word(),
        )
    }
}

impl Named for GateInterval {
    fn schema() -> RefOr<Schema> {
        one_of(
            "The length of the intervals.",
            Self::ALL.iter().map(|interval| interval.word()),
            Self::default().word(),
        )
    }
}

impl Named for ViewKind {
    fn schema() -> RefOr<Schema> {
        text("The kind of the views.")
            .enum_values(Some(Self::ALL.iter().map(|kind| kind.word())))
            .into()
    }
}

impl Named for NewSince {
    fn schema() -> RefOr<Schema> {
        let forms = "Since when lines are new: an age in days (`90d`), a day in UTC (`2026-09-01`), `record:` and an `id`, `commit:` and at least 7 digits of a commit of the main branch, or `tag:` and a name. Default: `new_since` in the settings of the main branch, or `90d`.";
        text(forms).examples(["tag:v2.3"]).into()
    }
}

impl Named for Mean {
    fn schema() -> RefOr<Schema> {
        one_of(
            "Whether repositories are weighted by their lines or equally.",
            Self::ALL.iter().map(|mean| mean.word()),
            Self::default().word(),
        )
    }
}

impl Named for Over {
    fn schema() -> RefOr<Schema> {
        one_of(
            "Whether only repositories with a value at both ends of the period count, or on each day all repositories with a value.",
            Self::ALL.iter().map(|over| over.word()),
            Self::default().word(),
        )
    }
}

pub(in crate::routes) fn from() -> RefOr<Schema> {
    day(
        "The first day of the period; by default, a period ends today and begins as the route says.",
    )
}

pub(in crate::routes) fn to() -> RefOr<Schema> {
    day("The last day of the period, instead of today.")
}

/// Returns the schema of a day from 1970 on, or nothing, as a form sends an empty field.
fn day(description: &str) -> RefOr<Schema> {
    let date = ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Date)))
        .pattern(Some("^(?:19[7-9][0-9]|[2-9][0-9]{3})-[0-9]{2}-[0-9]{2}$"));
    or_nothing(date).description(Some(description)).into()
}

/// Returns the schema of a name that may be empty, as a form sends an empty field.
pub(in crate::routes) fn optional<Name: PartialSchema>() -> RefOr<Schema> {
    or_nothing(Name::schema()).into()
}

fn or_nothing(schema: impl Into<RefOr<Schema>>) -> AnyOfBuilder {
    let nothing = ObjectBuilder::new().schema_type(Type::String);
    let nothing = nothing.max_length(Some(0));
    AnyOfBuilder::new().item(schema).item(nothing)
}

/// Returns the schema of a text that is one of these words.
pub(in crate::routes) fn one_of<'a>(
    description: &str,
    words: impl IntoIterator<Item = &'a str>,
    default: &str,
) -> RefOr<Schema> {
    text(description)
        .enum_values(Some(words))
        .default(Some(default.into()))
        .into()
}
