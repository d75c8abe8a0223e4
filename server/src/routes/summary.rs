//! `GET /coverages-api/records/{id}`, and the member `summary` of an upload's answer: a record as a pull request shows it.

use super::readable::Readable;
use super::{
    etag::json,
    openapi::refusals::{IfNoneMatch, Missing, Read},
    record_id::RecordId,
    record_json::{RecordJson, number, points},
};
use crate::{http::error::ApiError, state::Service};
use axum::{http::HeaderMap, response::Response};
use domain::{Count, Ignored, IgnoredFiles, Metric, PartName, Percentage, PullRequest, uncounted};
use review::{line, notices};
use serde::Serialize;
use serde_json::value::RawValue;
use store::RecordSummary;
use utoipa::ToSchema;

/// A record as a pull request shows it. Unknown values are `null`.
#[derive(Serialize, ToSchema)]
#[schema(as = Summary)]
pub(super) struct SummaryJson<'a> {
    /// The record.
    record: RecordJson<'a>,
    /// Its page.
    url: String,
    /// Its HTML report; `null` if none is stored.
    report_url: Option<String>,
    /// The measured commit: the commit of the record, or the merge that the job of a pull request measured.
    measured_commit: &'a str,
    /// The pull request of the commit; `null` if no upload named it.
    #[schema(examples("7"))]
    pull_request: Option<&'a str>,
    /// The base record, against which the change is stated; `null` if there is none.
    base: Option<BaseJson<'a>>,
    /// The change since the base, in percentage points; `null` without a base.
    #[schema(value_type = Option<f64>, examples(-0.41), minimum = -100, maximum = 100)]
    delta: Option<Box<RawValue>>,
    /// The coverage of the changed lines; `null` if no upload sent the form field `changes` and the forge did not state
    /// them, or if the lines of the record are not kept.
    changed_lines: Option<ChangedLinesJson>,
    /// Unchanged lines that ran in the base and do not run now, without lines that are known to flicker; `null` unless the
    /// changes start from the base.
    lost_lines: Option<u64>,
    /// The verdict of the gate; `null` if no rule is set.
    gate: Option<GateJson<'a>>,
    /// The parts of the commit.
    parts: PartsJson<'a>,
    /// How many paths of its coverage file are files of the repository; `null` if the upload had no form field `paths`.
    paths: Option<PathsJson<'a>>,
    /// The files that the settings ignore; `null` without such rules.
    ignored: Option<IgnoredJson>,
    /// Its branches; `null` if they are not known.
    branches: Option<TotalJson>,
    /// Why `branches` is `null`; else `null`.
    #[schema(examples("the parts do not all name their branches, or not in the same way"))]
    no_branches: Option<&'static str>,
    /// Its functions; `null` if they are not known.
    functions: Option<TotalJson>,
    /// Why `functions` is `null`; else `null`.
    #[schema(examples("the functions of several parts are not counted"))]
    no_functions: Option<&'static str>,
    /// Why the percentage changed since the base, in at most 200 characters; `null` without a base, or if the counts of one of the
    /// two records are not known.
    #[schema(examples(
        "−0.41: e2e has not reported (−0.38), src/tax.rs has 2 new lines that are not covered (−0.03)."
    ))]
    explanation: Option<String>,
    /// One line.
    #[schema(examples("84.14 % (−0.41), 22 of 24 changed lines; waiting for e2e"))]
    text: String,
    /// The comment of the pull request, about all languages of the commit.
    #[schema(examples(
        "**Coverage 84.14 %** (−0.41) · changed lines **22 of 24** · [details](https://coverage.example.com/records/12)"
    ))]
    markdown: String,
    /// Notices for the uploader, one sentence each.
    notices: Vec<String>,
}

/// The base record: of `base_commit`, else with the tree `base_tree`, else the last complete record of `target_branch` or of the
/// main branch at that time.
#[derive(Serialize, ToSchema)]
#[schema(as = BaseRecord)]
struct BaseJson<'a> {
    /// Its id.
    id: i64,
    /// Its commit.
    commit_hash: &'a str,
    /// Its branch.
    branch_name: &'a str,
    /// How it was found: `commit`, `tree`, `target_branch` or `main_branch`.
    #[schema(examples("commit"))]
    found_by: &'static str,
    /// Its page.
    url: String,
}

