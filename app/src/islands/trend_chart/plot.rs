//! The drawing, and on top of it the crosshair, the selected period and the text of the point that is read.

use super::{ID, follow, gestures, live, state::State, status};
use crate::{
    browser::{all, put_at},
    charts::{Size, WIDE},
};
use leptos::{ev, prelude::*};
use std::sync::Arc;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// The height of the bar that stays at the top of the window, in pixels.
const TOPBAR: f64 = 56.0;

/// One element for Tab and for assistive technology. Without scripts it is a picture.
pub(super) fn plot(state: State) -> impl IntoView {
    #[cfg(feature = "ssr")]
    let first = state.chart().svg(WIDE);
    // Hydration keeps what the server drew.
    #[cfg(not(feature = "ssr"))]
    let first = String::new();
    follow(move || {
        if let Some(plot) = super::drawing() {
            untrack(|| come_alive(state, &plot));
        }
    });
    let label = live(move || {
        let ends: Vec<_> = state.chart().ends().collect();
        format!("{}. {}", state.data().title, ends.join("; "))
    });
    view! {
        <div class="drawing wide" id=ID role="img" aria-label=label tabindex="-1">
            <div class="picture" inner_html=first></div>
            <div class="overlay" aria-hidden="true"></div>
            <div class="tip" aria-hidden="true" hidden=true></div>
        </div>
    }
}

/// The keys of the chart, for screen readers.
pub(super) fn keys(state: State) -> impl IntoView {
    let can_open = !state.data().is_daily();
    let enter = if can_open { "; Enter opens one" } else { "" };
    view! {
        <p class="unseen scripted" id="trend-keys">
            {format!(
                "Arrow keys, Page Up, Page Down, Home and End move from one to the next{enter}. Shift and an arrow key select a \
                 period, which Enter shows; plus and minus show a shorter and a longer period, and Escape shows the whole period again."
            )}
        </p>
    }
}

/// What scripts add to the picture that the server rendered. Without them, Tab does not reach it.
fn come_alive(state: State, plot: &HtmlElement) {
    for (name, value) in [
        ("role", "application"),
        ("aria-roledescription", "chart"),
        ("aria-describedby", "trend-keys"),
        ("tabindex", "0"),
    ] {
        // These attribute names are valid.
        let _ = plot.set_attribute(name, value);
    }
    let figure = plot.closest("figure").ok().flatten();
    for button in figure
        .iter()
        .flat_map(|figure| all(figure, ".legend button"))
    {
        // This attribute name is valid.
        let _ = button.remove_attribute("disabled");
    }
    gestures::listen(state, plot);
    let resized = window_event_listener(ev::resize, move |_| {
        if let Some(plot) = super::drawing() {
            fit(state, &plot);
        }
    });
    on_cleanup(move || resized.remove());
    let parts =
        [".picture", ".overlay", ".tip"].map(|part| plot.query_selector(part).ok().flatten());
    if let [Some(picture), Some(overlay), Some(tip)] = parts
        && let Ok(tip) = tip.dyn_into::<HtmlElement>()
    {
        draw_changes(state, picture);
        show_point(state, overlay, tip);
    }
    status::follow_period(state, plot);
    fit(state, plot);
    // Back focuses the chart before it is hydrated.
    if document().active_element().as_ref() == Some(plot) {
        gestures::focused(state);
    }
}

/// Draws again after each change, but not at first: the server has drawn the chart already.
#[expect(
    clippy::disallowed_methods,
    reason = "the drawing contains no text of clients, and the browser parses it faster than code builds it"
)]
fn draw_changes(state: State, picture: Element) {
    let mut shown = (state.chart(), state.size());
    follow(move || {
        let (chart, size) = (state.chart(), state.size());
        if Arc::ptr_eq(&chart, &shown.0) && size == shown.1 {
            return;
        }
        picture.set_inner_html(&chart.svg(size));
        shown = (chart, size);
        if let Some(plot) = picture.parent_element() {
            // This class name is valid.
            let _ = plot.class_list().toggle_with_force("wide", size == WIDE);
        }
    });
}

/// Shows the crosshair and the selected period, and the text of the point that is read.
#[expect(
    clippy::disallowed_methods,
    reason = "it contains no text of clients, and the browser parses it faster than code builds it"
)]
fn show_point(state: State, overlay: Element, tip: HtmlElement) {
    follow(move || {
        overlay.set_inner_html(&marks(state));
        let (chart, frame) = (state.chart(), state.frame());
        let point = state.cursor().and_then(|cursor| {
            tip.set_text_content(Some(&cursor.texts(&chart).join("\n")));
            Some(frame.place(cursor.of(&chart)?.1))
        });
        tip.set_hidden(point.is_none());
        if let (Some((x, _)), Some(plot)) = (point, tip.parent_element()) {
            let width = f64::from(plot.client_width());
            let x = x * width / f64::from(state.size().width);
            // Above the drawing or else below it, where it covers no line.
            let height = f64::from(tip.offset_height());
            let has_room = plot.get_bounding_client_rect().top() > height + TOPBAR;
            let top = if has_room {
                -height
            } else {
                f64::from(plot.client_height())
            };
            put_at(&tip, x, top, width);
        }
    });
}

/// The crosshair and the selected period, as SVG over the drawing.
fn marks(state: State) -> String {
    let (cursor, selection) = (state.cursor(), state.selection());
    if cursor.is_none() && selection.is_none() {
        return String::new();
    }
    let (chart, size, frame) = (state.chart(), state.size(), state.frame());
    let selected = selection.map(|(start, end)| frame.selection(start, end));
    let crosshair = cursor.and_then(|cursor| {
        let (_, point) = cursor.of(&chart)?;
        let others = cursor.others(&chart).into_iter();
        let others = others.map(|(index, _, point)| (index, point.clone()));
        let points = others.chain([(cursor.line, point.clone())]);
        Some(frame.crosshair(point.at.0, points))
    });
    let (selected, crosshair) = (selected.unwrap_or_default(), crosshair.unwrap_or_default());
    let Size { width, height, .. } = size;
    format!("<svg viewBox=\"0 0 {width} {height}\">{selected}{crosshair}</svg>")
}

/// Draws for the width of the card.
fn fit(state: State, plot: &HtmlElement) {
    // A card that is not displayed has no width.
    let width = plot.client_width().unsigned_abs().max(240);
    let size = Size::of_width(width);
    if state.size() != size {
        state.set_size(size);
    }
}
