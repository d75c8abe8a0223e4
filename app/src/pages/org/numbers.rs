//! The four numbers of an org.

use crate::{
    components::{change::Change, coverage::Percent},
    numbers::grouped,
};
use domain::{OrgQuery, OrgReport, Over};
use leptos::prelude::*;

/// Coverage, its change, how many repositories, how many lines.
#[component]
pub(super) fn Numbers(report: OrgReport, query: OrgQuery) -> impl IntoView {
    let last = report.last().copied();
    let coverage = match last.and_then(|point| point.coverage) {
        Some(coverage) => view! { {coverage.to_string()}<small><Percent/></small> }.into_any(),
        None => view! { <span title="no value">"–"</span> }.into_any(),
    };
    let lines = last.and_then(|point| point.lines);
    let (covered, total) = match lines {
        Some(lines) => (
            grouped(lines.covered),
            format!("covered of {} lines", grouped(lines.total)),
        ),
        None => (
            "–".to_owned(),
            "covered lines: no coverage file counts lines".to_owned(),
        ),
    };
    let counted = last.map_or(0, |point| point.repositories);
    let repositories = match counted {
        1 => "repository",
        _ => "repositories",
    };
    let all = grouped(report.counts.in_period.into());
    let of_all = match query.over {
        Over::Same => format!("{repositories} throughout, of {all}"),
        Over::All => format!("{repositories} at the end, of {all} in the period"),
    };
    let (from, to) = (report.period.from.long(), report.period.to.long());
    let since = match report.change {
        Some(_) => format!("points since {from}"),
        None if from == to => "one day: nothing to compare with".to_owned(),
        None => format!("nothing to compare with on {from}"),
    };
    view! {
        <dl class="numbers card" data-testid="numbers">
            <div><dt>{format!("coverage, {}", query.mean.label())}</dt><dd class="figure">{coverage}</dd></div>
            <div><dt>{since}</dt><dd class="figure"><Change change=report.change/></dd></div>
            <div><dt>{of_all}</dt><dd class="figure">{grouped(counted.into())}</dd></div>
            <div><dt>{total}</dt><dd class="figure">{covered}</dd></div>
        </dl>
    }
}
