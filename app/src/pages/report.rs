//! `/report?org_name=`: what came, moved, is silent and failed in an org, or in the files of an owner, in some days; on two
//! sheets.

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
        card::{card, how_counted, note},
        form::{choice, choices, compared_since, dates, hidden, other_days},
        org_head::{OrgTab, org_head},
        page_head::PageHead,
        time::days as in_words,
    },
    islands::{ChartData, Points, TrendFigure},
    links,
    numbers::counted,
    pages::org::{
        all_of,
        trend::{days, throughout, with_came},
    },
};
use domain::{
    Count, Day, GatesQuery, OrgQuery, PeriodReport, ReportEnds, ReportPeriodError, ReportQuery,
    ViewName,
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
        let (report, wrong) = found.ok_or_else(missing)?;
        // Gates of the files of an owner are not known. Without these numbers the report is still right.
        let pulls = match report.owner {
            Some(_) => None,
            None => model.gates(&gates_of(&report)).await.unwrap_or_default(),
        };
        let pulls = pulls.filter(|gates| gates.pulls.more == 0 && !gates.is_cut);
        let pulls = pulls.map(|gates| super::gates::judged(&gates));
        Ok(Ok((report, wrong, pulls)))
    };
    answered(answer, |found| match found {
        Ok((report, wrong, pulls)) => content(&report, wrong, pulls).into_any(),
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

/// The gates of the pull requests in the period.
fn gates_of(report: &PeriodReport) -> GatesQuery {
    GatesQuery {
        org: Some(report.org.clone()),
        from: Some(report.period.from),
        to: Some(report.period.to),
        ..GatesQuery::default()
    }
}

fn content(
    report: &PeriodReport,
    wrong: Option<ReportPeriodError>,
    pulls: Option<Count>,
) -> impl IntoView + use<> {
    let period = in_words(report.period);
    let org = &report.org;
    let subject = match &report.owner {
        Some(owner) => format!("{org}, {}", shown(owner)),
        None => org.to_string(),
    };
    // The heading is what a reader forwards.
    let part = format!("{subject}, {period}");
    let wrong = wrong.map(|wrong| {
        view! { <p class="muted small" role="status">{format!("“from” in the address {wrong}.")}</p> }
    });
    let records = counted(report.records, "record", "records");
    let about = format!("{records} of all branches, as of {}", report.now.long());
    let notices = report
        .notices
        .rows
        .iter()
        .map(|notice| note(notice.clone()));
    view! {
        <PageHead title=format!("Report · {subject}") description=format!("Coverage of {subject}, {period}.")/>
        {org_head(org, OrgTab::Report, Some(part), about, ())}
        {controls(report)}
        {wrong}
        {summary::summary(report, pulls)}
        {trend(report)}
        {tables::tables(report)}
        {notices.collect_view()}
        {how_counted(how(report))}
    }
}

/// What is folded into "How this is counted".
fn how(report: &PeriodReport) -> Vec<AnyView> {
    let change = match report.owner {
        Some(_) => "The change is of all files of the owner.".to_owned(),
        None => format!(
            "The change is of the repositories that have a record on its first day and at the end, so that a new repository does not look \
             like a rise or a fall. Its first day is {}, the day before the period; or, if that leaves less than half of the lines, the \
             day by which half of the repositories had a record.",
            report.period.from.days_before(1).long()
        ),
    };
    let new = format!(
        "Lines are new since {}.{}",
        report.period.from.long(),
        summary::unknown_age(report).map_or_else(String::new, |why| format!(" Of others, {why}."))
    );
    let nothing = tables::nothing(report).map(|sentences| sentences.join(" "));
    let paragraphs = [change, new].into_iter().chain(nothing);
    paragraphs.map(IntoAny::into_any).collect()
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
            {other_days(dates(action, kept, (from, to), !has_choice), !has_choice)}
            {shortened(report)}
        </div>
    }
}

/// Since when repositories are compared, if that is after the period began.
fn shortened(report: &PeriodReport) -> Option<AnyView> {
    let since = summary::compared(report)?.1.period.from;
    let came = report.came.iter().filter(|(_, day)| **day == since);
    let came: Vec<_> = came.map(|(of, _)| of.repo.to_string()).collect();
    (since > report.period.from).then(|| compared_since(since, &came))
}

/// The number of repositories at the end.
fn repositories(report: &PeriodReport) -> u64 {
    report
        .trend
        .last()
        .map_or(0, |last| last.repositories.into())
}

/// Whether the change leaves out repositories.
fn has_others(report: &PeriodReport, ends: &ReportEnds) -> bool {
    report.owner.is_none() && ends.repositories < repositories(report)
}

/// The coverage of all repositories over the period, and of those that the change is about; nothing for an owner.
fn trend(report: &PeriodReport) -> Option<AnyView> {
    if report.trend.len() < 2 {
        return None;
    }
    let whole = all_of(repositories(report));
    let compared = summary::compared(report);
    let since = compared.map_or(report.period.from, |(_, same)| same.period.from);
    // The chart begins with what is compared.
    let from = report.trend.partition_point(|point| point.day < since);
    let all = report.trend.get(from..).unwrap_or_default();
    let own = days(whole, all, "lines");
    let own = match &report.compared {
        Some(same) => with_came(own, all, same),
        None => own,
    };
    let same = compared.filter(|(ends, _)| has_others(report, ends));
    let same =
        same.map(|(ends, same)| days(throughout(ends.repositories, since), &same.points, "lines"));
    let lines = std::iter::once(own).chain(same);
    let page = ReportQuery {
        from: None,
        to: None,
        ..query(report, None)
    };
    let data = ChartData {
        title: "Trend of line coverage".to_owned(),
        subject: report.org.to_string(),
        points: Points::Days(lines.collect()),
        target: use_context::<Target>().map(|Target(target)| target),
        since: Some(since.start()),
        until: report.period.to.start(),
        page: links::report(&page),
        finer: None,
        has_dates: true,
        is_share: false,
        is_past: true,
    };
    let chart = view! { <TrendFigure data empty="No repository had a record in this period."/> };
    let card = card("trend", "Trend", (), chart);
    Some(view! { <div class="unprinted">{card}</div> }.into_any())
}
