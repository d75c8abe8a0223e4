//! The frame of every page: the skip link, the bar with the search, the palette, and the main landmark.

use crate::{
    Theme,
    components::{palette::Palette, theme_switch::ThemeSwitch},
    links,
};
use leptos::prelude::*;
use leptos_router::hooks::use_location;

/// The frame of every page. Following a link replaces the content of the main landmark and of `#pages`; the rest stays.
#[component]
pub(crate) fn Layout(children: Children) -> impl IntoView {
    let theme = use_context::<Theme>().unwrap_or_default();
    view! {
        // A link within the page: the browser scrolls there and moves the focus.
        <a class="skip" href="#main">"Skip to content"</a>
        <div class="progress" aria-hidden="true"></div>
        <header class="topbar">
            <div>
                <a class="brand" href=links::HOME><Mark/>"Coverage"</a>
                <Search/>
                <Pages/>
                <ThemeSwitch theme/>
            </div>
        </header>
        <p class="unseen" id="announcement" aria-live="polite"></p>
        <p class="notice" id="notice" role="alert" hidden>
            "The server did not answer. Check your connection. "
            <a class="btn" href=links::HOME>"Try again"</a>
        </p>
        <Palette/>
        <main class="page" id="main" tabindex="-1">{children()}</main>
    }
}

/// Opens the palette. Without scripts, it opens the overview with the repositories that contain the text.
#[component]
fn Search() -> impl IntoView {
    view! {
        <search class="search">
            <form method="get" action=links::HOME>
                <input
                    type="search"
                    id="search"
                    name="keyword"
                    placeholder="Search"
                    aria-label="Search"
                    aria-keyshortcuts="/ Control+K"
                    autocomplete="off"
                />
                <kbd class="scripted" aria-hidden="true">"/"</kbd>
            </form>
        </search>
    }
}

/// Links to the pages that belong to no repository.
#[component]
fn Pages() -> impl IntoView {
    let path = use_location().pathname.get_untracked();
    let page = |href: &'static str, name: &'static str| {
        let current = (path == href).then_some("page");
        view! { <a href=href aria-current=current>{name}</a> }
    };
    view! {
        <nav class="pages" id="pages" aria-label="Pages">
            {page(links::ORGS, "Orgs")}
            {page(links::UPLOADS, "Uploads")}
            {page(links::SETUP, "Set up")}
        </nav>
    }
}

/// The logo: three bars of the coverage scale.
#[component]
pub(crate) fn Mark() -> impl IntoView {
    view! {
        <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
            <rect x="1" y="11" width="4" height="8" rx="1" fill="var(--low)"></rect>
            <rect x="8" y="6" width="4" height="13" rx="1" fill="var(--mid)"></rect>
            <rect x="15" y="1" width="4" height="18" rx="1" fill="var(--high)"></rect>
        </svg>
    }
}
