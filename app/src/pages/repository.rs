//! `/repos/{org}/{repo}`: one repository, its trend and its branches.

mod branch_table;
mod headline;

use crate::{
    api::{RepositoryAnswer, read_repository},
    components::{chart::TrendChart, error_panel::ErrorPanel, loading::Loading},
    domain::{BranchRow, OrgName},
    links,
};
use branch_table::BranchTable;
use headline::Headline;
use leptos::{either::Either, prelude::*};
use leptos_meta::Title;
use leptos_router::{
    components::A,
    hooks::{use_params_map, use_query_map},
};

/// A repository; the branch that it speaks of is in its address.
#[component]
pub(crate) fn RepositoryPage() -> impl IntoView {
    let (path, query) = (use_params_map(), use_query_map());
    let asked = Memo::new(move |_| {
        (
            path.read().get("name").unwrap_or_default(),
            query.read().get("branch").unwrap_or_default(),
        )
    });
    let answer = Resource::new(
        move || asked.get(),
        |(name, branch)| read_repository(name, branch),
    );
    view! {
        <Transition fallback=Loading>
            {move || Suspend::new(async move {
                match answer.await {
                    Ok(answer) => Either::Left(view! { <Content answer/> }),
                    Err(error) => Either::Right(view! { <ErrorPanel error/> }),
                }
            })}
        </Transition>
    }
}

#[component]
fn Content(answer: RepositoryAnswer) -> impl IntoView {
    let caption = caption(&answer);
    let RepositoryAnswer {
        detail,
        chart,
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
            <TrendChart chart trend reports=reports.clone()/>
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
        count if count as usize == points => format!("{count} records, one point per upload"),
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
            <A href="/">"Overview"</A>
            <span aria-hidden="true">" / "</span>
            <A href=links::overview(&query)>{org.to_string()}</A>
        </nav>
    }
}
