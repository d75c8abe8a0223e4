//! A percentage with its bar.

use crate::numbers::covered_of;
use domain::{Count, Percentage, Scale};
use leptos::prelude::*;

/// The coverage that repositories should have at least, set by the operator. It is in the context of pages and islands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target(pub Percentage);

/// The number and a bar, with a tick at the target; the tooltip shows the counts.
#[component]
pub(crate) fn Coverage(
    percentage: Percentage,
    /// Covered and total, if the coverage file counts them.
    lines: Option<Count>,
    /// What is counted.
    #[prop(default = "lines")]
    unit: &'static str,
    /// The target of the operator by default.
    #[prop(optional, into)]
    target: Option<Percentage>,
) -> impl IntoView {
    let target = target.or_else(|| use_context::<Target>().map(|Target(target)| target));
    let title = lines.map(|lines| format!("{} {unit} covered", covered_of(lines)));
    view! {
        <div class=format!("cov {}", level(percentage)) title=title>
            <b>{percentage.to_string()}<Percent/></b>
            <Bar percentage target/>
        </div>
    }
}

#[component]
pub(crate) fn Bar(
    percentage: Percentage,
    #[prop(optional_no_strip)] target: Option<Percentage>,
) -> impl IntoView {
    let goal = target.map(|target| view! { <path class="goal" d=format!("M{target} 0V8")></path> });
    // Leptos would render an element without values inside another one in the browser, but not on the server.
    let whole = 100;
    view! {
        <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
            <rect class="t" width=whole height="8" rx="2"></rect>
            <rect class="v" width=percentage.to_string() height="8" rx="2"></rect>
            {goal}
        </svg>
    }
}

/// The percent sign, with a narrow no-break space before it.
#[component]
pub(crate) fn Percent() -> impl IntoView {
    "\u{202f}%"
}

pub(crate) fn scale() -> Scale {
    let Target(target) = expect_context();
    Scale::of_target(target)
}

pub(crate) fn level(percentage: Percentage) -> &'static str {
    scale().level(percentage).class()
}
