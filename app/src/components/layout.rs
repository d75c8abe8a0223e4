//! What stands around every page: the skip link, the bar with the search, and the main landmark.

use leptos::{html::Input, prelude::*};
use leptos_router::{
    components::{A, Form},
    hooks::use_query_map,
};

/// The frame of every page.
#[component]
pub(crate) fn Layout(
    /// The page.
    children: Children,
) -> impl IntoView {
    view! {
        // Left to the browser: the router would scroll, but leave the focus where it is.
        <a class="skip" href="#main" rel="external">"Skip to content"</a>
        <header class="topbar">
            <div>
                <A href="/" attr:class="brand"><Mark/>"Coverage"</A>
                <Search/>
            </div>
        </header>
        <main class="page" id="main" tabindex="-1">{children()}</main>
    }
}

/// The filter of the overview; Enter sends it, with or without scripts.
#[component]
fn Search() -> impl IntoView {
    let query = use_query_map();
    let keyword = Memo::new(move |_| query.read().get("q").unwrap_or_default());
    let input = NodeRef::<Input>::new();
    // Not a bound property: that would wipe out what was typed before the page was hydrated.
    Effect::watch(
        move || keyword.get(),
        move |keyword, _, _| {
            if let Some(input) = input.get_untracked() {
                input.set_value(keyword);
            }
        },
        false,
    );
    view! {
        <search class="search">
            <Form method="GET" action="/">
                <input
                    type="search"
                    name="q"
                    placeholder="Filter organisations and repositories"
                    aria-label="Filter organisations and repositories"
                    autocomplete="off"
                    value=keyword.get_untracked()
                    node_ref=input
                />
            </Form>
        </search>
    }
}

/// Three bars of the coverage scale.
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
