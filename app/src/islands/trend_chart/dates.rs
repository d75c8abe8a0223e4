//! Shows the selected period in the controls above the chart, which the server rendered for the page.

use super::{reactive, state::State};
use std::mem;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement};

/// Sets the fields for both dates, and marks no range as the current one, while a period is selected.
pub(super) fn follow(state: State, plot: &Element) {
    let Ok(Some(card)) = plot.closest(".card") else {
        return;
    };
    let mut shown = None;
    reactive::follow(move || {
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
    if let Ok(Some(range)) = card.query_selector(&format!(".seg [{from}]")) {
        // These attribute names are valid.
        let _ = range.remove_attribute(from);
        let _ = range.set_attribute(to, "true");
    }
}

fn set(card: &Element, name: &str, day: Option<String>) {
    let field = card.query_selector(&format!("input[type=date][name={name}]"));
    let field = field
        .ok()
        .flatten()
        .and_then(|field| field.dyn_into::<HtmlInputElement>().ok());
    if let Some(field) = field {
        let day = day
            .or_else(|| field.get_attribute("value"))
            .unwrap_or_default();
        field.set_value(&day);
    }
}
