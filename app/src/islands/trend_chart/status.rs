//! What the chart shows, as text: the selected period, the number of records, and whether finer points are loading. The controls
//! above the chart, which the server rendered for the page, show the selected period too.

use super::{clicked, drawing, follow, live, state::State};
use crate::islands::fetch::Loading;
use leptos::prelude::*;
use std::mem;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement};

pub(super) fn status(state: State) -> impl IntoView {
    let text = live(move || {
        let period = state
            .period()
            .map(|period| format!("{} to {}. ", period.from.long(), period.to.long()));
        let loading = match state.loading() {
            Loading::Done => "",
            Loading::UnderWay => " Loading more points of this period …",
            Loading::Failed => " More points of this period could not be loaded.",
        };
        let summary = match state.period() {
            _ if state.chart().is_empty() => "Nothing was uploaded in this period.".to_owned(),
            // Until the points of the period arrive, only the drawing is cut.
            Some(_) if state.are_of_page() => String::new(),
            _ => state.summary(),
        };
        format!("{}{summary}{loading}", period.unwrap_or_default())
    });
    let retry = clicked(move |_| {
        if let Some(period) = state.period() {
            state.load(period);
        }
    });
    let reset = clicked(move |_| {
        // The button disappears.
        if let Some(drawing) = drawing() {
            // Focusing the drawing does not fail while the chart is live.
            let _ = drawing.focus();
        }
        state.reset();
    });
    let has_not_failed = live(move || state.loading() != Loading::Failed);
    let is_whole = live(move || state.period().is_none());
    view! {
        <p class="period small muted">
            <span role="status" data-testid="period">{text}</span>
            <button type="button" class="btn small" hidden=has_not_failed on:click=retry>"Try again"</button>
            <button type="button" class="btn small" hidden=is_whole on:click=reset>"Show the whole period"</button>
        </p>
    }
}

/// Sets the fields for both dates, and marks no range as the current one, while a period is selected.
pub(super) fn follow_period(state: State, plot: &Element) {
    let Ok(Some(card)) = plot.closest(".card") else {
        return;
    };
    let mut shown = None;
    follow(move || {
        let period = state.period();
        if mem::replace(&mut shown, period) != period {
            // Without a period, the fields return to what the server wrote.
            set(&card, "from", period.map(|period| period.from.to_string()));
            set(&card, "to", period.map(|period| period.to.to_string()));
            mark_range(&card, period.is_none());
        }
    });
}

/// Marks the range of the page as the current one, or removes the mark.
fn mark_range(card: &Element, is_current: bool) {
    let (from, to) = if is_current {
        ("data-current", "aria-current")
    } else {
        ("aria-current", "data-current")
    };
    if let Ok(Some(range)) = card.query_selector(&format!(".seg[aria-label=Time] [{from}]")) {
        // These attribute names are valid.
        let _ = range.remove_attribute(from);
        let _ = range.set_attribute(to, "true");
    }
}

fn set(card: &Element, name: &str, day: Option<String>) {
    let field = card.query_selector(&format!("input[type=date][name={name}]"));
    let field = field.ok().flatten();
    if let Some(field) = field.and_then(|field| field.dyn_into::<HtmlInputElement>().ok()) {
        let day = day.or_else(|| field.get_attribute("value"));
        field.set_value(&day.unwrap_or_default());
    }
}
