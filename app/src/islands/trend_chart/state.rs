//! The state of a chart in the browser: what is loaded, what is hidden, which period is shown, and what is read.

use super::{
    cursor::Cursor,
    data::{ChartData, Points},
    gestures::Presses,
};
use crate::{
    charts::{Frame, Line, LineChart, Size, WIDE},
    islands::{fetch::Loading, host},
};
use domain::{CHART_LINES, Period};
use leptos::prelude::*;
use std::{
    mem,
    ops::{Deref, DerefMut},
    sync::Arc,
};

/// One value with two triggers: a signal of each type would add kilobytes to what browsers load.
#[derive(Clone, Copy)]
pub(super) struct State {
    kept: StoredValue<Kept>,
    /// Fires when the drawing changes: its lines, period or size.
    drawn: Trigger,
    /// Fires when something else changes: what is read, selected or loading.
    read: Trigger,
    /// Fires when the table opens or closes.
    table: Trigger,
}

struct Kept {
    data: Arc<ChartData>,
    /// The points of a period, if it has finer ones than the page.
    finer: Option<(Period, Points)>,
    hidden: [bool; CHART_LINES],
    /// The selected period; `None` for the period of the page.
    period: Option<Period>,
    size: Size,
    chart: Arc<LineChart>,
    cursor: Option<Cursor>,
    /// The point that was read last; it may be hidden now.
    last: Option<Cursor>,
    /// Whether the pointer shows the point, and not the keyboard.
    is_pointed: bool,
    presses: Presses,
    /// The times between which the pointer or the keyboard is selecting.
    selection: Option<(i64, i64)>,
    loading: Loading,
    has_table: bool,
}

impl Kept {
    fn points(&self) -> &Points {
        self.finer
            .as_ref()
            .map_or(&self.data.points, |(_, points)| points)
    }

    fn draw(&mut self) {
        let lines = self.points().lines();
        self.chart = Arc::new(visible(&self.data, lines, self.hidden, self.period));
    }
}

/// What is shown now. Effects and views that read it follow its changes.
impl State {
    pub(super) fn new(data: ChartData) -> Self {
        let hidden = [false; CHART_LINES];
        let chart = Arc::new(visible(&data, data.points.lines(), hidden, None));
        let kept = Kept {
            data: Arc::new(data),
            finer: None,
            hidden,
            period: None,
            size: WIDE,
            chart,
            cursor: None,
            last: None,
            is_pointed: false,
            presses: Presses::default(),
            selection: None,
            loading: Loading::Done,
            has_table: false,
        };
        Self {
            kept: StoredValue::new(kept),
            drawn: Trigger::new(),
            read: Trigger::new(),
            table: Trigger::new(),
        }
    }

    pub(super) fn data(self) -> Arc<ChartData> {
        Arc::clone(&self.now().data)
    }

    pub(super) fn chart(self) -> Arc<LineChart> {
        Arc::clone(&self.drawn().chart)
    }

    /// The chart for its table; `None` while the table is closed.
    pub(super) fn table(self) -> Option<Arc<LineChart>> {
        self.table.track();
        let has_table = self.now().has_table;
        has_table.then(|| self.chart())
    }

    pub(super) fn frame(self) -> Frame {
        let drawn = self.drawn();
        drawn.chart.frame(drawn.size)
    }

    pub(super) fn size(self) -> Size {
        self.drawn().size
    }

    pub(super) fn period(self) -> Option<Period> {
        self.drawn().period
    }

    pub(super) fn is_hidden(self, index: usize) -> bool {
        self.drawn().hidden.get(index).copied().unwrap_or_default()
    }

    /// How many points are loaded, including points that the drawing leaves out.
    pub(super) fn summary(self) -> String {
        self.drawn().points().summary()
    }

    #[cfg(test)]
    pub(super) fn points(self) -> Points {
        self.now().points().clone()
    }

    /// Whether the points are the points of the page, and not finer ones.
    pub(super) fn are_of_page(self) -> bool {
        self.drawn().finer.is_none()
    }

    pub(super) fn cursor(self) -> Option<Cursor> {
        self.read().cursor
    }

    pub(super) fn selection(self) -> Option<(i64, i64)> {
        self.read().selection
    }

    pub(super) fn loading(self) -> Loading {
        self.read().loading
    }

    pub(super) fn last(self) -> Option<Cursor> {
        self.now().last
    }

    pub(super) fn is_pointed(self) -> bool {
        self.now().is_pointed
    }

    pub(super) fn is_gone(self) -> bool {
        self.kept.is_disposed()
    }

    fn drawn(self) -> impl Deref<Target = Kept> {
        self.drawn.track();
        self.now()
    }

    fn read(self) -> impl Deref<Target = Kept> {
        self.read.track();
        self.now()
    }

