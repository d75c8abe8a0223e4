//! `/settings`: the tokens and the effective configuration, for holders of an admin token. The page is read-only.

mod configuration;
mod token_table;

use crate::{
    AppError, AuditAccess, SharedReadModel, VisibleSettings,
    components::{answered::answered, facts::Fact, page_head::PageHead},
    links,
};
use configuration::Configuration;
use domain::{AuditScope, ServiceSettings, TokenList};
use leptos::prelude::*;
use token_table::Tokens;

/// The tokens and the effective configuration.
#[component]
pub(crate) fn SettingsPage() -> impl IntoView {
    let model: SharedReadModel = expect_context();
    let AuditAccess(scope) = use_context().unwrap_or_default();
    let VisibleSettings(settings) = use_context().unwrap_or_default();
    let allowed = scope.clone();
    let answer = async move {
        let scope = allowed.ok_or(AppError::AdminOnly)?;
        model.tokens(&scope).await
    };
    view! {
        <PageHead title="Settings" description="The tokens and the effective configuration of this service."/>
        {answered::<TokenList, _>(answer, move |list| {
            let settings = settings.as_deref().cloned();
            view! { <Content list scope settings/> }
        })}
    }
}

#[component]
fn Content(
    list: TokenList,
    scope: Option<AuditScope>,
    settings: Option<ServiceSettings>,
) -> impl IntoView {
    let limit = scope.and_then(|scope| scope.limit());
    let configured = settings.iter().flat_map(|settings| &settings.tokens);
    let configured: Vec<_> = configured.copied().collect();
    let scope_note = limit.map(|limit| {
        format!(
            " Your token shows only tokens for {limit}. The configuration needs an admin token for every repository."
        )
    });
    view! {
        <div>
            <h1>"Settings"</h1>
            <p class="muted small">
                "The tokens and the effective configuration of this service. To change them, use the command line: this page only shows them, and never a secret."
                <bdi>{scope_note}</bdi>" The "<a class="link" href=links::AUDIT>"audit log"</a>" states who changed tokens."
            </p>
        </div>
        {settings.as_ref().map(service)}
        <Tokens list configured/>
        {settings.map(|settings| view! { <Configuration groups=settings.groups/> })}
    }
}

/// The version of the service, its database and its storage.
fn service(settings: &ServiceSettings) -> impl IntoView + use<> {
    let schema = format!("schema {}", settings.schema);
    let (version, database, storage) = (settings.version, settings.database, settings.storage);
    view! {
        <dl class="facts" aria-label="This service">
            <Fact label="Version" note="of the service">{version}</Fact>
            <Fact label="Database" note=schema>{database}</Fact>
            <Fact label="HTML reports" note="where they are stored">{storage}</Fact>
        </dl>
    }
}

#[cfg(test)]
mod tests;
