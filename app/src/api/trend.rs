//! `GET /coverages-api/trend`: the trend of a repository as points.

#[cfg(feature = "ssr")]
mod schema;

use crate::{
    charts::{FAILED, Line, Point},
    links,
};
use domain::{CHART_POINTS, Percentage, Series, Timestamp, Trend, thin};
use serde::{Deserialize, Serialize};

/// The trend of a repository's branches over a period.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "ssr", schema(as = Trend))]
pub struct TrendAnswer {
    /// The number of records in the period. If there are more records than points, the points keep the shape of the lines.
    pub records: u64,
    /// The number of series that are left out: an answer has at most eight.
    pub hidden: u32,
    /// One series for each branch and language: the chosen branch first.
    pub series: Vec<SeriesAnswer>,
}

/// The points of one branch and language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "ssr", schema(as = TrendSeries))]
pub struct SeriesAnswer {
    /// The branch.
    pub branch_name: String,
    /// The language.
    pub language: String,
    /// Whether the branch still has a current record.
    pub is_active: bool,
    /// At most 300 points, with `view` or `metric` at most 500, the oldest first.
    #[cfg_attr(feature = "ssr", schema(schema_with = schema::points))]
    pub points: Vec<PointAnswer>,
    /// The author of the commit of each point.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authors: Vec<String>,
    /// The points whose gate failed, by their index, from 0; left out if no gate failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<usize>,
    /// The covered and all lines of each point, and how many more lines may be new; left out if they are the lines of the record.
    #[serde(skip_deserializing, skip_serializing_if = "Vec::is_empty")]
    pub counted: Vec<[u64; 3]>,
}

/// One record: the time of its last upload in microseconds since 1970, its coverage in hundredths of a percent, its id, and
/// the first characters of its commit. An array keeps long trends small.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PointAnswer(pub Timestamp, pub Percentage, pub i64, pub String);

impl From<Trend> for TrendAnswer {
    fn from(trend: Trend) -> Self {
        Self {
            records: trend.records,
            hidden: trend.hidden,
            series: trend.series.into_iter().map(SeriesAnswer::from).collect(),
        }
    }
}

impl From<Series> for SeriesAnswer {
    fn from(series: Series) -> Self {
        let counted = series.points.iter().filter_map(|point| point.counted);
        let counted: Vec<_> = counted
            .map(|count| [count.lines.covered, count.lines.total, count.unknown])
            .collect();
        // Counted points are few.
        let points = match series.points.iter().any(|point| point.counted.is_some()) {
            true => series.points,
            false => thin(series.points, CHART_POINTS),
        };
        let failed = points.iter().enumerate();
        let failed = failed.filter_map(|(place, point)| point.has_failed.then_some(place));
        let failed = failed.collect();
        let authors = points.iter().map(|point| point.author.to_string());
        let authors = authors.collect();
        let points = points.into_iter().map(|point| {
            let commit = point.commit.short().to_owned();
            PointAnswer(point.at, point.percentage, point.record_id, commit)
        });
        Self {
            branch_name: series.branch.to_string(),
            language: series.language.to_string(),
            is_active: series.is_active,
            points: points.collect(),
            authors,
            failed,
            counted,
        }
    }
}

impl TrendAnswer {
    /// The number of points.
    pub fn points(&self) -> usize {
        self.series.iter().map(|series| series.points.len()).sum()
    }

    /// The lines of a chart.
    pub fn lines(&self) -> Vec<Line> {
        self.series.iter().map(SeriesAnswer::line).collect()
    }
}

impl SeriesAnswer {
    fn line(&self) -> Line {
        let point = |(place, point): (usize, &PointAnswer)| {
            let PointAnswer(at, percentage, record_id, commit) = point;
            let has_failed = self.failed.contains(&place);
            let mut detail = vec![match self.authors.get(place) {
                Some(author) => format!("commit {commit} by {author}"),
                None => format!("commit {commit}"),
            }];
            if has_failed {
                detail.push(FAILED.to_owned());
            }
            Point {
                at: *at,
                percentage: *percentage,
                href: Some(links::record(*record_id)),
                detail,
                has_failed,
                repositories: 0,
            }
        };
        let points = self.points.iter().enumerate().map(point);
        Line {
            is_over: !self.is_active,
            ..Line::with_gaps(
                format!("{} · {}", self.branch_name, self.language),
                points.collect(),
            )
        }
    }
}
