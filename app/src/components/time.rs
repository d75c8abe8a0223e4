//! A moment, told as its age.

use crate::domain::Timestamp;
use leptos::prelude::*;

/// How long ago `at` was when the page was put together; the exact time on hover and focus.
#[component]
pub(crate) fn Age(
    /// The moment.
    at: Timestamp,
    /// When the page was put together.
    now: Timestamp,
) -> impl IntoView {
    view! { <time class="small muted" datetime=at.machine() title=at.long()>{at.age(now)}</time> }
}
