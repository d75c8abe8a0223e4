//! The footer of every page: what describes the service, its version, and the way to its administration.

use crate::{AuditAccess, ServiceFacts, links};
use leptos::prelude::*;

/// The version of the service. All crates have the same one.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The addresses need no login, since they contain no stored data. Only the administration does.
#[component]
pub(super) fn Footer() -> impl IntoView {
    let is_protected =
        use_context::<ServiceFacts>().is_some_and(|facts| facts.is_reading_protected);
    let is_admin = use_context::<AuditAccess>().is_some_and(|access| access.0.is_some());
    // Where reading is open, this is also where administrators log in.
    let administration =
        (is_admin || !is_protected).then(|| view! { <a href=links::SETTINGS>"Administration"</a> });
    view! {
        <footer class="footer">
            <nav aria-label="Service">
                <a rel="external" href=links::DOCUMENTATION>"Documentation"</a>
                <a rel="external" href=links::OPENAPI>"API"</a>
                {administration}
            </nav>
            <span>"Version "{VERSION}</span>
        </footer>
    }
}
