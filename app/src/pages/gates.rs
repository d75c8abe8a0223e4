//! `/gates?org_name=&repo_name=`: how many changed lines of pull requests are covered, and how many gates pass, over time.

mod chart;
mod tables;
#[cfg(test)]
mod tests;
mod tiles;

use super::not_found::no_repository;
use crate::{
    AppError, AuditAccess, SharedReadModel,
    address::Address,
    components::{
        answered::answered,
        card::{aside, card, note},
        crumbs::{Crumb, Crumbs},
        form::{choice, choices, dates, hidden, periods},
        page_head::PageHead,
        repository_head::repository_head,
    },
    links,
};
use domain::{GateHistory, GateInterval, GatesQuery, ReportQuery, TrendRange};
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
    let about = view! { <p class="muted">{about}</p> };
    if let Some(repository) = &history.repository {
        return repository_head(repository, None, "Gates", about);
    }
    let org = history.org.as_ref().map(Crumb::org);
    let steps = [Crumb::overview()].into_iter().chain(org).collect();
    let title = match &history.org {
        Some(org) => format!("Gates of {org}"),
        None => "Gates".to_owned(),
    };
    let ways = history.org.as_ref().map(|org| {
        let report = ReportQuery {
            org: Some(org.clone()),
            ..ReportQuery::default()
        };
        view! {
            <p class="small ways">
                <a class="link" href=links::owners(org, None)>"Owners"</a>" · "
                <a class="link" href=links::report(&report)>"Report"</a>
            </p>
        }
    });
    view! {
        <div class="record-head">
            <Crumbs steps/>
            <h1>{title}</h1>
            {about}
            {ways}
        </div>
    }
    .into_any()
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
    let intervals = GateInterval::ALL.iter().map(|&by| {
        let href = links::gates(&GatesQuery {
            by,
            ..query.clone()
        });
        choice(href, by == query.by, by.label())
    });
    // Only the chart and the table of intervals depend on it.
    let has_several = chart::with_results(history) > 1 || query.by != GateInterval::default();
    let intervals = has_several.then(|| choices("Interval", intervals));
    let chosen = (query.from, query.to);
    let default = match query.by {
        GateInterval::Week => TrendRange::Months6,
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
    let dates = dates("/gates".to_owned(), kept, days, chosen != (None, None));
    let files = view! {
        {administered(history)}
        <a class="btn small" rel="external" download href=links::gates_csv(query)>"Gates as CSV"</a>
    };
    let is_cut = history.is_cut.then(|| {
        note("There are more results than are counted, so older intervals are left out. Choose a later first day or one repository.")
    });
    let trend = chart::chart(query, history).map(|chart| {
        let content = view! {
            {chart}
            {note("Each pull request counts once in an interval and language, with its last upload there. Unknown verdicts, and gates that wait for parts, are neither passed nor failed.")}
        };
        let about = aside(format!("results, {}", query.by.label()));
        card("trend", "Changed lines and gates", about, content)
    });
    let (from, to) = (from.long(), to.long());
    view! {
        <PageHead title=format!("Gates · {subject}") description/>
        {head(history, format!("Pull requests of {subject}, {from} to {to}"))}
        <div class="controls">{periods}{intervals}{dates}{files}</div>
        {tiles::tiles(history)}
        {tables::pulls(history)}
        {trend}
        {is_cut}
        {tables::repositories(query, history)}
        {tables::intervals(query, history)}
    }
}
