//! The changes in the period: a row for each repository; the parts add up to the total change.

use super::{arithmetic, counted, on_paper, repositories, within};
use crate::{
    components::{
        change::Change,
        coverage::Percent,
        name::Name,
        sortable::{self, Column, RowFilter, Sortable},
    },
    links,
    numbers::grouped,
};
use domain::{Change as Points, Count, Movement, OrgQuery, OrgReport, Over, Percentage, State};
use leptos::prelude::*;

/// The maximum number of rows of each state; one more row sums up the others. The CSV file has all rows.
const SHOWN: usize = 50;

/// A card with the table.
#[component]
pub(super) fn Movements(report: OrgReport, query: OrgQuery) -> impl IntoView {
    if report.movements.is_empty() {
        return ().into_any();
    }
    let part = arithmetic::part(&report, &query);
    let mut states = report.movements.chunk_by(|a, b| a.state == b.state);
    let is_whole = states.all(|rows| rows.iter().filter(has_moved).count() <= SHOWN);
    let sortable = Sortable::new("moved", columns()).only_if(is_whole);
    let mut states = report.movements.chunk_by(|a, b| a.state == b.state);
    let is_cut = states.any(|rows| {
        let printed = match rows.first().map(|row| row.state) {
            Some(State::Kept) => on_paper::ROWS,
            _ => on_paper::ROWS_OF_PARTS,
        };
        rows.iter().filter(has_moved).count() > printed
    });
    let rows = report.movements.len();
    let bodies = report
        .movements
        .chunk_by(|a, b| a.state == b.state)
        .map(|rows| body(rows, &query, &sortable))
        .collect_view();
    let total = total(&report);
    view! {
        <section class="card" aria-labelledby="moved">
            <div class="head">
                <h2 id="moved">"What moved"</h2>
                <span class="grow"></span>
                <RowFilter table="moved" rows what="repositories"/>
                <a class="btn small" rel="external" download href=links::org_csv(&query, "movements")>"What moved as CSV"</a>
            </div>
            <table class="movements" aria-labelledby="moved" data-testid="movements" data-sortable="moved">
                {sortable.head()}
                {bodies}
                {total}
            </table>
            {on_paper::more(is_cut, repositories(u32::try_from(rows).unwrap_or(u32::MAX)))}
            {part.map(|part| view! { <p class="muted small note">{part}</p> })}
        </section>
    }
    .into_any()
}

fn columns() -> Vec<Column<Movement>> {
    vec![
        Column::new("name", "Repository", "", |row| {
            sortable::text(&row.repository)
        }),
        Column::new("start", "Start", "num", |row| {
            sortable::percentage(row.start)
        }),
        Column::new("end", "End", "num", |row| sortable::percentage(row.end)),
        Column::new("change", "Change", "num", |row| {
            sortable::change(row.change)
        }),
        Column::largest_first("lines", "Lines", "num", |row| {
            sortable::number(row.lines.map(|lines| lines.total))
        }),
        Column::new("part", "Part", "num", |row| {
            sortable::change(row.contribution)
        }),
    ]
}

fn body(
    rows: &[Movement],
    query: &OrgQuery,
    sortable: &Sortable<Movement>,
) -> impl IntoView + use<> {
    let heading = match rows.first().map(|row| row.state) {
        None | Some(State::Kept) => None,
        Some(State::New) => Some(counting("New in this period", query)),
        Some(State::Gone) => Some(counting("Retired in this period", query)),
        Some(State::Unweighted) => Some("Without line counts, so not weighted".to_owned()),
    };
    let heading = heading.map(|heading| {
        view! { <tr class="group"><th scope="rowgroup" colspan="6">{heading}</th></tr> }
    });
    let shown: Vec<_> = rows.iter().filter(has_moved).take(SHOWN).collect();
    let parts = |rows: &mut dyn Iterator<Item = &Movement>| -> i32 {
        rows.filter_map(|row| row.contribution)
            .map(Points::basis_points)
            .sum()
    };
    let hidden = rows.len() - shown.len();
    let still = rows.iter().filter(|row| !has_moved(row)).count();
    let rest = (hidden > 0).then(|| {
        let part = parts(&mut rows.iter()) - parts(&mut shown.iter().copied());
        let has_parts = rows.iter().any(|row| row.contribution.is_some());
        rest(
            hidden,
            still,
            has_parts.then(|| Points::from_basis_points(part)),
        )
    });
    let rows = sortable
        .sorted(shown)
        .into_iter()
        .map(|(keys, movement)| row(keys, movement, query))
        .collect_view();
    let part = heading.is_some().then_some("part");
    view! { <tbody class=part>{heading}{rows}{rest}</tbody> }
}

