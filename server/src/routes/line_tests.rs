//! `GET /coverages-api/records/{id}/tests`: which tests ran a line, or what each test ran.

use super::readable::Readable;
use crate::{
    http::error::{ApiError, Code},
    routes::{
        etag::json,
        lines::{SourcePath, no_such_file},
        listing::parameters::{Page, PerPage},
        openapi::{
            names::{Named, number},
            refusals::{IfNoneMatch, Read, WithoutTests},
        },
        parameters::{AtMost, Query, parameters},
        record_id::RecordId,
    },
};
use axum::{http::HeaderMap, response::Response};
use domain::{PartName, TestLines};
use serde::Serialize;
use std::str::FromStr;
use store::{FormerTests, LineTests, Reader, RecordLines};
use utoipa::{
    ToSchema,
    openapi::{RefOr, Schema},
};

parameters! {
    struct TestsParameters {
        path: Option<SourcePath>,
        line: Option<LineNumber>,
        /// A page past the end is empty. Only without `path`.
        p: Option<Page>,
        /// Tests on a page. Only without `path`.
        per_page: Option<PerPage>,
    }
}

struct LineNumber(u32);

impl FromStr for LineNumber {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let line = text.parse().ok().filter(|line| *line > 0);
        line.map(Self).ok_or("must be the number of a line, from 1")
    }
}

impl Named for LineNumber {
    fn schema() -> RefOr<Schema> {
        let line = number("A line of `path`. The answer then has the tests of this line.");
        line.minimum(Some(1))
            .maximum(Some(u32::MAX))
            .examples([12])
            .into()
    }
}

/// The tests of a line, or a page of all tests.
#[derive(Serialize, ToSchema)]
#[schema(as = Tests)]
#[serde(untagged)]
enum TestsJson {
    /// With `path` and `line`.
    OfLine(LineTestsJson),
    /// Without them.
    All(TestListJson),
}

/// The tests that ran a line.
#[derive(Serialize, ToSchema)]
#[schema(as = LineTests)]
struct LineTestsJson {
    /// The names of the tests, as the coverage files have them, in ascending order. Empty if no test ran the line: it was missed, it
    /// ran outside of tests, or a part of `parts_without_tests` ran it.
    tests: Vec<String>,
    /// The number of tests of the record that ran any line.
    of: u64,
    /// The parts whose coverage files do not name the tests. The unnamed part is an empty text.
    parts_without_tests: Vec<String>,
    /// If no test ran the line, but tests ran the same line at the base record; else `null`.
    former: Option<FormerTestsJson>,
}

/// The tests that ran a line at the base record.
#[derive(Serialize, ToSchema)]
#[schema(as = FormerTests)]
struct FormerTestsJson {
    /// The `id` of the base record.
    #[schema(minimum = 1, examples(17))]
    record: i64,
    /// The names of the tests.
    tests: Vec<String>,
}

/// A page of tests: first the tests that alone ran most lines, then those that ran most lines.
#[derive(Serialize, ToSchema)]
#[schema(as = TestList)]
struct TestListJson {
    /// The tests of this page.
    tests: Vec<TestJson>,
    /// The number of tests of the record that ran any line.
    of: u64,
    /// The parts whose coverage files do not name the tests: their tests may run the same lines.
    parts_without_tests: Vec<String>,
}

/// What a test ran.
#[derive(Serialize, ToSchema)]
#[schema(as = Test)]
struct TestJson {
    /// The name of the test, as the coverage file has it.
    test: String,
    /// The lines that it ran.
    lines: u64,
    /// The lines that no other test ran.
    only: u64,
}

impl From<TestLines> for TestJson {
    fn from(TestLines { row, .. }: TestLines) -> Self {
        Self {
            test: row.name,
            lines: row.lines,
            only: row.only,
        }
    }
}

impl From<LineTests> for LineTestsJson {
    fn from(of: LineTests) -> Self {
        Self {
            tests: of.tests,
            of: of.of,
            parts_without_tests: names(of.parts_without),
            former: of
                .former
                .map(|FormerTests { record_id, tests }| FormerTestsJson {
                    record: record_id,
                    tests,
                }),
        }
    }
}

/// The tests of a record
///
/// With `path` and `line`: which tests ran the line. Without: what each test ran. Coverage files name tests only if their tool was told
/// to.
#[utoipa::path(
    get,
    path = "/coverages-api/records/{id}/tests",
    operation_id = "recordTests",
    tag = "records",
    params(RecordId, TestsParameters, IfNoneMatch),
    responses((status = 200, description = "The tests.", body = TestsJson), Read<WithoutTests>)
)]
pub(super) async fn read(
    Readable { reader, .. }: Readable,
    id: RecordId,
    Query(parameters): Query<TestsParameters>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let answer = match (parameters.path, parameters.line) {
        (Some(AtMost(path)), Some(LineNumber(line))) => {
            TestsJson::OfLine(of_line(&reader, id, &path, line).await?)
        }
        (None, None) => {
            let page = parameters.p.unwrap_or_default().0;
            let per_page = u64::from(parameters.per_page.unwrap_or_default().0);
            let first = page.saturating_sub(1).saturating_mul(per_page);
            TestsJson::All(page_of(&reader, id, first, per_page).await?)
        }
        (Some(_), None) => return Err(ApiError::parameter("line", MISSING.to_owned())),
        (None, Some(_)) => return Err(ApiError::parameter("path", MISSING.to_owned())),
    };
    json(&headers, &answer)
}

fn names(parts: Vec<PartName>) -> Vec<String> {
    parts.into_iter().map(String::from).collect()
}

const MISSING: &str = "is missing: path and line belong together";

async fn of_line(
    reader: &Reader,
    id: RecordId,
    path: &str,
    line: u32,
) -> Result<LineTestsJson, ApiError> {
    let Some(tests) = reader.line_tests(id.0, path, line).await? else {
        return Err(without_tests(reader, id).await?);
    };
    // No test ran the line: perhaps there is no such file.
    if tests.tests.is_empty()
        && let Some(RecordLines::Kept { lines, .. }) = reader.record_lines(id.0).await?
        && lines.get(path).is_none()
    {
        return Err(no_such_file());
    }
    Ok(tests.into())
}

async fn page_of(
    reader: &Reader,
    id: RecordId,
    first: u64,
    most: u64,
) -> Result<TestListJson, ApiError> {
    let Some(list) = reader.test_list(id.0, first, most).await? else {
        return Err(without_tests(reader, id).await?);
    };
    Ok(TestListJson {
        tests: list.tests.into_iter().map(TestJson::from).collect(),
        of: list.of,
        parts_without_tests: names(list.parts_without),
    })
}

/// Why a record has no tests.
async fn without_tests(reader: &Reader, id: RecordId) -> Result<ApiError, ApiError> {
    if reader.names_of_record(id.0).await?.is_none() {
        return Ok(id.missing());
    }
    Ok(ApiError::new(
        Code::NoTests,
        "No coverage file of this record says which tests ran its lines, or the lines are not kept; the manual says how tools write it.",
    ))
}
