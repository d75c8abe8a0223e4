//! The covered changed lines and the passed gates as two lines of a chart.

use super::subject;
use crate::{
    islands::{ChartData, Days, Points, TrendFigure},
    links,
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
