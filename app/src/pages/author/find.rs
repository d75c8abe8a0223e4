//! The search for an author.

use crate::{
    components::{
        crumbs::{Crumb, Crumbs},
        page_head::PageHead,
    },
    islands::Scope,
    links,
};
use leptos::prelude::*;

/// A field for the name. With scripts, it suggests authors; without, it needs the whole name.
#[component]
pub(super) fn FindAuthor() -> impl IntoView {
    view! {
        <PageHead title="Authors" description="The authors of commits with code coverage."/>
        <div>
            <Crumbs steps=vec![Crumb::overview(), Crumb::fixed("Authors", None)]/>
            <h1>"Authors"</h1>
        </div>
        <form class="controls wide" method="get" action=links::AUTHORS aria-label="Find an author">
            <div class="suggested">
                <label>"Author"
                    <input
                        type="text"
                        name="name"
                        required
                        autocomplete="off"
                        spellcheck="false"
                        dir="auto"
                        data-suggest=Scope::Authors.name()
                    />
                </label>
            </div>
            <button class="btn" type="submit">"Show"</button>
        </form>
        <p class="muted small unscripted">"Enter the whole name, including capitals and spaces."</p>
    }
}
