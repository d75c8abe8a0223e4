//! Coverage over time: series of points, and thinning them without losing their shape.

mod range;

pub use range::TrendRange;

use super::{BranchName, CommitAuthor, CommitHash, Language, NewCount, Percentage, Timestamp};

/// The maximum number of lines in a chart, so that they can be distinguished.
pub const CHART_LINES: usize = 8;

/// The maximum number of points of a line: about one for every four pixels of the wide chart.
pub const CHART_POINTS: usize = 300;

/// One record as a point of a trend.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "sql", derive(sqlx::FromRow))]
pub struct TrendPoint {
    /// The record.
    pub record_id: i64,
    /// When the record was last uploaded.
    pub at: Timestamp,
    /// Its coverage.
    pub percentage: Percentage,
    /// The commit that was measured.
    #[cfg_attr(feature = "sql", sqlx(rename = "commit_hash"))]
    pub commit: CommitHash,
    /// Who made the commit.
    #[cfg_attr(feature = "sql", sqlx(rename = "commit_author"))]
    pub author: CommitAuthor,
    /// Whether its gate failed.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::Flag"))]
    pub has_failed: bool,
    /// What its percentage counts, if these are not the lines of the record.
    #[cfg_attr(feature = "sql", sqlx(skip))]
    pub counted: Option<NewCount>,
}

/// The history of one branch and language, oldest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// The branch.
    pub branch: BranchName,
    /// The language.
    pub language: Language,
    /// Its points, oldest first.
    pub points: Vec<TrendPoint>,
    /// Whether its last record is still current.
    pub is_active: bool,
}

/// A measured value with its time.
pub trait Sample {
    /// The time.
    fn at(&self) -> Timestamp;
    /// The coverage.
    fn percentage(&self) -> Percentage;
}

impl Sample for TrendPoint {
    fn at(&self) -> Timestamp {
        self.at
    }

    fn percentage(&self) -> Percentage {
        self.percentage
    }
}

/// Returns at most `keep` of `points`, chosen so that the drawn line keeps its peaks and dips.
///
/// Largest-Triangle-Three-Buckets (Sveinn Steinarsson, "Downsampling Time Series for Visual Representation", 2013):
/// the first and last point stay; each bucket between them keeps the point that forms the largest triangle with the
/// point kept before it and the mean of the next bucket.
pub fn thin<T: Sample>(points: Vec<T>, keep: usize) -> Vec<T> {
    if points.len() <= keep || keep < 3 {
        return points;
    }
    let buckets = keep - 2;
    let inner = points.len() - 2;
    let edge = |bucket: usize| 1 + bucket * inner / buckets;
    let mut kept = vec![0];
    let mut before = 0;
    for bucket in 0..buckets {
        let next = edge(bucket + 1)..edge(bucket + 2).min(points.len()).max(edge(bucket + 1) + 1);
        let mean = mean(&points[next]);
        let largest = (edge(bucket)..edge(bucket + 1)).max_by(|&a, &b| {
            area(&points[before], &points[a], mean).total_cmp(&area(
                &points[before],
                &points[b],
                mean,
            ))
        });
        if let Some(largest) = largest {
            kept.push(largest);
            before = largest;
        }
    }
    kept.push(points.len() - 1);
    let mut kept = kept.into_iter().peekable();
    let mut index = 0;
    let mut points = points;
    points.retain(|_| {
        let keeps = kept.next_if_eq(&index).is_some();
        index += 1;
        keeps
    });
    points
}

fn position(point: &impl Sample) -> (f64, f64) {
    (
        point.at().0 as f64,
        f64::from(point.percentage().basis_points()),
    )
}

fn mean(points: &[impl Sample]) -> (f64, f64) {
    let count = points.len() as f64;
    let sum = points
        .iter()
        .map(position)
        .fold((0.0, 0.0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
    (sum.0 / count, sum.1 / count)
}

fn area(before: &impl Sample, point: &impl Sample, (next_x, next_y): (f64, f64)) -> f64 {
    let ((before_x, before_y), (x, y)) = (position(before), position(point));
    ((before_x - next_x) * (y - before_y) - (before_x - x) * (next_y - before_y)).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(values: impl IntoIterator<Item = u16>) -> Vec<TrendPoint> {
        let point = |(index, value): (usize, u16)| TrendPoint {
            record_id: index as i64,
            at: Timestamp(index as i64),
            percentage: Percentage::from_basis_points(value),
            commit: "c".parse().expect("a commit"),
            author: "Kim".parse().expect("an author"),
            has_failed: false,
            counted: None,
        };
        values.into_iter().enumerate().map(point).collect()
    }

    #[test]
    fn a_short_series_is_left_alone() {
        assert_eq!(thin(points([1, 2, 3]), 3), points([1, 2, 3]));
        assert_eq!(thin(points([]), 10), points([]));
    }

    #[test]
    fn a_thinned_series_keeps_its_ends_its_peak_and_its_order() {
        let values = (0..100_000).map(|index| {
            if index == 54_321 {
                10_000
            } else {
                5_000 + (index % 7) as u16
            }
        });
        let thinned = thin(points(values), 500);
        assert_eq!(thinned.len(), 500);
        assert_eq!((thinned[0].record_id, thinned[499].record_id), (0, 99_999));
        assert!(
            thinned.iter().any(|point| point.record_id == 54_321),
            "the peak is gone"
        );
        assert!(thinned.is_sorted_by_key(|point| point.record_id));
    }

    #[test]
    fn every_length_and_size_gives_exactly_the_requested_number() {
        for length in 4..60 {
            for keep in 3..length {
                assert_eq!(
                    thin(
                        points((0..length).map(|n| (n * n % 97) as u16)),
                        keep as usize
                    )
                    .len(),
                    keep as usize,
                    "{length} to {keep}"
                );
            }
        }
    }
}
