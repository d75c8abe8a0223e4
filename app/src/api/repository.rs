//! Reading a repository's page.

use crate::{AppError, api::JsonText, domain::RepositoryDetail, links::ReportLinks};
use leptos::{
    prelude::*,
    server_fn::codec::{GetUrl, Post},
};
use serde::{Deserialize, Serialize};

/// A repository with its trend, drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepositoryAnswer {
    /// The repository; its trend is thinned to what the chart shows.
    pub detail: RepositoryDetail,
    /// How many records the chart stands for; more than it has points where those were thinned.
    pub record_count: u32,
    /// How many further lines there would be: a chart can tell only a few apart.
    pub hidden_series: u32,
    /// The trend as a picture.
    pub chart: Chart,
    /// Where the reports are.
    pub reports: ReportLinks,
}

/// The same chart as SVG in two sizes, so that its text is readable on every screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chart {
    /// For a desk.
    pub wide: String,
    /// For a phone.
    pub narrow: String,
}

/// The repository `name` (`org/repo`), speaking of `branch`, or of its main branch where that is empty.
#[server(prefix = "/_ui", endpoint = "repository", input = GetUrl, output = Post<JsonText>)]
pub async fn read_repository(name: String, branch: String) -> Result<RepositoryAnswer, AppError> {
    answer(&name, &branch).await.map_err(super::failing)
}

#[cfg(feature = "ssr")]
async fn answer(name: &str, branch: &str) -> Result<RepositoryAnswer, AppError> {
    use crate::{SharedReadModel, charts, domain::thin};
    let missing = || AppError::NotFound(format!("No coverage of {name} was uploaded here."));
    let no_such_branch = || {
        AppError::NotFound(format!(
            "No coverage of the branch {branch} of {name} was uploaded here."
        ))
    };
    let repository = name.parse().map_err(|_| missing())?;
    let asked = match branch {
        "" => None,
        _ => Some(branch.parse().map_err(|_| no_such_branch())?),
    };
    let model = expect_context::<SharedReadModel>();
    let mut detail = model
        .repository(&repository, asked.as_ref())
        .await?
        .ok_or_else(missing)?;
    if detail
        .trend
        .iter()
        .all(|series| series.branch != detail.branch)
    {
        return Err(no_such_branch());
    }
    let hidden_series = detail.trend.len().saturating_sub(charts::MAX_SERIES);
    detail.trend.truncate(charts::MAX_SERIES);
    let record_count: usize = detail.trend.iter().map(|series| series.points.len()).sum();
    for series in &mut detail.trend {
        series.points = thin(std::mem::take(&mut series.points), charts::MAX_POINTS);
    }
    let reports: ReportLinks = expect_context();
    let chart = Chart {
        wide: charts::trend(&detail.trend, charts::WIDE, &reports),
        narrow: charts::trend(&detail.trend, charts::NARROW, &reports),
    };
    Ok(RepositoryAnswer {
        detail,
        record_count: u32::try_from(record_count).unwrap_or(u32::MAX),
        hidden_series: u32::try_from(hidden_series).unwrap_or(u32::MAX),
        chart,
        reports,
    })
}
