//! The drawing, and on top of it the crosshair, the selected period and the text of the point that is read.

use super::{cursor::Cursor, dates, gestures, state::State};
use crate::{
    charts::{LineChart, NARROW, Size, WIDE},
    islands::host,
};
use leptos::{ev, html, prelude::*};
use web_sys::HtmlElement;

/// The media query of the style sheet for small screens.
const SMALL_SCREEN: &str = "screen and (max-width: 720px)";

/// One element for Tab and for assistive technology. Without scripts it is a picture.
pub(super) fn plot(state: State) -> impl IntoView {
    #[cfg(feature = "ssr")]
    let first = state.chart.with_untracked(|chart| chart.svg(WIDE));
    // Hydration keeps what the server drew.
    #[cfg(not(feature = "ssr"))]
    let first = String::new();
    let (plot, picture, tip) = (
        NodeRef::<html::Div>::new(),
        NodeRef::<html::Div>::new(),
        NodeRef::<html::Div>::new(),
    );
    draw_changes(state, picture);
    place_tip(state, tip);
    dates::follow(state, plot);
    Effect::new(move |_| {
        state.is_live.set(true);
        fit(state);
        let resized = window_event_listener(ev::resize, move |_| fit(state));
        on_cleanup(move || resized.remove());
        // Back focuses the chart before it is hydrated.
        let focused = document().active_element();
        if plot
            .get_untracked()
            .is_some_and(|plot| focused.is_some_and(|focused| focused == **plot))
        {
            gestures::focused(state);
        }
    });
    let label = move || {
        state.chart.with(|chart| {
            let title = state.data.with_value(|data| data.title.clone());
            format!("{title}. {}", chart.ends().collect::<Vec<_>>().join("; "))
        })
    };
    let role = move || {
        if state.is_live.get() {
            "application"
        } else {
            "img"
        }
    };
    let live = move |value: &'static str| state.is_live.get().then_some(value);
    // Without scripts it is not among the elements that Tab reaches.
    let tabindex = move || if state.is_live.get() { "0" } else { "-1" };
    let can_open = state.data.with_value(|data| !data.is_daily());
    let enter = if can_open { "; Enter opens one" } else { "" };
    let is_wide = move || state.size.get() == WIDE;
    view! {
        <div
            class="drawing"
            class:wide=is_wide
            node_ref=plot
            id="trend-drawing"
            role=role
            aria-label=label
            aria-roledescription=move || live("chart")
            aria-describedby=move || live("trend-keys")
            tabindex=tabindex
            on:pointermove=move |event| gestures::pointer_moved(state, plot, &event)
            on:pointerdown=move |event| gestures::pointer_pressed(state, plot, &event)
            on:pointerup=move |event| gestures::pointer_released(state, plot, &event)
            on:pointercancel=move |_| gestures::cancelled(state)
            on:pointerleave=move |event| gestures::pointer_left(state, &event)
            on:dblclick=move |_| gestures::double_clicked(state)
            on:click=move |event| gestures::clicked(state, &event)
            on:focus=move |_| gestures::focused(state)
            on:blur=move |_| gestures::blurred(state)
            on:keydown=move |event| gestures::key_pressed(state, &event)
        >
            <div class="picture" node_ref=picture inner_html=first></div>
            <div class="overlay" aria-hidden="true" inner_html=move || overlay(state)></div>
            <div class="tip" aria-hidden="true" hidden=move || state.cursor.get().is_none() node_ref=tip>
                {move || tip_text(state)}
            </div>
        </div>
        <p class="unseen scripted" id="trend-keys">
            {format!(
                "Arrow keys, Page Up, Page Down, Home and End move from one to the next{enter}. Shift and an arrow key select a \
                 period, which Enter shows; plus and minus show less and more of it, and Escape shows all of it again."
            )}
        </p>
    }
}

