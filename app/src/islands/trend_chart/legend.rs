//! The legend: a button for each line that hides or shows it, the target, and the range of the axis.

use super::state::State;
use crate::{
    charts::{LineChart, MAX_LINES, TargetPlace},
    numbers::whole,
};
use leptos::prelude::*;

pub(super) fn legend(state: State) -> impl IntoView {
    let lines = state.points.with_untracked(|points| points.lines());
    let labels = lines.into_iter().take(MAX_LINES).map(|line| line.label);
    let buttons = labels
        .enumerate()
        .map(|(index, label)| button(state, index, label));
    let buttons = buttons.collect_view();
    view! {
        <figcaption class="legend">
            {buttons}
            <span hidden=move || target(state).is_none()><i class="target"></i>{move || target(state)}</span>
            <span class="grow"></span>
            <span class="muted">{move || state.chart.with(axis)}</span>
        </figcaption>
    }
}

/// Without scripts the button is disabled, and reads as the name of the line.
fn button(state: State, index: usize, label: String) -> impl IntoView {
    let pressed = move || {
        let is_hidden = state
            .hidden
            .with(|hidden| hidden.get(index).copied().unwrap_or_default());
        if is_hidden { "false" } else { "true" }
    };
    let stale = move || {
        state.chart.with(|chart| {
            let days = chart
                .lines
                .get(index)
                .and_then(|line| chart.stale_days(line));
            days.map(|days| format!(" (dashed: no upload for {days} days)"))
        })
    };
    view! {
        <button
            type="button"
            aria-pressed=pressed
            disabled=move || !state.is_live.get()
            on:click=move |_| state.toggle(index)
        >
            <i class=format!("series-{}", index + 1)></i>
            <bdi>{label}</bdi>
            <span class="muted">{stale}</span>
        </button>
    }
}

fn target(state: State) -> Option<String> {
    state.chart.with(|chart| {
        let place = match chart.target_place()? {
            TargetPlace::Shown => "",
            TargetPlace::Above => ", above this axis",
            TargetPlace::Below => ", below this axis",
        };
        Some(format!("target {}{place}", whole(chart.target?)))
    })
}

/// States the range of the axis, so that a small step is not mistaken for a large one.
fn axis(chart: &LineChart) -> String {
    let (low, high) = chart.axis();
    format!("The axis goes from {} to {}.", whole(low), whole(high))
}
