//! A page that keeps itself up to date.

use leptos::prelude::*;

/// Renews the page every so many seconds while somebody may see it, for as long as the page asks for that. Without scripts
/// a link does it by hand.
#[island]
pub(crate) fn Refresh(
    /// Between two renewals.
    seconds: u32,
) -> impl IntoView {
    #[cfg(feature = "hydrate")]
    crate::browser::refresh::every(seconds);
    #[cfg(not(feature = "hydrate"))]
    let _ = seconds;
    view! { <p class="muted small refresh"><span class="scripted">"This page updates itself."</span><a class="unscripted" href="">"Reload this page"</a></p> }
}
