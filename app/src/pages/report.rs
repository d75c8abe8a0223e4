//! `/report?org_name=`: what came, moved, is silent and failed in an org, or in the files of an owner, in some days; on two sheets.

mod summary;
mod tables;
#[cfg(test)]
mod tests;

use super::waiting::WaitingOrg;
use crate::{
    AppError, SharedReadModel, Target,
    address::Address,
    components::{
        answered::answered,
        card::{aside, card, note},
        change::Change,
        coverage::Percent,
        crumbs::{Crumb, Crumbs},
        form::{choice, choices, dates, hidden},
        page_head::PageHead,
    },
    islands::{ChartData, Days, Points, TrendFigure},
    links,
    numbers::{counted, covered_of, grouped},
};
use domain::{
    Day, OrgQuery, Percentage, Period, PeriodReport, ReportPeriodError, ReportQuery, ViewName,
};
use leptos::prelude::*;

/// The report of an org. The address holds the days, and perhaps an owner.
#[component]
pub(crate) fn ReportPage() -> impl IntoView {
    let address = Address::current();
    let query = ReportQuery::of(&|name| address.values(name));
    let name = address.get("org_name");
    let model: SharedReadModel = expect_context();
    let answer = async move {
        let found = match query.org {
            Some(_) => model.report(&query).await?,
            None => None,
        };
        if let (None, Some(org), "") = (&found, &query.org, &query.owner[..])
            && let Some(waiting) = WaitingOrg::find(&*model, org).await?
        {
            return Ok(Err(waiting));
        }
        let missing = || {
            let of_owner = match query.owner.as_str() {
                "" => String::new(),
                owner => format!(" with the owner {owner}"),
            };
            AppError::NotFound(format!(
                "No coverage was uploaded for the org {name}{of_owner}."
            ))
        };
        Ok(Ok(found.ok_or_else(missing)?))
    };
    answered(answer, |found| match found {
        Ok((report, wrong)) => content(&report, wrong).into_any(),
        Err(org) => org.page(),
    })
}

/// The query of a report about the same days.
fn query(report: &PeriodReport, owner: Option<&ViewName>) -> ReportQuery {
    ReportQuery {
        org: Some(report.org.clone()),
        owner: owner.map_or_else(String::new, |owner| owner.name().to_owned()),
        from: Some(report.period.from),
        to: Some(report.period.to),
    }
}

/// The page of the org from the day before, because its changes begin at the end of its first day.
fn org_query(report: &PeriodReport) -> OrgQuery {
    OrgQuery {
        from: Some(report.period.from.days_before(1)),
        to: Some(report.period.to),
        ..OrgQuery::new(report.org.clone())
    }
}

/// An owner for people.
fn shown(owner: &ViewName) -> String {
    match owner {
        ViewName::NoOwner => "no owner".to_owned(),
        owner => owner.name().to_owned(),
    }
}

fn content(report: &PeriodReport, wrong: Option<ReportPeriodError>) -> impl IntoView + use<> {
    let Period { from, to } = report.period;
    let org = &report.org;
    let subject = match &report.owner {
        Some(owner) => format!("{org}, {}", shown(owner)),
        None => org.to_string(),
    };
    let mut steps = vec![Crumb::overview(), Crumb::org(org)];
    if report.owner.is_some() {
        let whole = links::report(&query(report, None));
        steps.push(Crumb::fixed("Report", whole));
    }
    let wrong = wrong.map(|wrong| {
        view! { <p class="muted small" role="status">{format!("“from” in the address {wrong}.")}</p> }
    });
    let records = counted(report.records, "record", "records");
    let about = format!(
        "{} to {}, {records} of all branches, as of {}",
        from.long(),
        to.long(),
        report.now.long()
    );
    let notices = report
        .notices
        .rows
        .iter()
        .map(|notice| note(notice.clone()));
    view! {
        <PageHead title=format!("Report · {subject}") description=format!("Coverage of {subject} from {} to {}.", from.long(), to.long())/>
        <div>
            <Crumbs steps/>
            <h1><bdi>{format!("Report of {subject}")}</bdi></h1>
            <p class="muted small">{about}</p>
        </div>
        {controls(report)}
        {wrong}
        <p class="summary" data-testid="summary"><bdi>{summary::summary(report)}</bdi></p>
        {numbers(report)}
        {trend(report)}
        {tables::tables(report)}
        {notices.collect_view()}
    }
}

