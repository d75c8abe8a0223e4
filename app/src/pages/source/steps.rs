//! Above the lines: what their marks mean, and the way to the next missed or changed line.

use crate::{
    components::code::rows::{Ranges, Row},
    numbers::grouped,
};
use domain::{LineState, SourceDetail, SourceLines};
use leptos::prelude::*;

/// What the marks mean, with the number of coverable lines of each.
pub(super) fn marks(detail: &SourceDetail) -> impl IntoView + use<> {
    let lines = match &detail.lines {
        SourceLines::Known(known) => known.lines.as_slice(),
        SourceLines::NoSuchFile | SourceLines::NotKept => &[],
    };
    let of_state = |state| lines.iter().filter(|line| line.state == state).count();
    let within = |ranges| {
        let mut ranges = Ranges(ranges);
        lines.iter().filter(|line| ranges.have(line.number)).count()
    };
    let kinds = [
        ("m", "✗", of_state(LineState::Missed), "missed"),
        ("p", "◐", of_state(LineState::Partial), "partial"),
        ("h", "✓", of_state(LineState::Hit), "hit"),
        ("c", "+", within(&detail.changed), "changed"),
        ("m", "▼", within(&detail.lost), "lost"),
    ];
    let kinds = kinds.into_iter().filter(|(_, _, lines, _)| *lines > 0);
    let kinds = kinds.map(|(class, mark, lines, name)| {
        view! { <li class=class><i>{mark}</i>{format!(" {} {name}", grouped(lines as u64))}</li> }
    });
    view! { <ul class="marks">{kinds.collect_view()}</ul> }
}

/// Links to the first missed and the first changed line; with scripts, to the next one and the one before. `frontend/src/code.rs`
/// reads the attribute.
pub(super) fn steps(rows: &[Row<'_>]) -> impl IntoView + use<> {
    let gap = rows.iter().find(|row| row.starts_gap.is_some());
    let change = rows.iter().find(|row| row.starts_change);
    let step =
        |to: &'static str, row: &Row<'_>, name: AnyView, label: &'static str, key: &'static str| {
            let href = format!("#L{}", row.lines.0);
            view! {
                <a class="btn" href=href data-step=to aria-label=label data-key=key>{name}</a>
            }
        };
    let key = |key: &'static str| view! { <kbd class="scripted" aria-hidden="true">{key}</kbd> };
    let gap = gap.map(|row| {
        view! {
            <span class="scripted">
                {step("-gap", row, view! { "↑ Previous"{key("p")} }.into_any(), "Previous missed line", "p")}
            </span>
            {step("gap", row, view! { "↓ Next missed"{key("n")} }.into_any(), "Next missed line", "n")}
        }
    });
    let change = change.map(|row| {
        step(
            "change",
            row,
            view! { "↓ Next changed"{key("c")} }.into_any(),
            "Next changed line",
            "c",
        )
    });
    view! { <div class="inline">{gap}{change}</div> }
}
