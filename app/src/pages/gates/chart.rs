//! The covered changed lines and the passed gates as two lines of a chart, and the number of gates as columns.

use super::subject;
use crate::{
    islands::{ChartData, Days, Points, TrendFigure},
    links,
    numbers::grouped,
};
use domain::{Count, GateHistory, GateRow, GatesQuery, Percentage};
use leptos::prelude::*;

/// The fewest intervals with results, and the fewest results, that a chart shows: a line through fewer would alarm without a
/// reason.
const INTERVALS: usize = 4;
const RESULTS: u64 = 8;

/// The chart; `None` if there is too little for one.
pub(super) fn chart(query: &GatesQuery, history: &GateHistory) -> Option<AnyView> {
    let rows = history.rows.iter();
    let results: u64 = rows.map(|row| row.counts.results).sum();
    if with_results(history) < INTERVALS || results < RESULTS {
        return None;
    }
    let page = GatesQuery {
        from: None,
        to: None,
        ..query.clone()
    };
    let changed = days(history, "Changed lines covered", "changed lines", |row| {
        row.counts.changed
    });
    let passed = days(history, "Gates passed", "gates", |row| row.counts.judged());
    let data = ChartData {
        title: "Share of covered changed lines and of passed gates".to_owned(),
        subject: subject(history),
        points: Points::Days(vec![changed, passed]),
        target: None,
        since: Some(history.period.from.start()),
        until: history.period.to.start(),
        page: links::gates(&page),
        finer: None,
        has_dates: query.from.is_some() || query.to.is_some(),
        is_past: true,
        is_share: true,
    };
    let empty = "No pull request was uploaded in this period with changed lines or a judged gate.";
    Some(view! { <TrendFigure data empty/> }.into_any())
}

/// The number of intervals that have results.
pub(super) fn with_results(history: &GateHistory) -> usize {
    let rows = history.rows.iter();
    rows.filter(|row| row.counts.results > 0).count()
}

/// A line with a point at the first day of each interval that has a share.
fn days(history: &GateHistory, label: &str, unit: &str, count: fn(&GateRow) -> Count) -> Days {
    let days = history.rows.iter().map(|row| {
        let count = count(row);
        let share = Percentage::of(count);
        let counted = share.map(|_| count);
        (row.days.from.0, share, row.repositories, counted, None)
    });
    Days {
        label: label.to_owned(),
        unit: unit.to_owned(),
        days: days.collect(),
    }
}

/// The greatest height of a column, and the room above it for its number.
const HEIGHT: u64 = 64;
const ABOVE: u64 = 18;
/// So many columns have room for their numbers, and so many months for their names, in a narrow window.
const NUMBERED: usize = 16;
const NAMED: usize = 11;

/// A column of passed and failed gates for each interval, also for those without, so that equal widths are equal times. The
/// table below has the numbers.
pub(super) fn columns(history: &GateHistory) -> AnyView {
    let rows = &history.rows;
    let count = rows.len().max(1) as u64;
    let most = rows.iter().map(|row| row.counts.judged().total).max();
    let most = most.unwrap_or(0).max(1);
    // Of the width, in hundredths of a percent.
    let percent = |hundredths: u64| format!("{}.{:02}%", hundredths / 100, hundredths % 100);
    let step = 10_000 / count;
    let width = (step * 7 / 10).min(600);
    let names = months(history);
    let has_many = rows.len() > NUMBERED;
    let mut is_numbered = false;
    let columns = rows.iter().enumerate().map(|(index, row)| {
        let all = row.counts.judged().total;
        let middle = step * index as u64 + step / 2;
        let height = |count: u64| count.saturating_mul(HEIGHT).div_ceil(most);
        let (passed, top) = (height(row.counts.passed), height(all));
        let part = |class: &'static str, from: u64, to: u64| {
            (to > from).then(|| {
                let x = percent(middle.saturating_sub(width / 2));
                view! { <rect class=class x=x y=ABOVE + HEIGHT - to width=percent(width) height=to - from></rect> }
            })
        };
        let has_number = all > 0 && (!has_many || (all == most && !is_numbered));
        is_numbered |= has_number;
        let text = |y: u64, text: String| {
            view! { <text x=percent(middle) y=y text-anchor="middle" font-size="12" fill="currentColor">{text}</text> }
        };
        let number = has_number.then(|| text(ABOVE + HEIGHT - top - 5, grouped(all)));
        let name = names.iter().find(|(of, _)| *of == index);
        let name = name.map(|(_, name)| text(ABOVE + HEIGHT + 16, name.clone()));
        view! { {part("pass", 0, passed)}{part("fail", passed, top)}{number}{name} }
    });
    view! {
        <div class="note muted">
            <svg width="100%" height=ABOVE + HEIGHT + 20 overflow="visible" aria-hidden="true">
                <rect y=ABOVE + HEIGHT width="100%" height="1" fill="currentColor"></rect>
                {columns.collect_view()}
            </svg>
        </div>
    }
    .into_any()
}

/// The columns below which a month is named: where it begins, as far as there is room before the next one.
fn months(history: &GateHistory) -> Vec<(usize, String)> {
    let room = history.rows.len().div_ceil(NAMED);
    let mut names: Vec<(usize, String)> = Vec::new();
    for (index, row) in history.rows.iter().enumerate() {
        let day = row.days.to.long();
        let name = day.split(' ').nth(1).unwrap_or_default();
        if names.last().is_some_and(|(_, last)| last == name) {
            continue;
        }
        if names.last().is_some_and(|(at, _)| index - at < room) {
            names.pop();
        }
        names.push((index, name.to_owned()));
    }
    names
}
