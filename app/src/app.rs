//! The routes and what stands around every page.

use crate::{
    components::layout::Layout,
    pages::{not_found::NotFound, overview::OverviewPage},
};
use leptos::prelude::*;
use leptos_meta::{Title, provide_meta_context};
use leptos_router::{
    SsrMode,
    components::{Route, Router, Routes},
    path,
};

/// The dashboard. Every page is rendered whole before it is sent, so that it works without scripts and its status is right.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    view! {
        <Title formatter=|title: String| format!("{title} · Coverage")/>
        <Router>
            <Layout>
                <Routes fallback=NotFound>
                    <Route path=path!("/") view=OverviewPage ssr=SsrMode::Async/>
                </Routes>
            </Layout>
        </Router>
    }
}
