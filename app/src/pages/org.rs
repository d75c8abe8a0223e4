//! `/orgs/{org}`: not built yet.

use super::not_found::NotFound;
use leptos::prelude::*;

/// Not built yet.
#[component]
pub(crate) fn OrgPage() -> impl IntoView {
    NotFound()
}
