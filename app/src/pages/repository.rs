//! `/repos/{org}/{repo}`: one repository, its trend and its branches.

mod branch_table;
mod headline;

use crate::{
    api::{RepositoryAnswer, read_repository},
    components::{chart::TrendChart, error_panel::ErrorPanel, loading::Loading},
    domain::OrgName,
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
    let RepositoryAnswer {
        detail,
        record_count,
        chart,
    } = answer;
    let trend = detail.trend.clone();
    let records = if record_count == 1 {
        "record".to_owned()
    } else {
        format!("{record_count} records, one point per upload")
    };
    view! {
        <Title text=detail.repository.to_string()/>
        <div>
            <Breadcrumbs org=detail.repository.org.clone()/>
            <h1>{detail.repository.repo.to_string()}</h1>
        </div>
        <Headline detail=detail.clone()/>
        <section class="card" aria-labelledby="trend">
            <div class="head">
                <h2 id="trend">"Trend"</h2>
                <span class="muted small">{if record_count == 1 { format!("1 {records}") } else { records }}</span>
            </div>
            <TrendChart chart trend/>
        </section>
        <BranchTable detail/>
    }
}

#[component]
fn Breadcrumbs(org: OrgName) -> impl IntoView {
    let query = crate::domain::OverviewQuery {
        keyword: format!("{org}/"),
        page: 1,
    };
    view! {
        <nav class="crumbs" aria-label="Where you are">
            <A href="/">"Overview"</A>
            <span aria-hidden="true">" / "</span>
            <A href=links::overview(&query)>{org.to_string()}</A>
        </nav>
    }
}
