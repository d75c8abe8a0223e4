//! The counts of a view as JSON.

use crate::routes::record_json::{number, points};
use domain::{NewCount, Percentage, ViewCounts, ViewName};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

/// The counts of some files.
#[derive(Serialize, ToSchema)]
#[schema(as = ViewCounts)]
pub(in crate::routes) struct CountsJson {
    /// Covered lines.
    covered: u64,
    /// All lines.
    total: u64,
    /// Their share in percent; `null` without lines.
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 100)]
    percentage: Option<Box<RawValue>>,
    /// The change of the percentage in the period; `null` if one of both percentages is unknown.
    #[schema(value_type = Option<f64>, minimum = -100, maximum = 100)]
    delta: Option<Box<RawValue>>,
    /// The number of files.
    files: u64,
    /// The new lines, by default of the last 90 days; `null` without a history of lines.
    new: Option<NewCountsJson>,
}

/// New lines.
#[derive(Serialize, ToSchema)]
#[schema(as = NewCounts)]
pub(in crate::routes) struct NewCountsJson {
    /// New lines that ran.
    covered: u64,
    /// All new lines.
    coverable: u64,
    /// Their share in percent; `null` without new lines.
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 100)]
    percentage: Option<Box<RawValue>>,
    /// Lines that may be new. They are not counted above.
    unknown: u64,
}

/// A view with its counts.
#[derive(Serialize, ToSchema)]
#[schema(as = View)]
pub(in crate::routes) struct ViewJson {
    /// The name of the view.
    #[schema(examples("folder:server/src"))]
    view: String,
    #[serde(flatten)]
    counts: CountsJson,
}

/// Lines that the stated totals have more than the files.
#[derive(Serialize, ToSchema)]
#[schema(as = OtherLines)]
pub(in crate::routes) struct OtherJson {
    /// Covered lines; negative if the files have more.
    covered: i64,
    /// All lines; negative if the files have more.
    total: i64,
}

impl From<ViewCounts> for CountsJson {
    fn from(counts: ViewCounts) -> Self {
        Self {
            covered: counts.now.lines.covered,
            total: counts.now.lines.total,
            percentage: counts.percentage().and_then(number),
            delta: counts.delta().and_then(points),
            files: counts.now.files,
            new: counts.new.map(NewCountsJson::from),
        }
    }
}

impl From<NewCount> for NewCountsJson {
    fn from(new: NewCount) -> Self {
        Self {
            covered: new.lines.covered,
            coverable: new.lines.total,
            percentage: Percentage::of(new.lines).and_then(number),
            unknown: new.unknown,
        }
    }
}

impl From<(ViewName, ViewCounts)> for ViewJson {
    fn from((view, counts): (ViewName, ViewCounts)) -> Self {
        Self {
            view: view.to_string(),
            counts: counts.into(),
        }
    }
}

impl From<(i64, i64)> for OtherJson {
    fn from((covered, total): (i64, i64)) -> Self {
        Self { covered, total }
    }
}
