//! `/`: the repositories by organisation.

mod org_table;

use crate::{
    PublicUrl, SharedReadModel,
    components::{answered::answered, first_upload::FirstUpload, pager::Pager},
    domain::{Overview, OverviewQuery},
    links::{self, ReportLinks},
    upload_command,
};
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::{hooks::use_query_map, params::ParamsMap};
use org_table::OrgTable;

/// The overview; filter and page are in its address.
#[component]
pub(crate) fn OverviewPage() -> impl IntoView {
    let query = query_of(&use_query_map().read_untracked());
    let model: SharedReadModel = expect_context();
    let ask = async move { model.overview(query).await };
    view! {
        <Title text="Overview"/>
        {answered::<Overview, _>(ask, |overview| view! { <Content overview/> })}
    }
}

fn query_of(parameters: &ParamsMap) -> OverviewQuery {
    let page = parameters
        .get("p")
        .and_then(|page| page.parse().ok())
        .unwrap_or(1);
    OverviewQuery {
        keyword: parameters.get("q").unwrap_or_default().trim().to_owned(),
        page,
    }
}

#[component]
fn Content(overview: Overview) -> impl IntoView {
    let reports: ReportLinks = expect_context();
    let first_upload = overview.is_new.then(|| {
        let PublicUrl(url) = expect_context();
        upload_command(&url, "YOUR_TOKEN", "")
    });
    let counted = counted(&overview);
    let Overview {
        now,
        query,
        pages,
        orgs,
        is_new,
        ..
    } = overview;
    let is_empty = orgs.is_empty() && !is_new;
    view! {
        <div class="hero">
            <h1>"Overview"</h1>
            <span class="grow"></span>
            <span class="muted small" role="status">{counted}</span>
        </div>
        {first_upload.map(|command| view! { <FirstUpload command/> })}
        {is_empty.then(|| view! { <NothingFound keyword=query.keyword.clone()/> })}
        {orgs.into_iter().map(|group| view! { <OrgTable group now reports=reports.clone()/> }).collect_view()}
        <Pager query pages/>
    }
}

fn counted(overview: &Overview) -> String {
    let repositories = if overview.matching == 1 {
        "repository"
    } else {
        "repositories"
    };
    match overview.query.keyword.as_str() {
        "" => format!("{} {repositories}", overview.matching),
        keyword => format!("{} {repositories} with “{keyword}”", overview.matching),
    }
}

#[component]
fn NothingFound(keyword: String) -> impl IntoView {
    view! {
        <section class="card message">
            <h2>"Nothing found"</h2>
            <p>"No organisation or repository has “"<bdi>{keyword}</bdi>"” in its name."</p>
            <p><a href=links::HOME class="btn">"Show all"</a></p>
        </section>
    }
}