    #[inline(never)]
    fn now(self) -> impl Deref<Target = Kept> {
        self.kept.read_value()
    }
}

impl State {
    pub(super) fn set_cursor(self, cursor: Option<Cursor>) {
        if mem::replace(&mut self.write().cursor, cursor) != cursor {
            self.read.notify();
        }
    }

    /// Reads a point with the pointer or with the keyboard.
    pub(super) fn set_read(self, cursor: Option<Cursor>, is_pointed: bool) {
        let mut kept = self.write();
        kept.is_pointed = is_pointed;
        if cursor.is_some() || !is_pointed {
            kept.last = cursor;
        }
        drop(kept);
        self.set_cursor(cursor);
    }

    pub(super) fn set_selection(self, selection: Option<(i64, i64)>) {
        self.write().selection = selection;
        self.read.notify();
    }

    pub(super) fn set_loading(self, loading: Loading) {
        self.write().loading = loading;
        self.read.notify();
    }

    pub(super) fn set_size(self, size: Size) {
        self.write().size = size;
        self.drawn.notify();
    }

    pub(super) fn set_table(self, is_open: bool) {
        self.write().has_table = is_open;
        self.table.notify();
    }

    pub(super) fn set_finer(self, period: Period, points: Points) {
        self.write().finer = Some((period, points));
        self.set_loading(Loading::Done);
        self.draw();
    }

    pub(super) fn set_period(self, period: Option<Period>) {
        let mut kept = self.write();
        kept.period = period;
        kept.selection = None;
        let is_loaded = kept
            .finer
            .as_ref()
            .zip(period)
            .is_some_and(|((loaded, _), period)| {
                loaded.from <= period.from && period.to <= loaded.to
            });
        if !is_loaded {
            kept.finer = None;
        }
        drop(kept);
        self.draw();
    }

    pub(super) fn with_presses<T>(self, with: impl FnOnce(&mut Presses) -> T) -> T {
        with(&mut self.write().presses)
    }

    /// Hides or shows a line. The last visible line stays.
    pub(super) fn toggle(self, index: usize) {
        let mut kept = self.write();
        let drawn = kept.points().lines().len().min(CHART_LINES);
        let mut hidden = kept.hidden;
        let Some(is_hidden) = hidden.get_mut(index) else {
            return;
        };
        *is_hidden = !*is_hidden;
        if hidden[..drawn].iter().all(|is_hidden| *is_hidden) {
            drop(kept);
            return host().announce("One line has to stay.");
        }
        kept.hidden = hidden;
        drop(kept);
        self.draw();
    }

    pub(super) fn announce(self) {
        if let Some(cursor) = self.cursor() {
            host().announce(&cursor.texts(&self.chart()).join(", "));
        }
    }

    /// Shows the whole period of the page again.
    pub(super) fn reset(self) {
        let data = self.data();
        self.set_selection(None);
        let address = with_dates(&address_of(&data), None);
        if data.has_dates {
            return host().choose(&address);
        }
        if self.period().is_some() {
            self.set_loading(Loading::Done);
            self.set_period(None);
            host().push(&address);
        }
    }

    /// Draws again. The points change: the keyboard goes on at the point of its line that is nearest in time.
    fn draw(self) {
        let mut kept = self.write();
        let read = kept.cursor.filter(|_| !kept.is_pointed);
        let read = read.and_then(|read| Some((read.line, read.of(&kept.chart)?.1.at.0)));
        kept.draw();
        let cursor = read.and_then(|(line, at)| Cursor::at(&kept.chart, line, at));
        drop(kept);
        self.drawn.notify();
        self.set_cursor(cursor);
    }

    #[inline(never)]
    fn write(self) -> impl DerefMut<Target = Kept> {
        self.kept.write_value()
    }
}

/// The chart without the hidden lines and without points outside of the period.
fn visible(
    data: &ChartData,
    mut lines: Vec<Line>,
    hidden: [bool; CHART_LINES],
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

/// The address of the page with the choices that were made since it was loaded, such as the order of a table.
pub(super) fn address_of(data: &ChartData) -> String {
    host().here().unwrap_or_else(|| data.page.clone())
}

/// An address with the dates of a period in place of its dates.
pub(super) fn with_dates(address: &str, period: Option<Period>) -> String {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let (mut dated, mut mark) = (path.to_owned(), '?');
    let mut add = |part: &str| {
        dated.push(mark);
        dated.push_str(part);
        mark = '&';
    };
    for part in query.split('&') {
        if !part.is_empty() && !part.starts_with("from=") && !part.starts_with("to=") {
            add(part);
        }
    }
    if let Some(Period { from, to }) = period {
        add(&format!("from={from}&to={to}"));
    }
    dated
}
