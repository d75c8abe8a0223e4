//! The tables of a report: what moved, which gates failed, what is new, and what is silent.

use super::{gates_of, org_query, query, shown};
use crate::{
    components::{
        card::{aside, card, note, number as cell, stacked},
        change::Change,
        coverage::{Coverage, Percent},
        name::Name,
        time::days,
    },
    links,
    numbers::{counted, covered_of, grouped},
    pages::org::movements::movements,
};
use domain::{
    Bounded, Count, KnownOwner, MovedRow, NewCount, OrgQuery, OverviewQuery, Percentage,
    PeriodReport, ReportRow, Repository, RepositoryGate, Show,
};
use leptos::prelude::*;
use std::cmp::Reverse;

/// What the first column of a table has: its title, its rows' names in a sentence, and a link for each row.
struct Subject<T> {
    title: &'static str,
    one: &'static str,
    several: &'static str,
    name: fn(&PeriodReport, &T) -> AnyView,
    /// The page with all rows.
    all: String,
}

/// All tables, the most important first; one sentence for each that would be empty. The report of an owner has no tables of
/// owners.
pub(super) fn tables(report: &PeriodReport) -> AnyView {
    let owners = Subject {
        title: "Owner",
        one: "owner",
        several: "owners",
        name: owner,
        all: links::owners(&report.org, None),
    };
    let repositories = Subject {
        title: "Repository",
        one: "repository",
        several: "repositories",
        name: repository,
        all: links::org_view(&org_query(report)),
    };
    let moved = match &report.compared {
        // The same rows as on the page of the org, from the same day on as the change.
        Some(same) => {
            let query = OrgQuery {
                from: Some(same.period.from),
                ..org_query(report)
            };
            let about = aside(days(same.period));
            [
                movements(same, &query, Some(about)),
                by_owner(report, &owners),
            ]
        }
        None => [moved(report, &repositories), None],
    };
    let new = [
        new_lines(
            ("new-owners", "New lines, by owner"),
            report,
            &report.owners,
            &owners,
        ),
        new_lines(
            ("new-repositories", "New lines, by repository"),
            report,
            &report.repositories,
            &repositories,
        ),
    ];
    let others = (gates(report), silent(report));
    // Tables without a new line come last.
    match report.new.lines.lines.total {
        0 => view! { {moved}{others}{new} }.into_any(),
        _ => view! { {moved}{new}{others} }.into_any(),
    }
}

/// The owners, the most missed lines first, and last the sum of the repositories whose owners are not known.
fn by_owner(report: &PeriodReport, owners: &Subject<KnownOwner>) -> Option<AnyView> {
    let id = "by-owner";
    let missed =
        |row: &&ReportRow<KnownOwner>| row.counts.map(|counts| counts.now.lines.uncovered());
    // Beside a table of changes since a later day, these changes would not add up to those.
    let same = report.compared.as_ref();
    let has_change = same.is_none_or(|same| same.period.from < report.period.from);
    let mut rows: Vec<_> = report.owners.rows.iter().collect();
    rows.sort_by_key(|row| (row.of.is_none(), Reverse(missed(row))));
    let rows = rows.into_iter().map(|row| {
        let coverage = row.counts.and_then(|counts| {
            let (percentage, lines) = (counts.percentage()?, Some(counts.now.lines));
            Some(view! { <Coverage percentage lines/> })
        });
        let coverage = coverage.map_or_else(unknown, IntoAny::into_any);
        let missed = missed(&row).map_or_else(unknown, |missed| grouped(missed).into_any());
        // The sum of repositories without owners has no beginning if one of them came in the period.
        let counts = row
            .counts
            .filter(|_| row.of.is_some() || report.came.is_empty());
        let change = counts.and_then(|counts| counts.delta());
        let change = has_change.then(|| cell("Change", view! { <Change change/> }));
        view! {
            <tr>
                <th scope="row">{(owners.name)(report, &row.of)}</th>
                <td class="c-cov" data-label="Coverage">{coverage}</td>
                {change}
                {cell("Missed lines", missed)}
            </tr>
        }
    });
    let shown: Vec<_> = rows.collect();
    let change = has_change.then_some(("Change", "num"));
    let columns = [(owners.title, ""), ("Coverage", "c-cov")]
        .into_iter()
        .chain(change)
        .chain([("Missed lines", "num")]);
    (!shown.is_empty()).then(|| {
        let content = view! { {stacked(id, id, columns, shown)}{more(report.owners.more, owners)} };
        card(id, "By owner", aside(days(report.period)), content)
    })
}

