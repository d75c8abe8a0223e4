//! A table of pull requests, and the cells that other tables of their records have too.

use super::{
    card::number as cell,
    change::Change,
    coverage::Percent,
    gate::without_places,
    name::Name,
    sortable::{Column, Sortable, change, number, percentage},
    time::Age,
};
use crate::{
    links::{self, ForgePages},
    numbers::{counted, covered_of, grouped},
};
use domain::{Count, Percentage, PullRequest, PullRequestRow, Repository, Timestamp, Verdict};
use leptos::prelude::*;
use std::{collections::HashMap, hash::Hash};

/// How many reasons of a failed gate a row names.
const SHOWN_REASONS: usize = 2;

/// A table with a row for each pull request and language, under the heading with the id `pull-requests`. Only all rows are
/// sorted.
pub(crate) fn table(
    repository: &Repository,
    rows: &[PullRequestRow],
    is_whole: bool,
    now: Timestamp,
    pages: Option<&ForgePages>,
) -> AnyView {
    let sortable = Sortable::new("pull-requests", columns())
        .given_in("uploaded", true)
        .only_if(is_whole);
    let mut languages = rows.iter().map(|row| &row.language);
    let first = languages.next();
    let has_languages = languages.any(|language| Some(language) != first);
    let rows = sortable.rows(rows, |keys, request| {
        row(keys, repository, request, now, pages, has_languages)
    });
    view! {
        <table class="stored stacked pulls" aria-labelledby="pull-requests" data-testid="pull-requests" data-sortable="pull-requests">
            {sortable.head()}
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}

fn columns() -> Vec<Column<PullRequestRow>> {
    vec![
        Column::largest_first(
            "number",
            "Pull request",
            "c-name",
            |row: &PullRequestRow| number(row.number.to_string().parse::<i64>().ok()),
        ),
        Column::new("gate", "Gate", "c-gate", |row| {
            number(row.verdict.map(rank))
        }),
        Column::new("changed", "Changed lines", "num c-of", |row| {
            percentage(row.changed.and_then(Percentage::of))
        }),
        Column::new("coverage", "Coverage", "num c-total", |row| {
            percentage(Some(row.percentage))
        }),
        Column::new("change", "Change", "num c-change", |row| change(row.change)),
        Column::largest_first("uploaded", "Uploaded", "c-time", |row| {
            number(Some(row.updated_at.0))
        }),
    ]
}

fn row(
    keys: String,
    repository: &Repository,
    request: &PullRequestRow,
    now: Timestamp,
    pages: Option<&ForgePages>,
    has_languages: bool,
) -> impl IntoView + use<> {
    let out = pages.map(|pages| {
        let label = format!("Pull request {} on {}", request.number, pages.name());
        let href = pages.pull_request(&request.number);
        view! { <a class="link" rel="external" href=href aria-label=label>"↗"</a>" " }
    });
    let title = format!("#{}", request.number);
    let branch = request.branch.to_string();
    let language = has_languages.then(|| {
        view! { " "<span class="chip">{request.language.to_string()}</span> }
    });
    let author = request.author.to_string();
    let href = links::pull_request(repository, &request.number);
    view! {
        <tr data-keys=keys>
            <th scope="row">
                <a class="link" href=href>{title}</a>" "
                {out}
                <Name text=branch class="mono"/>
                {language}
                <div class="muted small">"by "<a href=links::author(&request.author)><bdi>{author}</bdi></a></div>
            </th>
            <td data-label="Gate">{with_reasons(request.verdict, &request.reasons)}</td>
            {cell("Changed lines", view! { <b>{changed(request.changed)}</b> })}
            <td class="num c-total" data-label="Coverage">{request.percentage.to_string()}<Percent/></td>
            {cell("Change", view! { <Change change=request.change/> })}
            <td data-label="Uploaded"><Age at=request.updated_at now=now/></td>
        </tr>
    }
}

/// The coverage of changed lines.
pub(crate) fn changed(changed: Option<Count>) -> AnyView {
    match changed {
        None => "not known".into_any(),
        Some(count) => share(count, "none coverable"),
    }
}

/// A percentage and its counts; `none` if nothing was counted.
pub(crate) fn share(count: Count, none: &'static str) -> AnyView {
    match Percentage::of(count) {
        Some(percentage) => view! {
            <span class="share">
                <span>{percentage.to_string()}<Percent/></span>" "
                <span class="muted small">{covered_of(count)}</span>
            </span>
        }
        .into_any(),
        None => none.into_any(),
    }
}

/// Of fewer than these, a percentage would say less than the counts.
pub(crate) const FEW: u64 = 20;

/// A share of few as its counts, and of many as a percentage; `none` if nothing was counted.
pub(crate) fn rate(count: Count, none: &'static str) -> AnyView {
    match count.total {
        1..FEW => covered_of(count).into_any(),
        _ => share(count, none),
    }
}

/// The order of verdicts in a table: failed gates first.
pub(crate) fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Failed => 0,
        Verdict::Unknown => 1,
        Verdict::Incomplete => 2,
        Verdict::Passed => 3,
    }
}

/// How many pull requests these rows are about, and how many of them fail.
pub(crate) fn counts<K: Eq + Hash>(rows: impl Iterator<Item = (K, Option<Verdict>)>) -> String {
    let mut all: HashMap<K, bool> = HashMap::new();
    for (pull_request, verdict) in rows {
        *all.entry(pull_request).or_default() |= verdict == Some(Verdict::Failed);
    }
    let failed = all.values().filter(|failed| **failed).count() as u64;
    let all = counted(all.len() as u64, "pull request", "pull requests");
    let fails = if failed == 1 { "fails" } else { "fail" };
    format!("{all}, {} {fails}", grouped(failed))
}

/// The verdict of the gate, and in short why it failed: the first reasons, without their lines.
pub(crate) fn with_reasons(of: Option<Verdict>, reasons: &[String]) -> AnyView {
    let shown = reasons.iter().take(SHOWN_REASONS).map(|reason| {
        let reason = without_places(reason).replace(" %", "\u{a0}%");
        view! { <div class="muted small"><bdi>{reason}</bdi></div> }
    });
    let more = reasons.len().saturating_sub(SHOWN_REASONS) as u64;
    let more = (more > 0).then(|| {
        let more = counted(more, "more reason", "more reasons");
        view! { <div class="muted small">{format!("and {more}")}</div> }
    });
    view! { {verdict(of)}{shown.collect_view()}{more} }.into_any()
}

/// A link to the pull request of a record.
pub(crate) fn request_link(repository: &Repository, number: &PullRequest) -> AnyView {
    let href = links::pull_request(repository, number);
    let label = format!("Pull request #{number}");
    view! { " "<a class="link small" href=href aria-label=label>{format!("#{number}")}</a> }
        .into_any()
}

/// A cell with the verdict about a record, which leads to its reasons.
pub(crate) fn gate_cell(record: i64, of: Option<Verdict>) -> AnyView {
    let reasons = format!("{}#gate", links::record(record));
    let said = match of {
        Some(_) => {
            view! { <a href=reasons title="what the gate judged">{verdict(of)}</a> }.into_any()
        }
        None => verdict(None),
    };
    view! { <td class="c-gate">{said}</td> }.into_any()
}

/// The verdict of the gate; a dash without a gate.
pub(crate) fn verdict(verdict: Option<Verdict>) -> AnyView {
    match verdict {
        None => view! { <span class="muted" title="no gate is set">"–"</span> }.into_any(),
        Some(verdict) => {
            let class = format!("verdict {}", verdict.word());
            view! { <span class=class>{verdict.word()}</span> }.into_any()
        }
    }
}
