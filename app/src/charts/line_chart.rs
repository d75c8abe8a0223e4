//! The data of a line chart: coverage over time.

use super::axis;
use domain::{CHART_LINES, DAY, Percentage, STALE_DAYS, Sample, Timestamp, thin};
use std::ops::Range;

/// A pause is a gap if it is at least this long, and at least [`GAP_OF_USUAL`] times the usual distance of two points: a
/// branch with one upload per quarter is not all gaps.
const GAP_DAYS: i64 = 30;
const GAP_OF_USUAL: i64 = 6;

/// Lines over time on one pair of axes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineChart {
    /// The lines; no more than [`CHART_LINES`] are drawn.
    pub lines: Vec<Line>,
    /// The target, drawn as a dashed line.
    pub target: Option<Percentage>,
    /// The start of the horizontal axis; the first point if `None`.
    pub since: Option<Timestamp>,
    /// The end of the horizontal axis; usually now.
    pub until: Timestamp,
    /// Whether a point stands for a whole day instead of a point in time.
    pub is_daily: bool,
    /// Whether the vertical axis goes from 0 to 100 %.
    pub is_share: bool,
}

/// The axes of a chart, computed from all points, even if fewer are drawn, so that the text about the axes is right.
pub(super) struct Axes {
    /// In microseconds.
    pub(super) x: Range<i64>,
    /// In basis points.
    pub(super) y: Range<i32>,
}

/// One line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The label, for the legend and each point.
    pub label: String,
    /// Its points, oldest first. There is a gap between two pieces, which thinning keeps.
    pub pieces: Vec<Vec<Point>>,
    /// Whether no more points will follow, as on a merged branch: then the line does not become stale.
    pub is_over: bool,
}

/// One point of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// When it was measured.
    pub at: Timestamp,
    /// The coverage.
    pub percentage: Percentage,
    /// Its link, if any.
    pub href: Option<String>,
    /// More lines for its tooltip.
    pub detail: Vec<String>,
    /// Whether its gate failed; it then has a second mark.
    pub has_failed: bool,
    /// The number of repositories that it sums up; 0 for a record. With another number, a lower percentage is no drop.
    pub repositories: u32,
}

/// The text for the second mark of a point.
pub(crate) const FAILED: &str = "gate failed";

impl Sample for Point {
    fn at(&self) -> Timestamp {
        self.at
    }

    fn percentage(&self) -> Percentage {
        self.percentage
    }
}

/// A point with the index of its piece.
struct InPiece(usize, Point);

impl Sample for InPiece {
    fn at(&self) -> Timestamp {
        self.1.at
    }

    fn percentage(&self) -> Percentage {
        self.1.percentage
    }
}

/// The place of the target relative to the vertical axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TargetPlace {
    Shown,
    Above,
    Below,
}

impl LineChart {
    pub(crate) fn is_empty(&self) -> bool {
        self.points().next().is_none()
    }

    /// The last value of each drawn line as text, for screen readers.
    pub(crate) fn ends(&self) -> impl Iterator<Item = String> {
        self.lines.iter().take(CHART_LINES).filter_map(|line| {
            let last = line.points().last()?;
            let (percentage, day) = (last.percentage, last.at.day());
            Some(format!("{}: {percentage} % on {day}", line.label))
        })
    }

    pub(crate) fn when(&self, point: &Point) -> String {
        if self.is_daily {
            point.at.day()
        } else {
            point.at.long()
        }
    }

    pub(crate) fn points(&self) -> impl Iterator<Item = &Point> + Clone {
        self.lines.iter().flat_map(Line::points)
    }

    /// The vertical axis in basis points: it fits the data, and the target if it is near.
    fn percentages(&self) -> Range<i32> {
        if self.is_share {
            return 0..10_000;
        }
        let values = self.points().map(|point| basis_points(point.percentage));
        axis::percentages(values, self.target.map(basis_points))
    }

    pub(super) fn axes(&self) -> Axes {
        let times = self.points().map(|point| point.at.0);
        Axes {
            x: axis::times(times, self.since.map(|since| since.0), self.until.0),
            y: self.percentages(),
        }
    }