/// A sentence for each table that is left out because it is empty.
pub(super) fn nothing(report: &PeriodReport) -> Option<Vec<&'static str>> {
    if report.repositories.rows.is_empty() {
        let none = "No repository had a record at the end of the period.";
        return Some(vec![none]);
    }
    let sentences = [
        (report.moved_repositories.rows().next().is_none())
            .then_some("No percentage of a repository changed."),
        report.gates.rows.is_empty().then_some("No gate failed."),
        report.silent.rows.is_empty().then_some(
            "Every repository had an upload to its main branch in the last 14 days of the period.",
        ),
    ];
    let sentences: Vec<_> = sentences.into_iter().flatten().collect();
    (!sentences.is_empty()).then_some(sentences)
}

fn owner(report: &PeriodReport, owner: &KnownOwner) -> AnyView {
    match owner {
        Some(owner) => {
            let href = links::report(&query(report, Some(owner)));
            view! { <a class="name" href=href><Name text=shown(owner)/></a> }.into_any()
        }
        None => view! { <span title="no owners known">"Without CODEOWNERS"</span> }.into_any(),
    }
}

fn repository(_: &PeriodReport, repository: &Repository) -> AnyView {
    let href = links::repository(repository);
    view! { <a class="name" href=href><Name text=repository.to_string()/></a> }.into_any()
}

fn new_lines<T>(
    (id, title): (&'static str, &'static str),
    report: &PeriodReport,
    rows: &Bounded<ReportRow<T>>,
    subject: &Subject<T>,
) -> Option<AnyView> {
    if rows.rows.is_empty() {
        return None;
    }
    // A row without a new line has nothing to say.
    let has_none = |row: &&ReportRow<T>| row.new_lines().is_some_and(|new| new.lines.total == 0);
    let without = rows.rows.iter().filter(has_none).count() as u64;
    let without = (without > 0).then(|| {
        let others = counted(without, subject.one, subject.several);
        note(format!("{others} without a line that is known to be new."))
    });
    let shown = rows.rows.iter().filter(|row| !has_none(row)).map(|row| {
        let new = row.new_lines();
        let number = |of: fn(NewCount) -> u64| match new {
            Some(new) => grouped(of(new)).into_any(),
            None => unknown(),
        };
        let percentage = match new.map(|new| Percentage::of(new.lines)) {
            Some(Some(percentage)) => view! { {percentage.to_string()}<Percent/> }.into_any(),
            Some(None) => "–".into_any(),
            None => unknown(),
        };
        view! {
            <tr>
                <th scope="row">{(subject.name)(report, &row.of)}</th>
                {cell("Not run", number(|new| new.lines.uncovered()))}
                {cell("New lines", number(|new| new.lines.total))}
                {cell("Age unknown", number(|new| new.unknown))}
                {cell("New code", percentage)}
            </tr>
        }
    });
    let columns = [
        (subject.title, ""),
        ("Not run", "num"),
        ("New lines", "num"),
        ("Age unknown", "num"),
        ("New code", "num"),
    ];
    let shown: Vec<_> = shown.collect();
    if shown.is_empty() {
        return None;
    }
    let content = view! {
        {stacked(id, id, columns, shown)}
        {without}
        {more(rows.more, subject)}
    };
    let about = "new lines that did not run, the most first";
    Some(card(id, title, aside(about), content))
}

