//! The switch between the light theme, the dark theme and the system's.

#[cfg(feature = "hydrate")]
mod apply;

use crate::Theme;
use leptos::prelude::*;

/// A button that selects the next theme. Without scripts it is a form whose answer redirects back to the page.
#[island]
pub(crate) fn ThemeSwitch(
    /// The theme that the server rendered the page with.
    theme: Theme,
) -> impl IntoView {
    let (theme, set_theme) = signal(theme);
    let label = move || {
        format!(
            "Theme: {}. Change to {}.",
            theme.get().name(),
            theme.get().next().name()
        )
    };
    let change = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        set_theme.set(theme.get_untracked().next());
        #[cfg(feature = "hydrate")]
        apply::apply(theme.get_untracked());
    };
    view! {
        <form class="theme" method="post" action="/theme" on:submit=change>
            <button class="icon" type="submit" name="theme" value=move || theme.get().next().name() aria-label=label title=label>
                <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
                    <circle cx="9" cy="9" r="7" fill="none" stroke="currentColor" stroke-width="1.8"></circle>
                    <path d=move || icon(theme.get()) fill="currentColor"></path>
                </svg>
            </button>
        </form>
    }
}

/// The icon: half a disc for the system's theme, a full disc for dark, a small disc for light.
fn icon(theme: Theme) -> &'static str {
    match theme {
        Theme::System => "M9 2a7 7 0 0 1 0 14z",
        Theme::Light => "M9 6a3 3 0 1 1 0 6a3 3 0 1 1 0 -6z",
        Theme::Dark => "M9 2a7 7 0 1 1 0 14a7 7 0 1 1 0 -14z",
    }
}