fn controls(report: &PeriodReport) -> impl IntoView + use<> {
    let current = query(report, report.owner.as_ref());
    let mut has_choice = false;
    let periods = ReportQuery::choices(Day::of(report.now)).map(|(name, period)| {
        let is_current = period == report.period && !has_choice;
        has_choice |= is_current;
        let chosen = ReportQuery {
            from: Some(period.from),
            to: Some(period.to),
            ..current.clone()
        };
        choice(links::report(&chosen), is_current, name)
    });
    let kept = hidden(current.parameters(), &["from", "to"]);
    let days = [report.period.from, report.period.to].map(|day| Some(day.to_string()));
    let [from, to] = days;
    let action = "/report".to_owned();
    view! {
        <div class="controls org-controls">
            {choices("Period", periods)}
            {dates(action, kept, (from, to), !has_choice)}
        </div>
    }
}

/// The coverage of all repositories over the period; nothing for an owner.
fn trend(report: &PeriodReport) -> Option<AnyView> {
    if report.trend.len() < 2 {
        return None;
    }
    let days = report
        .trend
        .iter()
        .map(|point| (point.day.0, point.coverage, point.repositories, point.lines));
    let line = Days {
        label: "all repositories".to_owned(),
        unit: "lines".to_owned(),
        days: days.collect(),
    };
    let page = ReportQuery {
        from: None,
        to: None,
        ..query(report, None)
    };
    let data = ChartData {
        title: "Trend of line coverage".to_owned(),
        subject: report.org.to_string(),
        points: Points::Days(vec![line]),
        target: use_context::<Target>().map(|Target(target)| target),
        since: Some(report.period.from.start()),
        until: report.period.to.start(),
        page: links::report(&page),
        finer: None,
        has_dates: true,
        is_share: false,
        is_past: true,
    };
    let beside = aside("of all repositories; +1 net: one more than the day before");
    let chart = view! { <TrendFigure data empty="No repository had a record in this period."/> };
    let card = card("trend", "Trend", beside, chart);
    Some(view! { <div class="unprinted">{card}</div> }.into_any())
}

/// The numbers of the report that are known; the sentences above say why others are not.
fn numbers(report: &PeriodReport) -> Option<AnyView> {
    let (ends, new) = (&report.ends, &report.new);
    let percentage = |percentage: Percentage| {
        view! { {percentage.to_string()}<small><Percent/></small> }.into_any()
    };
    let mut numbers: Vec<(String, AnyView)> = Vec::new();
    if let Some(coverage) = ends.lines.and_then(Percentage::of) {
        numbers.push(("coverage at the end".to_owned(), percentage(coverage)));
    }
    if let (Some(start), Some(end), Some(change)) = (ends.start, ends.end, ends.change) {
        let repositories = counted(ends.repositories, "repository", "repositories");
        let about =
            format!("points: {start} → {end}\u{202f}% in the {repositories} measured throughout");
        let change = view! { <Change change=Some(change)/> };
        numbers.push((about, change.into_any()));
    }
    if let Some(covered) = Percentage::of(new.lines.lines) {
        let about = format!("of new code ran: {} lines", covered_of(new.lines.lines));
        let about = [Some(about), summary::unknown_age(report)];
        let about: Vec<_> = about.into_iter().flatten().collect();
        numbers.push((about.join("; "), percentage(covered)));
    }
    if let Some(lines) = ends.lines {
        let about = format!("covered of {} lines", grouped(lines.total));
        numbers.push((about, grouped(lines.covered).into_any()));
    }
    let tiles = numbers.into_iter().map(|(about, number)| {
        view! { <div><dt>{about}</dt><dd class="figure">{number}</dd></div> }
    });
    let tiles: Vec<_> = tiles.collect();
    (!tiles.is_empty())
        .then(|| view! { <dl class="numbers card" data-testid="numbers">{tiles}</dl> }.into_any())
}
