//! A moment, told as its age.

use domain::Timestamp;
use leptos::{either::Either, prelude::*};

/// How long ago `at` was when the page was put together. The exact time appears on hover and on focus, which is why it
/// can be focused even where it leads nowhere.
#[component]
pub(crate) fn Age(
    /// The moment.
    at: Timestamp,
    /// When the page was put together.
    now: Timestamp,
    /// What happened then.
    #[prop(optional, into)]
    href: Option<String>,
) -> impl IntoView {
    let label = format!("{}: {}", at.age(now), at.long());
    let told = view! {
        <time datetime=at.machine()>{at.age(now)}</time>
        <span class="exact" aria-hidden="true">{at.long()}</span>
    };
    match href {
        Some(href) => {
            Either::Left(view! { <a class="age small muted" href=href aria-label=label>{told}</a> })
        }
        None => Either::Right(
            view! { <span class="age small muted" tabindex="0" role="note" aria-label=label>{told}</span> },
        ),
    }
}
