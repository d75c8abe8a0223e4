//! The changes in the period: a row for each repository; the parts add up to the total change.

use super::{all_of, capital, has_others, in_words, on_paper, trend::throughout, within};
use crate::{
    components::{
        card::{card, number as cell},
        change::Change,
        coverage::Percent,
        name::Name,
        sortable::{Column, RowFilter, Sortable, change, number, percentage, text},
    },
    links,
    numbers::{counted, covered_of, grouped},
};
use domain::{
    Change as Points, Count, LeftOut, Movement, OrgQuery, OrgReport, Over, Percentage, State,
    StatedMetric,
};
use leptos::prelude::*;

/// The maximum number of rows of each state; one more row sums up the others. The CSV file has all rows.
const SHOWN: usize = 50;

/// `about` follows the heading.
pub(in crate::pages) fn movements(
    report: &OrgReport,
    query: &OrgQuery,
    about: Option<AnyView>,
) -> Option<AnyView> {
    if report.movements.is_empty() {
        return None;
    }
    let states = || report.movements.chunk_by(|a, b| a.state == b.state);
    let moved = |rows: &[Movement]| rows.iter().filter(has_moved).count();
    let is_whole = states().all(|rows| moved(rows) <= SHOWN);
    let sortable = Sortable::new("moved", columns(query)).only_if(is_whole);
    let is_cut = states().any(|rows| {
        let printed = match rows.first().map(|row| row.state) {
            Some(State::Kept) => on_paper::ROWS,
            _ => on_paper::ROWS_OF_PARTS,
        };
        moved(rows) > printed
    });
    let rows = report.movements.len();
    let bodies = states().map(|rows| body(rows, report, query, &sortable));
    let beside = view! {
        {about}
        <span class="grow"></span>
        <RowFilter table="moved" rows what="repositories"/>
        <a class="btn small" rel="external" download href=links::org_csv(query, "movements")>"What moved as CSV"</a>
    };
    let content = view! {
        <table class="movements" aria-labelledby="moved" data-testid="movements" data-sortable="moved">
            {sortable.head()}
            {bodies.collect_view()}
            {total(report, query)}
        </table>
        {on_paper::more(is_cut, counted(rows as u64, "repository", "repositories"))}
    };
    Some(card("moved", "What moved", beside, content))
}

fn columns(query: &OrgQuery) -> Vec<Column<Movement>> {
    vec![
        Column::new("name", "Repository", "", |row| text(&row.repository)),
        Column::new("start", "Start", "num", |row| percentage(row.start)),
        Column::new("end", "End", "num", |row| percentage(row.end)),
        Column::new("change", "Change", "num", |row| change(row.change)),
        Column::largest_first("lines", query.metric.label(), "num", |row| {
            number(row.lines.map(|lines| lines.total))
        }),
        Column::new("part", "Effect on total", "num", |row| {
            change(row.contribution)
        }),
    ]
}

fn body(
    rows: &[Movement],
    report: &OrgReport,
    query: &OrgQuery,
    sortable: &Sortable<Movement>,
) -> impl IntoView + use<> {
    let heading = match rows.first().map(|row| row.state) {
        None | Some(State::Kept) => None,
        Some(State::New) => Some(counting("New in this period", query)),
        Some(State::Gone) => Some(counting("Retired in this period", query)),
        Some(State::Unweighted) => Some(without_counts(query.metric)),
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
        let part = has_parts.then(|| Points::from_basis_points(part));
        rest(hidden, still, part)
    });
    let rows = sortable.rows(shown, |keys, movement| {
        let is_it = |one: &&LeftOut| one.repository == movement.repository;
        let reason = report.left_out.iter().find(is_it);
        let reason = reason.filter(|_| movement.state != State::Kept);
        row(keys, movement, reason, query)
    });
    let sum = heading.is_none().then(|| sum(report, query)).flatten();
    let part = heading.is_some().then_some("part");
    view! { <tbody class=part>{heading}{rows}{rest}{sum}</tbody> }
}

