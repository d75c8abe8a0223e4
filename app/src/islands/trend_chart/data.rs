//! The data of a chart: what the server puts into the page, and the lines that both sides draw from it.

#[cfg(feature = "ssr")]
use crate::charts::begins_late;
use crate::{
    api::TrendAnswer,
    charts::{Line, LineChart, Point},
    numbers::{covered_of, grouped},
};
use domain::{CHART_LINES, Count, Day, Percentage, Timestamp};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ChartData {
    /// The title, such as `Trend of line coverage`.
    pub(crate) title: String,
    pub(crate) subject: String,
    pub(crate) points: Points,
    pub(crate) target: Option<Percentage>,
    /// The start of the horizontal axis; the first point if `None`.
    pub(crate) since: Option<Timestamp>,
    /// The end of the horizontal axis; usually now.
    pub(crate) until: Timestamp,
    /// The address of the page with all choices except dates.
    pub(crate) page: String,
    /// The address of finer points of a period, except its dates; `None` if no finer points exist.
    pub(crate) finer: Option<String>,
    /// Whether the address of the page has dates.
    pub(crate) has_dates: bool,
    /// Whether the chart ends in the past. Then no line is stale.
    pub(crate) is_past: bool,
    /// Whether the vertical axis goes from 0 to 100 %: shares of few differ too much for a part of it.
    pub(crate) is_share: bool,
}

/// The points of a chart's lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Points {
    /// The records of a repository's branches.
    #[serde(with = "super::differences")]
    Records(TrendAnswer),
    /// The days of an org and of its groups.
    Days(Vec<Days>),
}

/// One value for each day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Days {
    /// The label of the line.
    pub(crate) label: String,
    /// What the counts count, such as `lines`.
    pub(crate) unit: String,
    /// The days; no coverage is a gap.
    pub(crate) days: Vec<DayValue>,
}

/// A day with its coverage, its number of repositories and its counts. If repositories came since the day before: the text of a
/// mark, without markup.
type DayValue = (i32, Option<Percentage>, u32, Option<Count>, Option<String>);

impl ChartData {
    /// Begins the axis with the first point if a range is longer than what was uploaded; returns the day of the point. Chosen dates
    /// stay.
    #[cfg(feature = "ssr")]
    pub(crate) fn begin_with_first_point(&mut self) -> Option<Day> {
        let (since, first) = self.since.zip(self.points.first())?;
        if self.has_dates || !begins_late((since, self.until), first) {
            return None;
        }
        self.since = Some(first);
        Some(Day::of(first))
    }

    /// The chart with `lines`, from `since` to `until`.
    pub(super) fn chart(
        &self,
        lines: Vec<Line>,
        since: Option<Timestamp>,
        until: Timestamp,
    ) -> LineChart {
        let lines = lines.into_iter().map(|line| Line {
            is_over: line.is_over || self.is_past || until < self.until,
            ..line
        });
        LineChart {
            lines: lines.collect(),
            target: self.target,
            since,
            until,
            is_daily: self.is_daily(),
            is_share: self.is_share,
        }
    }

    /// Whether a point is a whole day. Then the whole page is about the period of the chart.
    pub(super) fn is_daily(&self) -> bool {
        matches!(self.points, Points::Days(_))
    }
}

impl Points {
    pub(crate) fn lines(&self) -> Vec<Line> {
        match self {
            Self::Records(answer) => answer.lines(),
            Self::Days(lines) => lines.iter().map(Days::line).collect(),
        }
    }

    /// The time of the first point.
    pub(super) fn first(&self) -> Option<Timestamp> {
        let lines = self.lines();
        let points = lines.iter().flat_map(Line::points);
        points.map(|point| point.at).min()
    }

    /// Whether there are more records than points.
    pub(super) fn are_reduced(&self) -> bool {
        match self {
            Self::Records(answer) => answer.records > answer.points() as u64,
            Self::Days(_) => false,
        }
    }

    /// How many records and points there are, as a sentence.
    pub(super) fn summary(&self) -> String {
        let answer = match self {
            Self::Records(answer) => answer,
            // All lines have the same days.
            Self::Days(lines) => return lines.first().map(Days::summary).unwrap_or_default(),
        };
        let points = answer.points();
        let records = match answer.records {
            0 => "No records.".to_owned(),
            1 => "1 record.".to_owned(),
            records if records == points as u64 => {
                format!("{} records, one point for each.", grouped(records))
            }
            records => {
                format!(
                    "{} records, reduced to {points} points that keep the shape of the lines.",
                    grouped(records)
                )
            }
        };
        match answer.hidden {
            0 => records,
            hidden => {
                format!(
                    "{records} A chart shows at most {CHART_LINES} lines: {hidden} more are not shown."
                )
            }
        }
    }
}

impl Days {
    fn summary(&self) -> String {
        let points = self
            .days
            .iter()
            .filter(|(_, percentage, ..)| percentage.is_some());
        match points.count() {
            1 => "1 point.".to_owned(),
            count => format!("{count} points."),
        }
    }

    fn line(&self) -> Line {
        let pieces = self.days.split(|(_, percentage, ..)| percentage.is_none());
        let pieces = pieces.map(|days| {
            days.iter()
                .filter_map(|day| point(day, &self.unit))
                .collect::<Vec<_>>()
        });
        Line {
            label: self.label.clone(),
            pieces: pieces.filter(|points| !points.is_empty()).collect(),
            is_over: true,
        }
    }
}

fn point((day, percentage, repositories, counts, came): &DayValue, unit: &str) -> Option<Point> {
    let mut detail = vec![match repositories {
        1 => "1 repository".to_owned(),
        count => format!("{count} repositories"),
    }];
    detail.extend(counts.map(|counts| format!("{} {unit}", covered_of(counts))));
    detail.extend(came.clone());
    Some(Point {
        at: Day(*day).start(),
        percentage: (*percentage)?,
        href: None,
        detail,
        has_failed: false,
        repositories: *repositories,
    })
}
