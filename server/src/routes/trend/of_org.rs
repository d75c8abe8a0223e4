//! The trend of an org as an image, with the parameters of its page.

use super::{TrendParameters, UNREADABLE, valid};
use crate::routes::readable::Readable;
use app::charts::{Line, LineChart, Point, sentence};
use domain::{OrgName, OrgPoint, OrgQuery, OrgReport, Percentage, text::chain};

pub(super) async fn picture(
    state: &Readable,
    org: OrgName,
    parameters: &TrendParameters,
) -> String {
    let title = format!("Coverage of {org}");
    // Invalid values are ignored, as on the page.
    let query = OrgQuery {
        org: Some(org.clone()),
        range: valid(&parameters.range).unwrap_or_default(),
        from: valid(&parameters.from),
        to: valid(&parameters.to),
        mean: valid(&parameters.mean).unwrap_or_default(),
        over: valid(&parameters.over).unwrap_or_default(),
    };
    match state.reader.org(&query).await {
        Ok(Some(history)) => {
            // With the case of the stored name.
            let title = format!("Coverage of {}", history.org.as_ref().unwrap_or(&org));
            let empty = "Nothing was uploaded in this period.";
            let report = OrgReport::of(&history, &query, state.target.0);
            report.map_or_else(
                || sentence(&title, empty),
                |report| chart(&report, &query, state.target.0).document(&title, empty),
            )
        }
        Ok(None) => sentence(&title, "No such coverage was uploaded here."),
        Err(error) => {
            tracing::error!(
                cause = chain(&error),
                "a trend image is shown without its trend"
            );
            sentence(&title, UNREADABLE)
        }
    }
}

fn chart(report: &OrgReport, query: &OrgQuery, target: Percentage) -> LineChart {
    // Days without a value are a gap.
    let pieces = report.points.split(|point| point.coverage.is_none());
    let pieces = pieces.map(|points| points.iter().filter_map(point).collect::<Vec<_>>());
    LineChart {
        lines: vec![Line {
            label: query.mean.label().to_owned(),
            pieces: pieces.filter(|points| !points.is_empty()).collect(),
            is_over: true,
        }],
        target: Some(target),
        since: Some(report.period.from.start()),
        until: report.period.to.start(),
        is_daily: true,
    }
}

fn point(point: &OrgPoint) -> Option<Point> {
    Some(Point {
        at: point.day.start(),
        percentage: point.coverage?,
        href: None,
        detail: Vec::new(),
        has_failed: false,
    })
}