    /// The lowest and the highest percentage of the vertical axis, for texts.
    pub(crate) fn axis(&self) -> (Percentage, Percentage) {
        let Range { start, end } = self.percentages();
        let percentage = |basis_points| {
            Percentage::from_basis_points(u16::try_from(basis_points).unwrap_or_default())
        };
        (percentage(start), percentage(end))
    }

    /// The target in basis points, if it is on the vertical axis.
    pub(super) fn shown_target(&self, y: &Range<i32>) -> Option<i32> {
        let target = self.target.map(basis_points);
        target.filter(|target| (y.start..=y.end).contains(target))
    }

    pub(crate) fn target_place(&self) -> Option<TargetPlace> {
        let (target, axis) = (basis_points(self.target?), self.percentages());
        Some(match target {
            _ if target < axis.start => TargetPlace::Below,
            _ if target > axis.end => TargetPlace::Above,
            _ => TargetPlace::Shown,
        })
    }

    /// The number of days without a point at the end of `line`, if it is stale.
    pub(crate) fn stale_days(&self, line: &Line) -> Option<i64> {
        let days = (self.until.0 - line.points().last()?.at.0) / DAY;
        (days >= STALE_DAYS && !line.is_over).then_some(days)
    }
}

impl Line {
    /// Creates a line of `points`, oldest first, with gaps where there was no point for much longer than usual.
    pub fn with_gaps(label: String, points: Vec<Point>) -> Self {
        let gap = usual_distance(&points)
            .map_or(i64::MAX, |usual| (usual * GAP_OF_USUAL).max(GAP_DAYS * DAY));
        let mut pieces: Vec<Vec<Point>> = Vec::new();
        for point in points {
            let is_near = |last: &Point| point.at.0 - last.at.0 <= gap;
            match pieces.last_mut() {
                Some(piece) if piece.last().is_some_and(is_near) => piece.push(point),
                _ => pieces.push(vec![point]),
            }
        }
        Self {
            label,
            pieces,
            is_over: false,
        }
    }

    /// All points, oldest first.
    pub(crate) fn points(&self) -> impl Iterator<Item = &Point> + Clone {
        self.pieces.iter().flatten()
    }

    /// Returns the line with at most `keep` points, keeping its shape and its gaps.
    pub(crate) fn thinned(&self, keep: usize) -> Self {
        let pieces = self.pieces.iter().enumerate();
        let points = pieces.flat_map(|(piece, points)| {
            let points = points.iter().cloned();
            points.map(move |point| InPiece(piece, point))
        });
        let mut pieces = vec![Vec::new(); self.pieces.len()];
        for InPiece(piece, point) in thin(points.collect(), keep) {
            if let Some(points) = pieces.get_mut(piece) {
                points.push(point);
            }
        }
        pieces.retain(|points| !points.is_empty());
        Self {
            pieces,
            ..self.clone()
        }
    }
}

/// The median of the times from one point to the next.
fn usual_distance(points: &[Point]) -> Option<i64> {
    let pairs = points.windows(2);
    let distances = pairs.map(|pair| pair[1].at.0 - pair[0].at.0).collect();
    let order = sorted(distances);
    order.get(order.len() / 2).map(|(distance, _)| *distance)
}

/// Numbers in ascending order, each with its former index. One function sorts for the whole chart: the standard library's code is
/// compiled for each type that it sorts.
#[inline(never)]
pub(crate) fn sorted(numbers: Vec<i64>) -> Vec<(i64, usize)> {
    let mut order: Vec<_> = numbers.into_iter().zip(0..).collect();
    order.sort_unstable();
    order
}

/// Whether the first point is so late in a period that the chart begins with it instead: after more than a tenth.
#[cfg(feature = "ssr")]
pub(crate) fn begins_late((since, until): (Timestamp, Timestamp), first: Timestamp) -> bool {
    first.0 - since.0 > (until.0 - since.0) / 10
}

#[cfg(feature = "ssr")]
impl LineChart {
    /// The chart of a range. It begins with its first point if that comes late.
    #[must_use]
    pub fn of_range(mut self) -> Self {
        let first = self.points().map(|point| point.at).min();
        if let (Some(since), Some(first)) = (self.since, first)
            && begins_late((since, self.until), first)
        {
            self.since = Some(first);
        }
        self
    }
}

pub(super) fn basis_points(percentage: Percentage) -> i32 {
    i32::from(percentage.basis_points())
}
