//! The dashboard: the layout around every page.

use crate::{components::layout::Layout, pages};
use leptos::prelude::*;
use leptos_meta::provide_meta_context;
use leptos_router::components::Router;

/// The dashboard.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    view! {
        <Router>
            <Layout>{pages::routes()}</Layout>
        </Router>
    }
}
