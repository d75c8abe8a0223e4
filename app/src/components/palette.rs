//! The palette: a dialog on every page that finds orgs, repositories, branches, commits, authors and pages.

use crate::{components::suggest::Scope, links};
use leptos::prelude::*;

/// The closed palette. Scripts open it; until the code that suggests is loaded, Enter filters the overview.
#[component]
pub(crate) fn Palette() -> impl IntoView {
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
