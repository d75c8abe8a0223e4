//! `GET /coverages-api/records/{id}/explanation`: why the percentages of a record and its base differ.

use super::readable::Readable;
use super::{
    etag::json,
    openapi::{
        names::{Named, number},
        refusals::{IfNoneMatch, Read, WithoutExplanation},
    },
    parameters::{Query, parameters},
    record_id::RecordId,
    record_json::points,
    views,
};
use crate::http::error::{ApiError, Code};
use axum::{http::HeaderMap, response::Response};
use domain::{PartName, ViewName};
use serde::Serialize;
use serde_json::value::RawValue;
use std::str::FromStr;
use store::RecordExplanation;
use utoipa::{
    ToSchema,
    openapi::{RefOr, Schema},
};

parameters! {
    struct ExplanationParameters {
        base: Option<BaseId>,
        /// Only lines of this view.
        view: Option<ViewName>,
    }
}

/// The `id` of a record that another one is compared with.
struct BaseId(i64);

impl Named for BaseId {
    fn schema() -> RefOr<Schema> {
        number("The `id` of the record to compare with. Without it, the record's own base.")
            .minimum(Some(1))
            .maximum(Some(isize::MAX))
            .examples([9])
            .into()
    }
}

impl FromStr for BaseId {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let id = text.parse().ok().filter(|id| *id > 0);
        id.map(Self).ok_or("must be the `id` of a record")
    }
}

/// Why the percentages of a record and its base differ: groups of lines whose shares add up exactly.
#[derive(Serialize, ToSchema)]
#[schema(as = Explanation)]
struct ExplanationJson<'a> {
    /// The `id` of the base.
    #[schema(minimum = 1, examples(9))]
    base: i64,
    /// The `id` of the record.
    #[schema(minimum = 1, examples(12))]
    head: i64,
    /// The difference of the two percentages, in points.
    #[schema(value_type = f64, examples(-0.41), minimum = -100, maximum = 100)]
    delta: Option<Box<RawValue>>,
    /// Head minus base as a fraction of 1, which is the sum of the numerators of all groups.
    #[schema(value_type = i64, examples(-41_000))]
    numerator: i128,
    /// The denominator of all numerators: the lines of the base multiplied by the lines of the head.
    #[schema(value_type = i64, minimum = 1, examples(10_000_000))]
    denominator: i128,
    /// The groups, the largest share first. At most 1000; beyond that the smallest groups of each cause are one group.
    #[schema(max_items = 1000)]
    groups: Vec<GroupJson<'a>>,
    /// The most important groups in at most 200 characters.
    #[schema(
        max_length = 200,
        examples(
            "−0.41: e2e has not reported (−0.38), src/tax.rs has 2 new lines that are not covered (−0.03)."
        )
    )]
    sentence: &'a str,
}

/// Lines that change the percentage for one reason.
#[derive(Serialize, ToSchema)]
#[schema(as = ChangeGroup)]
struct GroupJson<'a> {
    /// The reason: `added`, `removed`, `gained`, `lost`, `appeared`, `vanished`, `part_absent`, `ignored`, `moved`, `changed_since` or
    /// `other`.
    #[schema(examples("lost"))]
    cause: &'static str,
    /// The file; `null` if the group is of several files, or of no file.
    path: Option<&'a str>,
    /// The absent part, for `part_absent`; the unnamed part is an empty text.
    part: Option<&'a str>,
    /// Covered lines of the record minus covered lines of the base.
    covered_change: i64,
    /// All lines of the record minus all lines of the base.
    total_change: i64,
    /// The share of the change, as a fraction of 1 with the common denominator.
    #[schema(value_type = i64)]
    numerator: i128,
    /// The share in percentage points, with four decimals.
    #[schema(value_type = f64, examples(-0.3812))]
    contribution: Option<Box<RawValue>>,
}

/// Millionths of 1 as percentage points.
fn four_decimals(millionths: i64) -> Option<Box<RawValue>> {
    let sign = if millionths < 0 { "-" } else { "" };
    let size = millionths.unsigned_abs();
    RawValue::from_string(format!("{sign}{}.{:04}", size / 10_000, size % 10_000)).ok()
}

/// Why the percentage changed
///
/// With c of t lines covered in the base and c', t' in the record, a group that changes them by Δc and Δt has the numerator
/// Δc·t − c·Δt over the denominator t·t'. The numerators add up to the change of the percentage, and `covered_change` and
/// `total_change` to the changes of the counts. The hunks of the form field `changes` are applied if they start from the base;
/// otherwise a file that they touch, or whose coverable lines differ, is in the group `changed_since`.
#[utoipa::path(
    get,
    path = "/coverages-api/records/{id}/explanation",
    operation_id = "explanation",
    tag = "records",
    params(RecordId, ExplanationParameters, IfNoneMatch),
    responses((status = 200, description = "The explanation.", body = ExplanationJson), Read<WithoutExplanation>)
)]
pub(super) async fn read(
    Readable { reader, .. }: Readable,
    id: RecordId,
    Query(ExplanationParameters { base, view }): Query<ExplanationParameters>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let base = base.map(|BaseId(id)| id);
    let view = views::of_record(&reader, id.0, view).await?;
    let explained = reader.explained(id.0, base, view.clone()).await?;
    views::unless_costly(view.as_ref())?;
    let explained = match explained.ok_or_else(|| id.missing())? {
        RecordExplanation::Known(explained) => *explained,
        RecordExplanation::NoBase => return Err(no_base(base)),
        RecordExplanation::NoCounts => {
            return Err(ApiError::new(
                Code::NoCounts,
                "One of the two records has no counts of lines, or no lines to cover, so their difference cannot be divided.",
            ));
        }
    };
    let explanation = &explained.explanation;
    let groups = explanation.groups.iter();
    let groups = groups.map(|group| {
        let numerator = explanation.share(group);
        GroupJson {
            cause: group.cause.word(),
            path: group.path.as_deref(),
            part: group.part.as_ref().map(PartName::as_str),
            covered_change: group.covered,
            total_change: group.total,
            numerator,
            contribution: four_decimals(explanation.rounded(numerator, 1_000_000)),
        }
    });
    let answer = ExplanationJson {
        base: explained.base,
        head: explained.head,
        delta: points(explained.delta),
        numerator: explanation.numerator(),
        denominator: explanation.denominator(),
        groups: groups.collect(),
        sentence: &explained.sentence,
    };
    json(&headers, &answer)
}

fn no_base(requested: Option<i64>) -> ApiError {
    let detail = match requested {
        Some(id) => format!("There is no record {id} to compare with."),
        None => "This record has no base: it is the first one, or its base has not been uploaded. Name a record with `base`.".to_owned(),
    };
    ApiError::new(Code::NoBase, detail)
}

#[cfg(test)]
mod tests {
    use super::four_decimals;

    #[test]
    fn a_contribution_has_four_decimals() {
        let shown = |number| four_decimals(number).expect("JSON").get().to_owned();
        assert_eq!(
            [-3_812, 0, 1, 10_000, -1_000_000].map(shown),
            ["-0.3812", "0.0000", "0.0001", "1.0000", "-100.0000"]
        );
    }
}