fn without_counts(metric: StatedMetric) -> String {
    let what = format!("Without {} counts", metric.singular());
    match metric {
        // Such a repository has a percentage.
        StatedMetric::Lines => format!("{what}, so not weighted"),
        _ => what,
    }
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
        Over::Same => format!("{heading}, not in the change"),
        Over::All => heading.to_owned(),
    }
}

fn rest(hidden: usize, still: usize, part: Option<Points>) -> impl IntoView {
    let count = hidden as u64;
    let more = counted(count, "more repository", "more repositories");
    let text = match still {
        0 => more,
        _ if still == hidden => {
            let all = counted(count, "repository", "repositories");
            format!("{all} that did not move")
        }
        still => format!("{more}, {still} of which did not move"),
    };
    view! {
        <tr class="rest">
            <th scope="row" colspan="5">{text}</th>
            {points("Effect", part)}
        </tr>
    }
}

fn row(keys: String, movement: &Movement, left_out: Option<&LeftOut>, query: &OrgQuery) -> AnyView {
    let name = within(query.org.as_ref(), &movement.repository.to_string());
    let stale = movement.is_stale.then(|| {
        let last = movement
            .last
            .map(|day| format!("last upload {}", day.long()));
        view! { <span class="chip stale" title=last>"stale"</span> }
    });
    let heading = view! {
        <a class="name" href=links::repository_in(&movement.repository, query)><Name text=name/></a>
        {stale}
        {left_out.map(|one| view! { " "<span class="muted small">{in_words(one.reason, query)}</span> })}
    };
    let ends = (movement.start, movement.end);
    let changes = (movement.change, movement.contribution);
    numbers(
        Some(keys),
        heading,
        ends,
        changes,
        movement.lines,
        query.metric,
    )
}

/// The repositories that the change is about, if there are others.
fn sum(report: &OrgReport, query: &OrgQuery) -> Option<AnyView> {
    has_others(report, query)
        .then(|| {
            of_counted(
                capital(&throughout(report.counted.into(), report.period.from)),
                report,
                query,
            )
        })
        .flatten()
}

/// The numbers of the repositories that count.
fn of_counted(name: String, report: &OrgReport, query: &OrgQuery) -> Option<AnyView> {
    let (first, last) = (report.points.first()?, report.last()?);
    let change = Some(report.change?);
    let ends = (first.coverage, last.coverage);
    Some(numbers(
        None,
        name,
        ends,
        (change, change),
        last.lines,
        query.metric,
    ))
}

/// All repositories: the coverage that the page states first. Without a value at both ends of each, their sum has no change.
fn total(report: &OrgReport, query: &OrgQuery) -> Option<impl IntoView + use<>> {
    let whole = &report.whole;
    let name = match report.counted < report.counts.in_period {
        true => format!("Total of the {} that count", grouped(report.counted.into())),
        false => "Total".to_owned(),
    };
    let row = match has_others(report, query) {
        false => of_counted(name, report, query)?,
        true => numbers(
            None,
            capital(&all_of(whole.repositories.into())),
            (None, whole.coverage),
            (None, None),
            whole.lines,
            query.metric,
        ),
    };
    Some(view! { <tfoot>{row}</tfoot> })
}

/// A row: the values at both ends of the period, the change and the effect, and the lines at the end.
fn numbers(
    keys: Option<String>,
    heading: impl IntoView,
    (start, end): (Option<Percentage>, Option<Percentage>),
    (change, part): (Option<Points>, Option<Points>),
    lines: Option<Count>,
    metric: StatedMetric,
) -> AnyView {
    let percentage = |percentage: Option<Percentage>| match percentage {
        Some(percentage) => view! { {percentage.to_string()}<Percent/> }.into_any(),
        None => view! { <span class="muted" title="no value">"–"</span> }.into_any(),
    };
    view! {
        <tr data-keys=keys>
            <th scope="row">{heading}</th>
            {cell("Start", percentage(start))}
            {cell("End", percentage(end))}
            {points("Change", change)}
            {cell(metric.label(), lines.map_or_else(|| "not counted".to_owned(), covered_of))}
            {points("Effect", part)}
        </tr>
    }
    .into_any()
}

fn points(label: &'static str, change: Option<Points>) -> AnyView {
    cell(label, view! { <Change change/> })
}
