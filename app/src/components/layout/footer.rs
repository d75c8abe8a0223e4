//! The footer of every page: what describes the service, its version, and the way to its administration.

use crate::{AuditAccess, links};
use leptos::prelude::*;

/// The version of the service. All crates have the same one.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What describes the interface needs no login: it contains no stored data.
#[component]
pub(super) fn Footer() -> impl IntoView {
    let is_admin = use_context::<AuditAccess>().is_some_and(|access| access.0.is_some());
    let administration = is_admin.then(|| view! { <a href=links::SETTINGS>"Settings"</a> });
    view! {
        <footer class="footer">
            <nav aria-label="Service">
                <a href=links::HELP>"Help"</a>
                <a rel="external" href=links::OPENAPI>"API"</a>
                <a rel="external" href=links::FOR_AGENTS>"For agents"</a>
                {administration}
            </nav>
            <label class="inline scripted">
                <input type="checkbox" data-single-keys checked/>
                "Shortcuts of a single key"
            </label>
            <span>"Version "{VERSION}</span>
        </footer>
    }
}
