//! One record of a branch.

use crate::{
    components::{change::Change, coverage::Coverage, name::Name, time::Age},
    links::{self, ReportLinks},
};
use domain::{HistoryRow, Timestamp};
use leptos::prelude::*;

/// A row with its `data-keys`.
pub(super) fn record_row(
    keys: String,
    row: &HistoryRow,
    now: Timestamp,
) -> impl IntoView + use<> {
    let reports: ReportLinks = expect_context();
    let commit = row.commit.to_string();
    let (percentage, lines, change, at) = (row.percentage, row.lines, row.change, row.at);
    let report = row.has_report.then(|| {
        let label = format!("HTML report of commit {}, {}", row.commit, row.language);
        view! { <a class="small" rel="external" href=reports.report(row.record_id) aria-label=label>"HTML ↗"</a> }
    });
    let (state, why) = match row.is_complete {
        true => (
            "unconfirmed",
            ": nothing proved that the branch contains its commit.",
        ),
        false => ("incomplete", " while it waits for parts."),
    };
    let left_out = (!row.is_confirmed).then(|| {
        view! { <span class="chip" title=format!("No trend includes this record{why}")>{state}</span> }
    });
    view! {
        <tr data-keys=keys>
            <th scope="row">
                <a href=links::record(row.record_id) class="name mono" title=commit>{row.commit.short().to_owned()}</a>
                <span class="chip">{row.language.to_string()}</span>
                {left_out}
            </th>
            <td class="c-cov"><Coverage percentage lines/></td>
            <td class="c-change num"><Change change/></td>
            <td class="c-author"><a href=links::author(&row.author)><Name text=row.author.to_string()/></a></td>
            <td class="c-time"><Age at now/></td>
            <td class="c-link num">{report}</td>
        </tr>
    }
}
