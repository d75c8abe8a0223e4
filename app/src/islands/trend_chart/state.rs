//! The state of a chart in the browser: what is loaded, what is hidden, which period is shown, and what is read.

use super::{
    cursor::Cursor,
    data::{ChartData, Points},
    finer,
    gestures::Presses,
};
use crate::{
    charts::{Frame, Line, LineChart, MAX_LINES, Size, WIDE},
    islands::host,
};
use domain::{Day, Period, Timestamp};
use leptos::prelude::*;

/// Whether finer points are on their way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loading {
    No,
    Yes,
    Failed,
}

#[derive(Clone, Copy)]
pub(super) struct State {
    pub(super) data: StoredValue<ChartData>,
    /// The loaded points; those of the page unless a period has finer ones.
    pub(super) points: RwSignal<Points>,
    /// The period of the loaded points; none for that of the page.
    pub(super) loaded: StoredValue<Option<Period>>,
    pub(super) hidden: RwSignal<[bool; MAX_LINES]>,
    /// The selected period; none for that of the page.
    pub(super) period: RwSignal<Option<Period>>,
    pub(super) size: RwSignal<Size>,
    /// The point that is read.
    pub(super) cursor: RwSignal<Option<Cursor>>,
    /// The point that was read last; it may be hidden now.
    pub(super) last: StoredValue<Option<Cursor>>,
    /// Whether the pointer shows the point, and not the keyboard.
    pub(super) is_pointed: StoredValue<bool>,
    /// The pointers that are down.
    pub(super) presses: StoredValue<Presses>,
    /// The times between which the pointer or the keyboard is selecting.
    pub(super) selection: RwSignal<Option<(i64, i64)>>,
    pub(super) loading: RwSignal<Loading>,
    /// Whether the browser has hydrated the chart.
    pub(super) is_live: RwSignal<bool>,
    /// What is drawn.
    pub(super) chart: Memo<LineChart>,
}

impl State {
    pub(super) fn new(data: ChartData) -> Self {
        let points = RwSignal::new(data.points.clone());
        let data = StoredValue::new(data);
        let hidden = RwSignal::new([false; MAX_LINES]);
        let period = RwSignal::new(None);
        let chart = Memo::new(move |_| {
            let lines = points.with(Points::lines);
            data.with_value(|data| visible(data, lines, hidden.get(), period.get()))
        });
        Self {
            data,
            points,
            hidden,
            period,
            chart,
            size: RwSignal::new(WIDE),
            cursor: RwSignal::new(None),
            last: StoredValue::new(None),
            is_pointed: StoredValue::new(false),
            presses: StoredValue::new(Presses::default()),
            selection: RwSignal::new(None),
            loading: RwSignal::new(Loading::No),
            is_live: RwSignal::new(false),
            loaded: StoredValue::new(None),
        }
    }

    pub(super) fn frame(&self) -> Frame {
        let size = self.size.get_untracked();
        self.chart.with_untracked(|chart| chart.frame(size))
    }

    /// Hides or shows a line. The last visible line stays.
    pub(super) fn toggle(&self, index: usize) {
        let drawn = self
            .points
            .with_untracked(|points| points.lines().len())
            .min(MAX_LINES);
        let mut hidden = self.hidden.get_untracked();
        let Some(is_hidden) = hidden.get_mut(index) else {
            return;
        };
        *is_hidden = !*is_hidden;
        if hidden[..drawn].iter().all(|is_hidden| *is_hidden) {
            return host::announce("One line has to stay.");
        }
        self.cursor.set(None);
        self.hidden.set(hidden);
    }

    /// Shows the days between two times, and writes them into the address.
    pub(super) fn select(&self, (start, end): (i64, i64)) {
        let (page, is_daily, last) = self
            .data
            .with_value(|data| (data.page.clone(), data.is_daily(), data.until.0));
        // A page that ends in the past ends at midnight, which is the next day already.
        let day = |time: i64| Day::of(Timestamp(time.min(last - 1)));
        let period = Period {
            from: day(start.min(end)),
            to: day(start.max(end)),
        };
        self.selection.set(None);
        self.cursor.set(None);
        let loaded = self.loaded.get_value();
        if !loaded.is_some_and(|loaded| loaded.from <= period.from && period.to <= loaded.to) {
            self.show_points_of_page();
        }
        self.period.set(Some(period));
        if is_daily {
            // The whole page is about this period.
            return host::choose(&with_dates(&page, period));
        }
        host::push(&with_dates(&page, period));
        self.load(period);
    }

    /// Loads the finer points of a period, if there are any.
    pub(super) fn load(&self, period: Period) {
        let address = self.data.with_value(|data| {
            let is_reduced = data.points.are_reduced();
            data.finer
                .as_ref()
                .filter(|_| is_reduced)
                .map(|finer| with_dates(finer, period))
        });
        if let Some(address) = address {
            finer::load(*self, period, address);
        }
    }

    /// Shows the whole period of the page again.
    pub(super) fn reset(&self) {
        let (page, has_dates) = self
            .data
            .with_value(|data| (data.page.clone(), data.has_dates));
        self.selection.set(None);
        if has_dates {
            return host::choose(&page);
        }
        if self.period.get_untracked().is_some() {
            self.cursor.set(None);
            self.loading.set(Loading::No);
            self.show_points_of_page();
            self.period.set(None);
            host::push(&page);
        }
    }

    fn show_points_of_page(&self) {
        if self.loaded.get_value().is_some() {
            self.loaded.set_value(None);
            self.points
                .set(self.data.with_value(|data| data.points.clone()));
        }
    }
}

/// The chart without the hidden lines and without points outside of the period.
fn visible(
    data: &ChartData,
    mut lines: Vec<Line>,
    hidden: [bool; MAX_LINES],
    period: Option<Period>,
) -> LineChart {
    for (line, is_hidden) in lines.iter_mut().zip(hidden) {
        if is_hidden {
            // The other lines keep their colours.
            line.pieces.clear();
        }
    }
    let Some(Period { from, to }) = period else {
        return data.chart(lines, data.since, data.until);
    };
    let since = from.start();
    for line in &mut lines {
        for piece in &mut line.pieces {
            piece.retain(|point| point.at >= since && point.at < to.end());
        }
        line.pieces.retain(|piece| !piece.is_empty());
    }
    // A daily point is at the start of its day.
    let until = if data.is_daily() {
        to.start()
    } else {
        to.end().min(data.until)
    };
    data.chart(lines, Some(since), until)
}

/// An address with the dates of a period.
fn with_dates(address: &str, Period { from, to }: Period) -> String {
    let mark = if address.contains('?') { '&' } else { '?' };
    format!("{address}{mark}from={from}&to={to}")
}
