//! The routes and the layout around every page.

use crate::{
    components::layout::Layout,
    pages::{
        audit::AuditPage, author::AuthorPage, compare::ComparePage, flicker::FlickerPage,
        not_found::NotFound, org::OrgPage, orgs::OrgsPage, overview::OverviewPage,
        record::RecordPage, repository::RepositoryPage, settings::SettingsPage, setup::SetupPage,
        source::SourcePage, storage::StoragePage, uploads::UploadsPage,
    },
};
use leptos::prelude::*;
use leptos_meta::provide_meta_context;
use leptos_router::{
    SsrMode,
    components::{Route, Router, Routes},
    path,
};

/// The dashboard. Every page is rendered completely before it is sent, so that it works without scripts and has the
/// right status.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    view! {
        <Router>
            <Layout>
                <Routes fallback=NotFound>
                    <Route path=path!("/") view=OverviewPage ssr=SsrMode::Async/>
                    <Route path=path!("/orgs") view=OrgsPage ssr=SsrMode::Async/>
                    <Route path=path!("/orgs/*org") view=OrgPage ssr=SsrMode::Async/>
                    <Route path=path!("/repos/*name") view=RepositoryPage ssr=SsrMode::Async/>
                    <Route path=path!("/records/:id") view=RecordPage ssr=SsrMode::Async/>
                    <Route path=path!("/records/:id/source") view=SourcePage ssr=SsrMode::Async/>
                    <Route path=path!("/flicker") view=FlickerPage ssr=SsrMode::Async/>
                    <Route path=path!("/compare") view=ComparePage ssr=SsrMode::Async/>
                    <Route path=path!("/authors") view=AuthorPage ssr=SsrMode::Async/>
                    <Route path=path!("/authors/*author") view=AuthorPage ssr=SsrMode::Async/>
                    <Route path=path!("/uploads") view=UploadsPage ssr=SsrMode::Async/>
                    <Route path=path!("/storage") view=StoragePage ssr=SsrMode::Async/>
                    <Route path=path!("/audit") view=AuditPage ssr=SsrMode::Async/>
                    <Route path=path!("/settings") view=SettingsPage ssr=SsrMode::Async/>
                    <Route path=path!("/setup") view=SetupPage ssr=SsrMode::Async/>
                </Routes>
            </Layout>
        </Router>
    }
}