/// Draws again after each change, but not first: the server has drawn already.
#[expect(
    clippy::disallowed_methods,
    reason = "the drawing contains no text of clients, and the browser parses it faster than code builds it"
)]
fn draw_changes(state: State, picture: NodeRef<html::Div>) {
    Effect::new(move |drawn: Option<(LineChart, Size)>| {
        let now = (state.chart.get(), state.size.get());
        if drawn.is_some_and(|drawn| drawn != now)
            && let Some(picture) = picture.get_untracked()
        {
            picture.set_inner_html(&now.0.svg(now.1));
        }
        now
    });
}

/// Places the text of the point that is read next to it.
fn place_tip(state: State, tip: NodeRef<html::Div>) {
    Effect::new(move |_| {
        let Some(cursor) = state.cursor.get() else {
            return;
        };
        let place = state.chart.with(|chart| {
            let (_, point) = cursor.of(chart)?;
            Some(state.frame().place(point))
        });
        if let (Some(place), Some(tip)) = (place, tip.get_untracked()) {
            // The text of the tip is set in another effect.
            request_animation_frame(move || put_beside(&tip, place, state.size));
        }
    });
}

fn put_beside(tip: &HtmlElement, (x, y): (f64, f64), size: RwSignal<Size>) {
    let (Some(size), Some(plot)) = (size.try_get_untracked(), tip.parent_element()) else {
        return;
    };
    let scale = f64::from(plot.client_width()) / f64::from(size.width);
    let (width, height) = (
        f64::from(tip.offset_width()),
        f64::from(tip.offset_height()),
    );
    let room = (f64::from(plot.client_width()) - width).max(0.0);
    let left = (x * scale - width / 2.0).clamp(0.0, room);
    let above = y * scale - height - 12.0;
    let top = if above >= 0.0 {
        above
    } else {
        y * scale + 12.0
    };
    let style = tip.style();
    // These properties exist.
    let _ = style.set_property("left", &format!("{left}px"));
    let _ = style.set_property("top", &format!("{top}px"));
}

/// The crosshair and the selected period, as SVG over the drawing.
fn overlay(state: State) -> String {
    let size = state.size.get();
    let (cursor, selection) = (state.cursor.get(), state.selection.get());
    if cursor.is_none() && selection.is_none() {
        return String::new();
    }
    state.chart.with(|chart| {
        let frame = chart.frame(size);
        let selected = selection
            .map(|(start, end)| frame.selection(start, end))
            .unwrap_or_default();
        let crosshair = cursor.and_then(|cursor| {
            let (_, point) = cursor.of(chart)?;
            let others = cursor
                .others(chart)
                .into_iter()
                .map(|(index, _, point)| (index, point.clone()));
            let points = others.chain([(cursor.line, point.clone())]);
            Some(frame.crosshair(point.at.0, points))
        });
        format!(
            "<svg viewBox=\"0 0 {} {}\">{selected}{}</svg>",
            size.width,
            size.height,
            crosshair.unwrap_or_default()
        )
    })
}

/// The point that is read, and the values of the other lines at its time.
fn tip_text(state: State) -> String {
    let Some(cursor) = state.cursor.get() else {
        return String::new();
    };
    state.chart.with(|chart| texts(chart, cursor).join("\n"))
}

/// The texts of the point that is read.
pub(super) fn texts(chart: &LineChart, cursor: Cursor) -> Vec<String> {
    let Some((line, point)) = cursor.of(chart) else {
        return Vec::new();
    };
    let mut texts = chart.describe(line, point);
    let others = cursor.others(chart).into_iter();
    texts.extend(
        others.map(|(_, line, point)| format!("{}: {}\u{202f}%", line.label, point.percentage)),
    );
    texts
}

/// Announces the point that is read.
pub(super) fn announce(state: State) {
    if let Some(cursor) = state.cursor.get_untracked() {
        let texts = state.chart.with_untracked(|chart| texts(chart, cursor));
        host::announce(&texts.join(", "));
    }
}

/// Uses the drawing that fits the screen.
fn fit(state: State) {
    let is_small = window()
        .match_media(SMALL_SCREEN)
        .ok()
        .flatten()
        .is_some_and(|query| query.matches());
    let size = if is_small { NARROW } else { WIDE };
    if state.size.get_untracked() != size {
        state.size.set(size);
    }
}