/// The repositories of an owner whose percentage changed.
fn moved(report: &PeriodReport, subject: &Subject<Repository>) -> Option<AnyView> {
    let id = "moved-repositories";
    let moves = &report.moved_repositories;
    let shown: Vec<_> = moves.rows().map(|row| moved_row(report, row)).collect();
    if shown.is_empty() {
        return None;
    }
    let columns = [
        (subject.title, ""),
        ("Beginning", "num"),
        ("End", "num"),
        ("Change", "num"),
        ("Lines", "num"),
    ];
    let others = moves.losses.more + moves.gains.more;
    let content = view! {
        {stacked(id, id, columns, shown)}
        {more(others, subject)}
    };
    Some(card(id, "What moved, by repository", (), content))
}

fn moved_row(report: &PeriodReport, row: &MovedRow<Repository>) -> AnyView {
    let percentage = |percentage: Percentage| view! { {percentage.to_string()}<Percent/> };
    let lines = row
        .lines
        .map_or_else(unknown, |lines| grouped(lines.total).into_any());
    view! {
        <tr>
            <th scope="row">{repository(report, &row.of)}</th>
            {cell("Beginning", percentage(row.start))}
            {cell("End", percentage(row.end))}
            {cell("Change", view! { <Change change=Some(row.change())/> })}
            {cell("Lines", lines)}
        </tr>
    }
    .into_any()
}

fn gates(report: &PeriodReport) -> Option<AnyView> {
    let (id, title) = ("gates", "Records that failed their gate");
    // The sentences have a single one.
    if report.gates.rows.len() < 2 {
        return None;
    }
    let rows = report.gates.rows.iter().map(|gate| {
        view! {
            <tr>
                <th scope="row">{repository(report, &gate.repository)}</th>
                {cell("Failed", failed_of(gate))}
            </tr>
        }
    });
    let columns = [("Repository", ""), ("Failed", "num")];
    let others = (report.gates.more > 0).then(|| {
        let others = counted(report.gates.more, "repository", "repositories");
        note(format!("Gates failed in {others} more."))
    });
    let content = view! {
        {stacked(id, id, columns, rows.collect_view())}
        {others}
    };
    let beside = view! {
        {aside("records of all branches; a pull request may have several")}
        <span class="grow"></span>
        <a class="btn small" href=links::gates(&gates_of(report))>"Gates of pull requests"</a>
    };
    Some(card(id, title, beside, content))
}

fn failed_of(gate: &RepositoryGate) -> String {
    covered_of(Count {
        covered: gate.failed,
        total: gate.judged,
    })
}

fn silent(report: &PeriodReport) -> Option<AnyView> {
    let (id, title) = ("silent", "Silent");
    if report.silent.rows.is_empty() {
        return None;
    }
    let rows = report.silent.rows.iter().map(|(of, last)| {
        view! { <li>{repository(report, of)}" "<span class="muted small">{last.long()}</span></li> }
    });
    let all = links::overview(&OverviewQuery {
        org: Some(report.org.clone()),
        show: Show::Stale,
        ..OverviewQuery::default()
    });
    let others = (report.silent.more > 0).then(|| {
        let others = counted(report.silent.more, "repository", "repositories");
        note(view! { {format!("And {others} more: ")}<a class="link" href=all>"all that are silent now"</a> })
    });
    let content = view! {
        <ul class="silent" data-testid="silent">{rows.collect_view()}</ul>
        {others}
    };
    let about =
        "no upload to the main branch in the last 14 days of the period; the day of the last one";
    Some(card(id, title, aside(about), content))
}

/// How many rows there are besides, with a link to all.
fn more<T>(count: u64, subject: &Subject<T>) -> Option<AnyView> {
    let others = counted(count, subject.one, subject.several);
    (count > 0).then(|| {
        note(view! {
            {format!("And {others} more: ")}
            <a class="link" href=subject.all.clone()>{format!("all {}", subject.several)}</a>
        })
    })
}

fn unknown() -> AnyView {
    view! { <span class="muted" title="unknown">"–"</span> }.into_any()
}
