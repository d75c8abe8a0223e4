//! The switch between light, dark and the system's colours.

use crate::Theme;
use leptos::prelude::*;

/// A button that goes on to the next theme. Without scripts it is a form that comes back to the page.
#[island]
pub(crate) fn ThemeSwitch(
    /// The theme that the page came in.
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
        crate::browser::theme::apply(theme.get_untracked());
    };
    view! {
        <form class="theme" method="post" action="/theme" on:submit=change>
            <button class="icon" type="submit" name="theme" value=move || theme.get().next().name() aria-label=label title=label>
                <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
                    <circle cx="9" cy="9" r="7" fill="none" stroke="currentColor" stroke-width="1.8"></circle>
                    <path d=move || half(theme.get()) fill="currentColor"></path>
                </svg>
            </button>
        </form>
    }
}

/// Half a disc for the system, a full one for dark, a small one for light.
fn half(theme: Theme) -> &'static str {
    match theme {
        Theme::System => "M9 2a7 7 0 0 1 0 14z",
        Theme::Light => "M9 6a3 3 0 1 1 0 6a3 3 0 1 1 0 -6z",
        Theme::Dark => "M9 2a7 7 0 1 1 0 14a7 7 0 1 1 0 -14z",
    }
}
