//! The frame of every page: the skip link, the bar with the search, the palette, the main landmark, and the footer.

mod footer;

use crate::{AuditAccess, BrowserSession, ServiceFacts, Theme, islands::Scope, links};
use footer::Footer;
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
                <Account/>
            </div>
        </header>
        <p class="unseen" id="announcement" aria-live="polite"></p>
        <p class="notice" id="notice" role="alert" hidden>
            "The server did not answer. Check your connection. "
            <a class="btn" href=links::HOME>"Try again"</a>
        </p>
        <Palette/>
        <main class="page" id="main" tabindex="-1">{children()}</main>
        <Footer/>
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
                    aria-keyshortcuts="Control+K"
                    autocomplete="off"
                />
                <kbd class="scripted" aria-hidden="true">"/"</kbd>
            </form>
        </search>
    }
}

#[component]
fn Pages() -> impl IntoView {
    let path = use_location().pathname.get_untracked();
    let page = |href: &'static str, name: &'static str| {
        let current = (path == href).then_some("page");
        view! { <a href=href aria-current=current>{name}</a> }
    };
    let is_admin = use_context::<AuditAccess>().is_some_and(|access| access.0.is_some());
    view! {
        <nav class="pages" id="pages" aria-label="Pages">
            {page(links::ORGS, "Orgs")}
            {page(links::UPLOADS, "Uploads")}
            {page(links::SETUP, "Set up")}
            {is_admin.then(|| page(links::SETTINGS, "Settings"))}
        </nav>
    }
}

/// Who is logged in, and a button that logs out. Without a session, a link to the login of administrators: where reading is
/// protected, only who is logged in sees this bar.
#[component]
fn Account() -> impl IntoView {
    let session: BrowserSession = use_context().unwrap_or_default();
    let is_protected =
        use_context::<ServiceFacts>().is_some_and(|facts| facts.is_reading_protected);
    let log_in = (!session.exists && !is_protected)
        .then(|| view! { <a class="account" href="/login">"Log in"</a> });
    let log_out = session.exists.then(|| {
        let person = session.person.as_deref().map(|person| {
            let title = format!("Logged in as {person}");
            view! {
                <span class="who small" title=title>
                    <span class="unseen">"Logged in as "</span><bdi>{person.to_owned()}</bdi>
                </span>
            }
        });
        view! {
            <form class="account" method="post" action="/logout">
                {person}
                <button class="btn" type="submit">"Log out"</button>
            </form>
        }
    });
    view! { {log_in}{log_out} }
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

/// The closed palette: a dialog that finds orgs, repositories, branches, commits, authors and pages. Scripts open it; until the
/// code that suggests is loaded, Enter filters the overview.
#[component]
fn Palette() -> impl IntoView {
    view! {
        <dialog class="palette" id="palette" aria-label="Search">
            <form method="get" action=links::HOME class="suggested">
                <div class="typed">
                    <input
                        type="text"
                        name="keyword"
                        aria-label="Org, repository, branch, commit, author or page"
                        placeholder="Org, repository, branch, commit, author or page"
                        autocomplete="off"
                        autocapitalize="none"
                        spellcheck="false"
                        enterkeyhint="go"
                        maxlength="200"
                        dir="auto"
                        data-suggest=Scope::Pages.name()
                    />
                    <button type="button" class="btn" data-close>"Close"</button>
                </div>
            </form>
            <p class="hints muted small" aria-hidden="true">
                <span><kbd>"↑"</kbd>" "<kbd>"↓"</kbd>" choose"</span>
                <span><kbd>"Enter"</kbd>" open"</span>
                <span><kbd>"Ctrl"</kbd>" "<kbd>"Enter"</kbd>" open in a new tab"</span>
                <span><kbd>"Esc"</kbd>" close"</span>
            </p>
        </dialog>
    }
}

/// A button that selects the next theme. It is a form whose answer redirects back to the page; with scripts, `theme.rs` of
/// the crate `frontend` changes the page at once.
#[component]
fn ThemeSwitch(theme: Theme) -> impl IntoView {
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