/// Whether a repository has a row of its own.
fn has_moved(row: &&Movement) -> bool {
    row.state != State::Kept
        || row
            .contribution
            .is_some_and(|part| part.basis_points() != 0)
        || row.change.is_none_or(|change| change.basis_points() != 0)
}

fn counting(heading: &str, query: &OrgQuery) -> String {
    match query.over {
        Over::Same => format!("{heading}, not counted"),
        Over::All => heading.to_owned(),
    }
}

fn rest(hidden: usize, still: usize, part: Option<Points>) -> impl IntoView {
    let count = u32::try_from(hidden).unwrap_or(u32::MAX);
    let more = counted(count, "more repository", "more repositories");
    let text = match still {
        0 => more,
        _ if still == hidden => format!("{} that did not move", repositories(count)),
        still => format!("{more}, {still} of which did not move"),
    };
    view! {
        <tr class="rest">
            <th scope="row" colspan="5">{text}</th>
            <td class="num" data-label="Part"><Change change=part/></td>
        </tr>
    }
}

fn row(keys: String, movement: &Movement, query: &OrgQuery) -> impl IntoView + use<> {
    let name = within(query.org.as_ref(), &movement.repository.to_string());
    let stale = movement.is_stale.then(|| {
        let last = movement
            .last
            .map(|day| format!("last upload {}", day.long()));
        view! { <span class="chip stale" title=last>"stale"</span> }
    });
    let (change, part) = (movement.change, movement.contribution);
    view! {
        <tr data-keys=keys>
            <th scope="row">
                <a class="name" href=links::repository_in(&movement.repository, query)><Name text=name/></a>
                {stale}
            </th>
            {percentage(movement.start, "Start")}
            {percentage(movement.end, "End")}
            <td class="num" data-label="Change"><Change change/></td>
            {lines(movement.lines)}
            <td class="num" data-label="Part"><Change change=part/></td>
        </tr>
    }
}

fn percentage(percentage: Option<Percentage>, label: &'static str) -> impl IntoView {
    let text = match percentage {
        Some(percentage) => view! { {percentage.to_string()}<Percent/> }.into_any(),
        None => view! { <span class="muted" title="no value">"–"</span> }.into_any(),
    };
    view! { <td class="num" data-label=label>{text}</td> }
}

fn lines(lines: Option<Count>) -> impl IntoView {
    let text = match lines {
        Some(lines) => format!("{} of {}", grouped(lines.covered), grouped(lines.total)),
        None => "not counted".to_owned(),
    };
    view! { <td class="num" data-label="Lines">{text}</td> }
}

fn total(report: &OrgReport) -> Option<impl IntoView + use<>> {
    let (first, last) = (report.points.first()?, report.last()?);
    let change = report.change?;
    Some(view! {
        <tfoot>
            <tr>
                <th scope="row">"Total"</th>
                {percentage(first.coverage, "Start")}
                {percentage(last.coverage, "End")}
                <td class="num" data-label="Change"><Change change=Some(change)/></td>
                {lines(last.lines)}
                <td class="num" data-label="Part"><Change change=Some(change)/></td>
            </tr>
        </tfoot>
    })
}
