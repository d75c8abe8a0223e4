//! Times: an age, and days in words.

use domain::{Period, Timestamp};
use leptos::{either::Either, prelude::*};

/// The age of `at` when the page was built. The exact time appears on hover and on focus, so the element is focusable
/// even without a link.
#[component]
pub(crate) fn Age(
    at: Timestamp,
    now: Timestamp,
    /// A link to what happened at that time.
    #[prop(optional, into)]
    href: Option<String>,
) -> impl IntoView {
    let label = format!("{}: {}", at.age(now), at.long());
    let text = view! {
        <time datetime=at.machine()>{at.age(now)}</time>
        <span class="exact" aria-hidden="true">{at.long()}</span>
    };
    match href {
        Some(href) => {
            Either::Left(view! { <a class="age small muted" href=href aria-label=label>{text}</a> })
        }
        None => Either::Right(
            view! { <span class="age small muted" tabindex="0" role="note" aria-label=label>{text}</span> },
        ),
    }
}

/// `23 – 29 Nov 2026`: month and year once, if they are the same.
pub(crate) fn days(Period { from, to }: Period) -> String {
    let (from, to) = (from.long(), to.long());
    let same = from.split(' ').rev().zip(to.split(' ').rev());
    let same = same.take_while(|(one, other)| one == other).count();
    let own: Vec<_> = from.split(' ').collect();
    match own.split_at(own.len() - same) {
        ([], _) => to,
        (own, _) => format!("{} – {to}", own.join(" ")),
    }
}
