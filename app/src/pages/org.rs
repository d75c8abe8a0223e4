//! `/orgs/{org}`: an org with its nested groups over time; and the parts that the page of all orgs shares with it.

mod arithmetic;
mod charted;
mod controls;
mod groups;
mod heat_map;
mod left_out;
mod movements;
mod numbers;
mod on_paper;
#[cfg(test)]
pub(super) mod tests;
mod trend;

use crate::{
    AppError, SharedReadModel, Target,
    address::Address,
    components::{
        answered::answered,
        crumbs::{Crumb, Crumbs},
        page_head::PageHead,
    },
    links,
};
use controls::Controls;
use domain::{OrgHistory, OrgName, OrgQuery, OrgReport, TrendRange};
use groups::Groups;
use heat_map::HeatMap;
use left_out::LeftOutList;
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;
use movements::Movements;
use numbers::Numbers;
use std::collections::BTreeSet;
use trend::Trend;

/// An org; its address holds all choices.
#[component]
pub(crate) fn OrgPage() -> impl IntoView {
    let name = use_params_map()
        .read_untracked()
        .get("org")
        .unwrap_or_default();
    let address = Address::current();
    let model: SharedReadModel = expect_context();
    let answer = async move {
        let missing = || AppError::NotFound(format!("No coverage was uploaded for {name}."));
        let org: OrgName = name.trim_end_matches('/').parse().map_err(|_| missing())?;
        let (query, wrong) = OrgQuery::read(Some(org), |name| address.values(name).pop());
        let history = model.org(&query).await?.ok_or_else(missing)?;
        // The address may use another case.
        let query = OrgQuery {
            org: history.org.clone(),
            ..query
        };
        Ok((query, wrong, history))
    };
    answered(answer, |(query, wrong, history)| {
        view! { <Content query wrong history/> }
    })
}

/// The content of the page of an org or of all orgs.
#[component]
pub(super) fn Content(
    query: OrgQuery,
    /// Invalid parameters with their errors.
    wrong: Vec<(&'static str, String)>,
    history: OrgHistory,
) -> impl IntoView {
    let Target(target) = expect_context();
    let report = OrgReport::of(&history, &query, target);
    let shown = match report {
        Some(report) => {
            view! { <Report query=query.clone() report is_cut=history.is_cut/> }.into_any()
        }
        None => empty_period(&query, &history).into_any(),
    };
    let about = about(&history, &query);
    let title = query
        .org
        .as_ref()
        .map_or("Orgs".to_owned(), OrgName::to_string);
    let description = format!("Code coverage of {} over time.", subject(&query));
    view! {
        <PageHead title=title.clone() description/>
        <div>
            <Crumbs steps=steps(query.org.as_ref())/>
            <h1>{title}</h1>
            <p class="muted small">{about}</p>
        </div>
        <Controls query wrong period=history.period/>
        {shown}
    }
}

#[component]
fn Report(query: OrgQuery, report: OrgReport, is_cut: bool) -> impl IntoView {
    // Only the page of one org shows the changes of its repositories.
    let of_one = query.org.is_some().then(|| {
        let (report, query) = (report.clone(), query.clone());
        view! {
            <Movements report=report.clone() query=query.clone()/>
            <HeatMap movements=report.movements query=query.clone()/>
            <LeftOutList left_out=report.left_out query/>
        }
    });
    view! {
        <Numbers report=report.clone() query=query.clone()/>
        <Trend report=report.clone() query=query.clone() is_cut/>
        <Groups report query/>
        {of_one}
    }
}

/// The subject of the numbers, in a sentence.
fn subject(query: &OrgQuery) -> String {
    query
        .org
        .as_ref()
        .map_or_else(|| "all orgs".to_owned(), OrgName::to_string)
}

/// The shown days, the time of the page (for printed pages), and the number of groups.
fn about(history: &OrgHistory, query: &OrgQuery) -> String {
    let orgs = history.series.iter().map(|one| &one.repository.org);
    let groups: BTreeSet<_> = match &history.org {
        Some(whole) => orgs.filter_map(|org| whole.group_of(org)).collect(),
        None => orgs.map(OrgName::top).collect(),
    };
    let groups = match (&history.org, groups.len()) {
        (Some(_), 0) => String::new(),
        (Some(_), 1) => ", with its group".to_owned(),
        (Some(_), count) => format!(", with its {count} groups"),
        (None, 1) => ", 1 org".to_owned(),
        (None, count) => format!(", {count} orgs"),
    };
    let period = history.period.map_or_else(String::new, |period| {
        let (from, to) = (period.from.long(), period.to.long());
        let first = history.first;
        let is_late = period.from > first && query.begins_with_half(first, period.to);
        if from == to {
            format!("{to}, ")
        } else if is_late {
            format!(
                "{from}, when half of the repositories had a record, to {to} (the first record is from {}), ",
                first.long()
            )
        } else {
            format!("{from} to {to}, ")
        }
    });
    let as_of = if period.is_empty() { "As of" } else { "as of" };
    format!("{period}{as_of} {}{groups}", history.now.long())
}

fn empty_period(query: &OrgQuery, history: &OrgHistory) -> impl IntoView + use<> {
    let all = OrgQuery {
        range: TrendRange::All,
        from: None,
        to: None,
        ..query.clone()
    };
    let first = history.first.long();
    view! {
        <section class="card message">
            <h2>"No records in this period"</h2>
            <p>{format!("The first record is from {first}.")}</p>
            <p><a class="btn" href=links::org_view(&all)>"Show all time"</a></p>
        </section>
    }
}

/// The breadcrumbs of an org: the orgs above it.
fn steps(org: Option<&OrgName>) -> Vec<Crumb> {
    let Some(org) = org else {
        return vec![Crumb::overview()];
    };
    let around: Vec<_> = std::iter::successors(org.parent(), OrgName::parent).collect();
    let around = around.iter().rev();
    let around = around.map(|org| Crumb::named(own_name(org), links::org(org)));
    let outside = [
        Crumb::overview(),
        Crumb::fixed("Orgs", links::ORGS.to_owned()),
    ];
    outside.into_iter().chain(around).collect()
}

/// The last segment of a group's name.
fn own_name(org: &OrgName) -> String {
    let name = org.as_str();
    name.rsplit('/').next().unwrap_or(name).to_owned()
}

/// A name relative to the org of the page, because the heading names the org already.
fn within(org: Option<&OrgName>, name: &str) -> String {
    let below = org
        .and_then(|org| name.strip_prefix(org.as_str()))
        .and_then(|rest| rest.strip_prefix('/'));
    below.unwrap_or(name).to_owned()
}

/// A number with its noun, singular or plural.
fn counted(number: u32, one: &str, several: &str) -> String {
    let grouped = crate::numbers::grouped(number.into());
    format!("{grouped} {}", if number == 1 { one } else { several })
}

fn repositories(number: u32) -> String {
    counted(number, "repository", "repositories")
}
