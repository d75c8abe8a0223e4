//! The pages: one module for each, and its routes.

use leptos::prelude::*;
use leptos_router::{
    SsrMode,
    components::{Route, Routes},
    path,
};

/// Declares the module of each page, and its routes. A page is rendered completely before it is sent, so that it works without scripts
/// and has the right status.
macro_rules! pages {
    ($($module:ident::$page:ident at $($path:tt),+;)+) => {
        $(pub(crate) mod $module;)+

        pub(crate) fn routes() -> impl IntoView {
            view! {
                <Routes fallback=not_found::NotFound>
                    $($(<Route path=path!($path) view=$module::$page ssr=SsrMode::Async/>)+)+
                </Routes>
            }
        }
    };
}

pub(crate) mod not_found;
pub(crate) mod pull_request;
pub(crate) mod pull_requests;
pub(crate) mod waiting;

pages! {
    overview::OverviewPage at "/";
    orgs::OrgsPage at "/orgs";
    org::OrgPage at "/orgs/*org";
    repository::RepositoryPage at "/repos/*name";
    record::RecordPage at "/records/:id";
    source::SourcePage at "/records/:id/source";
    record_tests::RecordTestsPage at "/records/:id/tests";
    flicker::FlickerPage at "/flicker";
    views::ViewsPage at "/views";
    cold::ColdPage at "/cold";
    owners::OwnersPage at "/owners";
    gates::GatesPage at "/gates";
    report::ReportPage at "/report";
    compare::ComparePage at "/compare";
    author::AuthorPage at "/authors", "/authors/*author";
    uploads::UploadsPage at "/uploads";
    storage::StoragePage at "/storage";
    audit::AuditPage at "/audit";
    settings::SettingsPage at "/settings";
    revoke_token::RevokeTokenPage at "/admin/revoke";
    gate::GatePage at "/admin/gate";
    delete_record::DeleteRecordPage at "/admin/delete";
    setup::SetupPage at "/setup";
}
