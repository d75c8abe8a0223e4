//! `/settings`: the tokens and the effective configuration, for administrators, who make and revoke tokens here.

mod new_token;
mod token_table;

use crate::{
    AppError, AuditAccess, SharedReadModel, VisibleSettings,
    components::{
        answered::answered,
        card::{aside, card, head, note},
        facts::Fact,
        page_head::PageHead,
    },
    links,
};
use domain::{ServiceSettings, Setting, SettingGroup, SettingSource, TokenList};
use leptos::prelude::*;
use token_table::tokens;

#[component]
pub(crate) fn SettingsPage() -> impl IntoView {
    let model: SharedReadModel = expect_context();
    let access: AuditAccess = use_context().unwrap_or_default();
    let VisibleSettings(settings) = use_context().unwrap_or_default();
    let limit = access.limit();
    let answer = async move {
        let scopes = access.0.ok_or(AppError::AdminOnly)?;
        model.tokens(&scopes).await
    };
    view! {
        <PageHead title="Settings" description="The tokens and the effective configuration of this service."/>
        {answered(answer, move |list| content(list, limit, settings.as_deref()))}
    }
}

fn content(
    list: TokenList,
    limit: Option<String>,
    settings: Option<&ServiceSettings>,
) -> impl IntoView + use<> {
    let configured = settings.map(|settings| settings.tokens.as_slice());
    let scope_note = limit.map(|limit| {
        format!(
            " You see only tokens for {limit}. The configuration is shown to administrators of every repository."
        )
    });
    view! {
        <div>
            <h1>"Settings"</h1>
            <p class="muted small">
                "The tokens and the effective configuration of this service. To change the configuration, restart the service with other settings. Secrets are never shown."
                <bdi>{scope_note}</bdi>" The "<a class="link" href=links::AUDIT>"audit log"</a>" states who changed tokens."
            </p>
        </div>
        {settings.map(service)}
        {tokens(list, configured.unwrap_or_default())}
        {new_token::form()}
        {settings.map(|settings| configuration(&settings.groups))}
    }
}

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

fn configuration(groups: &[SettingGroup]) -> AnyView {
    let groups = groups.iter().map(|group| {
        let rows = group.settings.iter().map(row);
        view! {
            <tbody>
                <tr class="group"><th scope="rowgroup" colspan="3">{group.heading}</th></tr>
                {rows.collect_view()}
            </tbody>
        }
    });
    let columns = [
        ("Setting", "c-setting"),
        ("Value", ""),
        ("Source", "c-source"),
    ];
    let content = view! {
        <table class="settings stacked" data-testid="configuration">
            <caption class="unseen">"Effective settings with their sources"</caption>
            {head(columns)}
            {groups.collect_view()}
        </table>
        {note("Secrets and passwords are hidden. Fixed limits and the variables of a bucket are not listed. “not set” means no value, or a default that depends on other settings.")}
    };
    let about = aside("the effective settings, read at the start");
    card("configuration", "Configuration", about, content)
}

fn row(setting: &Setting) -> impl IntoView + use<> {
    let value = match setting.value.clone() {
        Some(value) => view! { <bdi class="mono">{value}</bdi> }.into_any(),
        None => view! { <span class="muted small">"not set"</span> }.into_any(),
    };
    let source = match &setting.source {
        SettingSource::Default => view! { <span class="muted">"default"</span> }.into_any(),
        SettingSource::Environment => "environment".into_any(),
        flag @ SettingSource::Flag(_) => {
            view! { "flag "<span class="mono">{flag.to_string()}</span> }.into_any()
        }
    };
    view! {
        <tr>
            <th scope="row" class="mono">{setting.variable}</th>
            <td>{value}</td>
            <td class="small" data-label="Source">{source}</td>
        </tr>
    }
}

#[cfg(test)]
mod tests;