/// The coverage of the changed lines of a record.
#[derive(Serialize, ToSchema)]
#[schema(as = ChangedLines)]
struct ChangedLinesJson {
    /// Changed lines that are covered: partial ones too, unless the settings say `partial = "miss"`.
    covered: u64,
    /// All coverable changed lines.
    coverable: u64,
    /// Their share in percent; `null` if no changed line is coverable.
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 100)]
    percentage: Option<Box<RawValue>>,
    /// Changed files that the record has.
    files: usize,
    /// Changed files that the record does not have, though it has others with the same extension.
    unmeasured_files: usize,
    /// The number of changed files that are not counted, since their changed lines are unknown.
    unknown_files: u64,
}

/// The verdict of the gate about a record.
#[derive(Serialize, ToSchema)]
#[schema(as = Gate)]
struct GateJson<'a> {
    /// `passed`, `failed`, `incomplete`, or `unknown` if no rule could be judged.
    #[schema(examples("failed"))]
    verdict: &'static str,
    /// Why the record has not passed, one sentence each; for `unknown`, why no rule could be judged.
    #[schema(examples(json!(["18 of 24 changed lines are covered, 80 % needs 20: src/tax.rs 41–46"])))]
    reasons: &'a [String],
    /// The rules that were not applied, and why.
    #[schema(examples(json!(["lost: there is no record of the base commit"])))]
    skipped: &'a [String],
}

/// The parts of a commit. The unnamed part is an empty text.
#[derive(Serialize, ToSchema)]
#[schema(as = Parts)]
struct PartsJson<'a> {
    /// Parts that were measured or skipped.
    #[schema(max_items = 50, examples(json!(["unit", "web"])))]
    arrived: Vec<&'a str>,
    /// Parts that uploads named with `parts`, or in the form field `settings`.
    #[schema(max_items = 50, examples(json!(["unit", "web", "e2e"])))]
    expected: Vec<&'a str>,
    /// Parts that were not measured again: their unchanged lines come from an earlier commit, which a notice names.
    #[schema(max_items = 50, examples(json!([])))]
    carried: Vec<&'a str>,
    /// Whether all expected parts have arrived, or the wait for them has ended.
    complete: bool,
}

/// How many paths of a coverage file are files of the repository.
#[derive(Serialize, ToSchema)]
#[schema(as = Paths)]
struct PathsJson<'a> {
    /// Paths of files in the repository.
    matched: u64,
    /// All paths in the coverage file.
    of: u64,
    /// The other paths, at most 10.
    #[schema(max_items = 10)]
    unmatched: Vec<&'a str>,
}

/// The files that the settings ignore: no number of the record contains them. All values are `null` if several parts of the
/// record have ignored files.
#[derive(Serialize, ToSchema)]
#[schema(as = Ignored)]
struct IgnoredJson {
    /// The number of files.
    files: Option<u64>,
    /// Their covered lines.
    covered: Option<u64>,
    /// All their coverable lines.
    total: Option<u64>,
    /// The percentage of all lines, with the ignored files.
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 100, examples(79.02))]
    percentage_without_rules: Option<Box<RawValue>>,
}

/// What a record counts besides lines.
#[derive(Serialize, ToSchema)]
#[schema(as = Total)]
struct TotalJson {
    /// Covered ones.
    #[schema(examples(310))]
    covered: u64,
    /// All of them.
    #[schema(examples(400))]
    total: u64,
    /// Their share in percent; `null` if there are none.
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 100, examples(77.50))]
    percentage: Option<Box<RawValue>>,
}

impl From<Count> for TotalJson {
    fn from(count: Count) -> Self {
        Self {
            covered: count.covered,
            total: count.total,
            percentage: Percentage::of(count).and_then(number),
        }
    }
}

