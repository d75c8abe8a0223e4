//! `/`: the repositories by organisation.

use crate::{
    api::{OverviewAnswer, read_overview},
    components::{
        error_panel::ErrorPanel, first_upload::FirstUpload, loading::Loading, pager::Pager,
    },
    domain::{Overview, OverviewQuery},
};
use leptos::{either::Either, prelude::*};
use leptos_meta::Title;
use leptos_router::{components::A, hooks::use_query_map, params::ParamsMap};

/// The overview; filter and page are in its address.
#[component]
pub(crate) fn OverviewPage() -> impl IntoView {
    let parameters = use_query_map();
    let query = Memo::new(move |_| query_of(&parameters.read()));
    let answer = Resource::new(
        move || query.get(),
        |query| read_overview(query.keyword, query.page),
    );
    view! {
        <Title text="Overview"/>
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

fn query_of(parameters: &ParamsMap) -> OverviewQuery {
    let page = parameters
        .get("p")
        .and_then(|page| page.parse().ok())
        .unwrap_or(1);
    OverviewQuery {
        keyword: parameters.get("q").unwrap_or_default().trim().to_owned(),
        page,
        ..OverviewQuery::default()
    }
}

#[component]
fn Content(answer: OverviewAnswer) -> impl IntoView {
    let OverviewAnswer {
        overview,
        first_upload,
        reports,
    } = answer;
    let overview_rows = overview.rows.len();
    let counted = counted(&overview);
    let Overview {
        now,
        query,
        pages,
        is_new,
        ..
    } = overview;
    let is_empty = overview_rows == 0 && !is_new;
    view! {
        <div class="hero">
            <h1>"Overview"</h1>
            <span class="grow"></span>
            <span class="muted small" role="status">{counted}</span>
        </div>
        {first_upload.map(|command| view! { <FirstUpload command/> })}
        {is_empty.then(|| view! { <NothingFound keyword=query.keyword.clone()/> })}
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
            <p><A href="/" attr:class="btn">"Show all"</A></p>
        </section>
    }
}
