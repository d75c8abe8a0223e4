//! The switch between the light theme, the dark theme and the system's.

use crate::Theme;
use leptos::prelude::*;

/// A button that selects the next theme. It is a form whose answer redirects back to the page; with scripts, `theme.rs` of
/// the crate `frontend` changes the page at once.
#[component]
pub(crate) fn ThemeSwitch(
    /// The theme that the server renders the page with.
    theme: Theme,
) -> impl IntoView {
    let icons = [Theme::System, Theme::Light, Theme::Dark].map(|theme| {
        view! { <path class=theme.name() d=icon(theme) fill="currentColor"></path> }
    });
    view! {
        <form class="theme" method="post" action="/theme">
            <button class="icon" type="submit" name="theme" value=theme.next().name() aria-label=theme.label() title=theme.label()>
                <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
                    <circle cx="9" cy="9" r="7" fill="none" stroke="currentColor" stroke-width="1.8"></circle>
                    {icons}
                </svg>
            </button>
        </form>
    }
}

/// The icon: half a disc for the system's theme, a full disc for dark, a small disc for light. The style sheet shows the icon of
/// the current theme.
fn icon(theme: Theme) -> &'static str {
    match theme {
        Theme::System => "M9 2a7 7 0 0 1 0 14z",
        Theme::Light => "M9 6a3 3 0 1 1 0 6a3 3 0 1 1 0 -6z",
        Theme::Dark => "M9 2a7 7 0 1 1 0 14a7 7 0 1 1 0 -14z",
    }
}
