//! `/repos/{org}/{repo}`: one repository, its trend and its branches.

mod branch_table;
mod headline;

use super::not_found::no_repository;
use crate::{
    AppError, SharedReadModel, charts,
    components::{answered::answered, chart::TrendChart},
    domain::{BranchRow, OrgName, RepositoryDetail, thin},
    links::{self, ReportLinks},
};
use branch_table::BranchTable;
use headline::Headline;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::{use_params_map, use_query_map};

/// A repository; the branch that it speaks of is in its address.
#[component]
pub(crate) fn RepositoryPage() -> impl IntoView {
    let name = use_params_map()
        .read_untracked()
        .get("name")
        .unwrap_or_default();
    let branch = use_query_map()
        .read_untracked()
        .get("branch")
        .unwrap_or_default();
    let (model, reports) = (expect_context(), expect_context());
    answered(
        answer(model, reports, name, branch),
        |answer| view! { <Content answer/> },
    )
}

/// A repository with its trend, drawn.
struct RepositoryAnswer {
    /// The repository; its trend is thinned to what the chart shows.
    detail: RepositoryDetail,
    /// How many records the chart stands for; more than it has points where those were thinned.
    record_count: usize,
    /// How many further lines there would be: a chart can tell only a few apart.
    hidden_series: usize,
    /// The trend as SVG for a desk and for a phone, so that its text is readable on every screen.
    drawings: [String; 2],
    /// Where the reports are.
    reports: ReportLinks,
}

async fn answer(
    model: SharedReadModel,
    reports: ReportLinks,
    name: String,
    branch: String,
) -> Result<RepositoryAnswer, AppError> {
    let no_such_branch = || {
        AppError::NotFound(format!(
            "No coverage of the branch {branch} of {name} was uploaded here."
        ))
    };
    let Ok(repository) = name.parse() else {
        return Err(no_repository(&name, &*model).await);
    };
    let asked = match branch.as_str() {
        "" => None,
        _ => Some(branch.parse().map_err(|_| no_such_branch())?),
    };
    let Some(mut detail) = model.repository(&repository, asked.as_ref()).await? else {
        return Err(no_repository(&name, &*model).await);
    };
    if detail
        .trend
        .iter()
        .all(|series| series.branch != detail.branch)
    {
        return Err(no_such_branch());
    }
    let hidden_series = detail.trend.len().saturating_sub(charts::MAX_SERIES);
    detail.trend.truncate(charts::MAX_SERIES);
    let record_count = detail.trend.iter().map(|series| series.points.len()).sum();
    for series in &mut detail.trend {
        series.points = thin(std::mem::take(&mut series.points), charts::MAX_POINTS);
    }
    let drawings =
        [charts::WIDE, charts::NARROW].map(|size| charts::trend(&detail.trend, size, &reports));
    Ok(RepositoryAnswer {
        detail,
        record_count,
        hidden_series,
        drawings,
        reports,
    })
}

#[component]
fn Content(answer: RepositoryAnswer) -> impl IntoView {
    let caption = caption(&answer);
    let RepositoryAnswer {
        detail,
        drawings,
        reports,
        ..
    } = answer;
    let trend = detail.trend.clone();
    view! {
        <Title text=detail.repository.to_string()/>
        <div>
            <Breadcrumbs org=detail.repository.org.clone()/>
            <h1>{detail.repository.repo.to_string()}</h1>
        </div>
        <Headline detail=detail.clone() reports=reports.clone()/>
        <section class="card" aria-labelledby="trend">
            <div class="head">
                <h2 id="trend">"Trend"</h2>
                <span class="muted small">{caption}</span>
            </div>
            <TrendChart drawings trend reports=reports.clone()/>
        </section>
        <BranchTable detail reports/>
    }
}

/// What a link to download a report says to those who do not see its row.
fn download_label(row: &BranchRow) -> String {
    format!(
        "Download zip of the report of {}, {}, commit {}",
        row.branch, row.language, row.commit
    )
}

/// What the chart stands for.
fn caption(answer: &RepositoryAnswer) -> String {
    let points: usize = answer
        .detail
        .trend
        .iter()
        .map(|series| series.points.len())
        .sum();
    let records = match answer.record_count {
        1 => "1 record".to_owned(),
        count if count == points => format!("{count} records, one point per upload"),
        count => {
            format!("{count} records, shown by the {points} points that make the shape of the line")
        }
    };
    match answer.hidden_series {
        0 => records,
        hidden => format!("{records}; {hidden} more languages are not shown"),
    }
}

#[component]
fn Breadcrumbs(org: OrgName) -> impl IntoView {
    let query = crate::domain::OverviewQuery {
        keyword: format!("{org}/"),
        page: 1,
        ..Default::default()
    };
    view! {
        <nav class="crumbs" aria-label="Where you are">
            <a href=links::HOME>"Overview"</a>
            <span aria-hidden="true">" / "</span>
            <a href=links::overview(&query)>{org.to_string()}</a>
        </nav>
    }
}