impl From<Ignored> for IgnoredJson {
    fn from(ignored: Ignored) -> Self {
        let (files, lines) = match ignored.files {
            IgnoredFiles::Known { files, lines } => (Some(files), Some(lines)),
            IgnoredFiles::Unknown => (None, None),
        };
        Self {
            files,
            covered: lines.map(|lines| lines.covered),
            total: lines.map(|lines| lines.total),
            percentage_without_rules: ignored.percentage_without_rules.and_then(number),
        }
    }
}

impl<'a> SummaryJson<'a> {
    /// `others` are the other languages of the commit.
    pub(super) fn new(
        summary: &'a RecordSummary,
        others: &[RecordSummary],
        state: &Service,
    ) -> Self {
        let record = &summary.record;
        let places = &state.review.places;
        let report_url = summary.has_report.then(|| places.report(record.id));
        let measured_commit = summary.measured_commit.as_ref();
        let parts = &summary.parts;
        let (arrived, carried) = (parts.arrived.iter(), parts.carried.iter());
        let unknown = |count: Option<Count>, metric| {
            count
                .is_none()
                .then(|| uncounted(metric, parts.are_united()))
        };
        Self {
            record: RecordJson::from(record),
            url: places.record(record.id),
            report_url,
            measured_commit: measured_commit.unwrap_or(&record.commit).as_str(),
            pull_request: summary.pull_request.as_ref().map(PullRequest::as_str),
            base: summary.base.as_ref().map(|base| BaseJson {
                id: base.record.id,
                commit_hash: base.record.commit.as_str(),
                branch_name: base.branch.as_str(),
                found_by: base.found_by.word(),
                url: places.record(base.record.id),
            }),
            delta: summary.delta().and_then(points),
            changed_lines: summary
                .changed_lines
                .as_ref()
                .map(|changed| ChangedLinesJson {
                    covered: changed.covered,
                    coverable: changed.coverable,
                    percentage: changed.percentage().and_then(number),
                    files: changed.files.len(),
                    unmeasured_files: changed.unmeasured.len(),
                    unknown_files: changed.unknown.as_ref().map_or(0, |unknown| unknown.files),
                }),
            lost_lines: summary.lost.as_ref().map(|lost| lost.lines),
            gate: summary.gate.as_ref().map(|gate| GateJson {
                verdict: gate.verdict.word(),
                reasons: &gate.reasons,
                skipped: &gate.skipped,
            }),
            parts: PartsJson {
                arrived: arrived.map(|part| part.name.as_str()).collect(),
                expected: parts.expected.names().map(PartName::as_str).collect(),
                carried: carried.map(|part| part.name.as_str()).collect(),
                complete: parts.are_complete(),
            },
            paths: summary.paths.as_ref().map(|paths| PathsJson {
                matched: paths.matched,
                of: paths.of,
                unmatched: paths
                    .unmatched
                    .iter()
                    .map(|path| path.path.as_str())
                    .collect(),
            }),
            ignored: summary.ignored.map(IgnoredJson::from),
            branches: summary.branches.map(TotalJson::from),
            no_branches: unknown(summary.branches, Metric::Branches),
            functions: summary.functions.map(TotalJson::from),
            no_functions: unknown(summary.functions, Metric::Functions),
            explanation: summary.explanation_sentence(),
            text: line(summary),
            markdown: state.review.markdown(summary, others),
            notices: notices(summary),
        }
    }

    /// Adds notices about the upload itself.
    pub(super) fn with_notices(mut self, notices: &[String]) -> Self {
        self.notices.splice(0..0, notices.iter().cloned());
        self
    }
}

/// A record and its summary
///
/// The record as a pull request shows it.
#[utoipa::path(
    get,
    path = "/coverages-api/records/{id}",
    operation_id = "recordSummary",
    tag = "records",
    params(RecordId, IfNoneMatch),
    responses((status = 200, description = "The summary.", body = SummaryJson), Read<Missing>)
)]
pub(super) async fn read(
    state: Readable,
    id: RecordId,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let summary = state.reader.record_summary(id.0).await?;
    let summary = summary.ok_or_else(|| id.missing())?;
    let others = state.review.others(id.0).await?;
    json(&headers, &SummaryJson::new(&summary, &others, &state))
}
