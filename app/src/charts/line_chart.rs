//! What a line chart shows: coverage over time, of anything that has one.

use super::{MAX_LINES, axis};
use domain::{DAY, Percentage, STALE_DAYS, Sample, Timestamp, thin};
use std::ops::Range;

/// A pause is a gap where it is at least this long, and at least [`GAP_OF_USUAL`] times the usual distance of two points:
/// who uploads once a quarter has no gap in every one.
const GAP_DAYS: i64 = 30;
const GAP_OF_USUAL: i64 = 6;

/// Lines over time on one pair of axes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineChart {
    /// The lines; no more than [`MAX_LINES`] are drawn.
    pub lines: Vec<Line>,
    /// What is to be reached: a dashed line of its own.
    pub target: Option<Percentage>,
    /// Where the horizontal axis begins; at the first point where this is not said.
    pub since: Option<Timestamp>,
    /// Where it ends: mostly now.
    pub until: Timestamp,
    /// Whether a point stands for its day and not for a moment of it.
    pub is_daily: bool,
}

/// The axes of a chart. They are of all of its points, also where fewer are drawn, so that what is said of them holds.
pub(super) struct Axes {
    /// In microseconds.
    pub(super) x: Range<i64>,
    /// In basis points.
    pub(super) y: Range<i32>,
}

/// One line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// What it is of, for the legend and each point.
    pub label: String,
    /// Its points, oldest first. What lies between two pieces is a gap, and stays one.
    pub pieces: Vec<Vec<Point>>,
    /// Whether nothing will follow, as on a branch that was merged: then it does not go stale.
    pub is_over: bool,
}

/// One point of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// When it was measured.
    pub at: Timestamp,
    /// How much was covered.
    pub percentage: Percentage,
    /// Where it leads, if anywhere.
    pub href: Option<String>,
    /// What else there is to say of it, a line each.
    pub detail: Vec<String>,
}

impl Sample for Point {
    fn at(&self) -> Timestamp {
        self.at
    }

    fn percentage(&self) -> Percentage {
        self.percentage
    }
}

/// A point that knows its piece.
struct InPiece(usize, Point);

impl Sample for InPiece {
    fn at(&self) -> Timestamp {
        self.1.at
    }

    fn percentage(&self) -> Percentage {
        self.1.percentage
    }
}

/// Where the target stands beside the vertical axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetPlace {
    /// On it.
    Shown,
    /// Higher than it goes.
    Above,
    /// Lower than it goes.
    Below,
}

impl LineChart {
    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.points().next().is_none()
    }

    /// What the lines that are drawn stand at, a text each, for those who do not see them.
    pub fn ends(&self) -> impl Iterator<Item = String> {
        self.lines.iter().take(MAX_LINES).filter_map(|line| {
            let last = line.points().last()?;
            Some(format!(
                "{}: {} % on {}",
                line.label,
                last.percentage,
                last.at.day()
            ))
        })
    }

    /// When a point was measured, in words.
    pub fn when(&self, point: &Point) -> String {
        if self.is_daily {
            point.at.day()
        } else {
            point.at.long()
        }
    }

    /// The points of all lines.
    pub fn points(&self) -> impl Iterator<Item = &Point> + Clone {
        self.lines.iter().flat_map(Line::points)
    }

    /// The vertical axis in basis points: it fits the data, and the target where that is not far off.
    fn percentages(&self) -> Range<i32> {
        let values = self.points().map(|point| basis_points(point.percentage));
        axis::percentages(values, self.target.map(basis_points))
    }

    /// The horizontal axis in microseconds.
    fn times(&self) -> Range<i64> {
        let times = self.points().map(|point| point.at.0);
        axis::times(times, self.since.map(|since| since.0), self.until.0)
    }

    pub(super) fn axes(&self) -> Axes {
        Axes {
            x: self.times(),
            y: self.percentages(),
        }
    }

    /// The lowest and the highest percentage of the vertical axis, to be said in words.
    pub fn axis(&self) -> (Percentage, Percentage) {
        let Range { start, end } = self.percentages();
        let percentage = |basis_points| {
            Percentage::from_basis_points(u16::try_from(basis_points).unwrap_or_default())
        };
        (percentage(start), percentage(end))
    }

    /// Where the target is, if there is one.
    pub fn target_place(&self) -> Option<TargetPlace> {
        let (target, axis) = (basis_points(self.target?), self.percentages());
        Some(match target {
            _ if target < axis.start => TargetPlace::Below,
            _ if target > axis.end => TargetPlace::Above,
            _ => TargetPlace::Shown,
        })
    }

    /// For how many days `line` had no point at the chart's end, where it is stale.
    pub fn stale_days(&self, line: &Line) -> Option<i64> {
        let days = (self.until.0 - line.points().last()?.at.0) / DAY;
        (days >= STALE_DAYS && !line.is_over).then_some(days)
    }
}

impl Line {
    /// A line of `points`, oldest first, that is broken where nothing was measured for much longer than usual.
    pub fn with_gaps(label: String, points: Vec<Point>) -> Self {
        let gap = usual_distance(&points)
            .map_or(i64::MAX, |usual| (usual * GAP_OF_USUAL).max(GAP_DAYS * DAY));
        let mut pieces: Vec<Vec<Point>> = Vec::new();
        for point in points {
            match pieces.last_mut() {
                Some(piece)
                    if piece
                        .last()
                        .is_some_and(|last| point.at.0 - last.at.0 <= gap) =>
                {
                    piece.push(point)
                }
                _ => pieces.push(vec![point]),
            }
        }
        Self {
            label,
            pieces,
            is_over: false,
        }
    }

    /// All of its points, oldest first.
    pub fn points(&self) -> impl Iterator<Item = &Point> + Clone {
        self.pieces.iter().flatten()
    }

    /// The same line with at most `keep` points that keep its shape and its gaps.
    pub fn thinned(&self, keep: usize) -> Self {
        let pieces = self.pieces.iter().enumerate();
        let points = pieces.flat_map(|(piece, points)| {
            points
                .iter()
                .map(move |point| InPiece(piece, point.clone()))
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
    let mut distances: Vec<i64> = points
        .windows(2)
        .map(|pair| pair[1].at.0 - pair[0].at.0)
        .collect();
    let middle = distances.len() / 2;
    (!distances.is_empty()).then(|| *distances.select_nth_unstable(middle).1)
}

pub(super) fn basis_points(percentage: Percentage) -> i32 {
    i32::from(percentage.basis_points())
}
