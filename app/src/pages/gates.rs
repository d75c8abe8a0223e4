//! `/gates?org_name=&repo_name=`: how many changed lines of pull requests are covered, and how many gates pass, over time.

mod chart;
mod tables;
#[cfg(test)]
mod tests;
mod tiles;

pub(super) use tiles::judged;

use super::not_found::no_repository;
use crate::{
    AppError, AuditAccess, SharedReadModel,
    address::Address,
    components::{
        answered::answered,
        card::{card, how_counted, message, note},
        crumbs::{Crumb, Crumbs},
        form::{are_other_days, dates, hidden, other_days, periods},
        org_head::{OrgTab, org_head},
        page_head::PageHead,
        repository_head::repository_head,
    },
    links,
};
use domain::{GateHistory, GateInterval, GatesQuery, TrendRange};
use leptos::prelude::*;

/// The gates of a repository, an org or all orgs. The address holds the interval and perhaps the days.
#[component]
pub(crate) fn GatesPage() -> impl IntoView {
    let address = Address::current();
    let query = GatesQuery::of(&|name| address.values(name));
    let names = [address.get("org_name"), address.get("repo_name")];
    let model: SharedReadModel = expect_context();
    let answer = async move {
        let [org, repo] = names;
        // An invalid name is no reason to show more than was asked for.
        let is_valid = (org.is_empty() || query.org.is_some())
            && (repo.is_empty() || (query.org.is_some() && query.repo.is_some()));
        let found = match is_valid {
            true => model.gates(&query).await?,
            false => None,
        };
        match found {
            Some(history) => Ok((query, history)),
            None if repo.is_empty() => Err(AppError::NotFound(format!(
                "No coverage was uploaded for the org {org}."
            ))),
            None => Err(no_repository(&format!("{org}/{repo}"), &*model).await),
        }
    };
    answered(answer, |(query, history)| content(&query, &history))
}

/// The name of a repository or of an org.
fn subject(history: &GateHistory) -> String {
    match (&history.repository, &history.org) {
        (Some(repository), _) => repository.to_string(),
        (None, Some(org)) => org.to_string(),
        (None, None) => "all orgs".to_owned(),
    }
}

fn head(history: &GateHistory, about: String) -> AnyView {
    if let (None, Some(org)) = (&history.repository, &history.org) {
        return org_head(org, OrgTab::Gates, None, about, ());
    }
    let about = view! { <p class="muted small">{about}</p> };
    match &history.repository {
        Some(repository) => repository_head(repository, None, "Gates", about),
        None => view! {
            <div class="record-head">
                <Crumbs steps=vec![Crumb::overview()]/>
                <h1>"Gates"</h1>
                {about}
            </div>
        }
        .into_any(),
    }
}

/// For administrators, a link to the rules.
fn administered(history: &GateHistory) -> Option<impl IntoView + use<>> {
    let access = use_context::<AuditAccess>().unwrap_or_default();
    let repository = history.repository.as_ref();
    let repository = repository.filter(|repository| access.covers(repository))?;
    let href = links::gate(repository);
    Some(view! { <a class="btn small" href=href>"Set the gate"</a> })
}

fn content(query: &GatesQuery, history: &GateHistory) -> impl IntoView + use<> {
    let subject = subject(history);
    let description = format!(
        "How many changed lines of pull requests of {subject} are covered, and how many gates pass."
    );
    let chosen = (query.from, query.to);
    let default = match query.by {
        GateInterval::Week => TrendRange::Months3,
        GateInterval::Month => TrendRange::Months12,
    };
    let periods = periods(history.today, chosen, default, |period| {
        links::gates(&GatesQuery {
            from: Some(period.from),
            to: Some(period.to),
            ..query.clone()
        })
    });
    let (from, to) = (history.period.from, history.period.to);
    let days = (Some(from.to_string()), Some(to.to_string()));
    let kept = hidden(query.parameters(), &["from", "to"]);
    let has_dates = are_other_days(history.today, chosen);
    let dates = other_days(dates("/gates".to_owned(), kept, days, has_dates), has_dates);
    let is_cut = history.is_cut.then(|| {
        note("There are more results than are counted, so older intervals are left out. Choose a later first day or one repository.")
    });
    let chart = chart::chart(query, history);
    let trend = chart.map(|chart| {
        card(
            "trend",
            format!("Changed lines and gates {}", query.by.label()),
            (),
            chart,
        )
    });
    let (from, to) = (from.long(), to.long());
    let shown = match history.pulls.rows.is_empty() {
        true => message(
            "No results",
            "No pull request was uploaded in this period with changed lines or a judged gate.",
            None,
        ),
        false => view! {
            {tiles::tiles(history)}
            {trend}
            {tables::intervals(query, history)}
            {tables::pulls(query, history)}
            {tables::repositories(query, history)}
            {how_counted(counted_how())}
        }
        .into_any(),
    };
    view! {
        <PageHead title=format!("Gates · {subject}") description/>
        {head(history, format!("Pull requests, {from} to {to}"))}
        <div class="controls org-controls">{periods}{dates}{administered(history)}</div>
        {is_cut}
        {shown}
    }
}

fn counted_how() -> Vec<AnyView> {
    [
        "The list and the figures have the newest result of each pull request and language. Reasons use the current rules; a pull request may have several.",
        "In a chart and in the results by week, month or repository, a pull request counts once in each interval and language, with its last upload there.",
        "Unknown verdicts, and gates that wait for parts, are neither passed nor failed.",
    ]
    .map(IntoAny::into_any)
    .into()
}
