//! The legend: a button for each line that hides or shows it, and the target.

use super::{clicked, live, state::State};
use crate::{
    charts::{FAILED, TargetPlace},
    numbers::whole,
};
use domain::CHART_LINES;
use leptos::prelude::*;

pub(super) fn legend(state: State) -> impl IntoView {
    let lines = state.data().points.lines();
    let labels = lines.into_iter().take(CHART_LINES).map(|line| line.label);
    let buttons = labels
        .enumerate()
        .map(|(index, label)| button(state, index, label));
    let buttons = buttons.collect_view();
    let has_no_target = live(move || target(state).is_none());
    let target = live(move || target(state).unwrap_or_default());
    let has_none_failed = live(move || !state.chart().points().any(|point| point.has_failed));
    view! {
        <figcaption class="legend">
            {buttons}
            <span hidden=has_no_target><i class="target"></i>{target}</span>
            <span hidden=has_none_failed><i class="failed"></i>{FAILED}</span>
            <span class="of-drops"><i class="drop"></i>"largest drops"</span>
        </figcaption>
    }
}

/// Without scripts the button is disabled, and reads as the name of the line.
fn button(state: State, index: usize, label: String) -> impl IntoView {
    let pressed = live(move || (!state.is_hidden(index)).to_string());
    let stale = live(move || {
        let chart = state.chart();
        let line = chart.lines.get(index);
        let days = line.and_then(|line| chart.stale_days(line));
        let stale = days.map(|days| format!(" (dashed: no upload for {days} days)"));
        stale.unwrap_or_default()
    });
    let toggle = clicked(move |_| state.toggle(index));
    view! {
        <button type="button" aria-pressed=pressed disabled=true on:click=toggle>
            <i class=format!("series-{}", index + 1)></i>
            <bdi>{label}</bdi>
            <span class="muted">{stale}</span>
        </button>
    }
}

fn target(state: State) -> Option<String> {
    let chart = state.chart();
    let place = match chart.target_place()? {
        TargetPlace::Shown => "",
        TargetPlace::Above => ", above this axis",
        TargetPlace::Below => ", below this axis",
    };
    Some(format!("target {}{place}", whole(chart.target?)))
}
