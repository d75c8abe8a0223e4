//! `/settings`: the tokens and the effective configuration, for administrators, who make and revoke tokens here.

mod new_token;
mod token_table;

use crate::{
    AppError, AuditAccess, SharedReadModel, VisibleSettings,
    components::{
        answered::answered,
        card::{aside, card, head, note},
        coverage::Target,
        name::whole_name,
        page_head::PageHead,
    },
    links,
    numbers::counted,
};
use domain::{
    Overview, OverviewQuery, ServiceSettings, Setting, SettingGroup, SettingSource, TokenList,
};
use leptos::prelude::*;
use token_table::tokens;

#[component]
pub(crate) fn SettingsPage() -> impl IntoView {
    let model: SharedReadModel = expect_context();
    let access: AuditAccess = use_context().unwrap_or_default();
    let VisibleSettings(settings) = use_context().unwrap_or_default();
    let limit = access.limit();
    let Target(target) = expect_context();
    let answer = async move {
        let scopes = access.0.ok_or(AppError::AdminOnly)?;
        let list = model.tokens(&scopes).await?;
        // Without them the form only suggests nothing.
        let known = model.overview(OverviewQuery::default(), target).await.ok();
        Ok((list, known))
    };
    view! {
        <PageHead title="Settings" description="The tokens and the effective configuration of this service."/>
        {answered(answer, move |(list, known)| content(list, known.as_ref(), limit, settings.as_deref()))}
    }
}

fn content(
    list: TokenList,
    known: Option<&Overview>,
    limit: Option<String>,
    settings: Option<&ServiceSettings>,
) -> impl IntoView + use<> {
    let configured = settings.map(|settings| settings.tokens.as_slice());
    let scope_note = limit.map(|limit| {
        format!(
            "You see only tokens for {limit}. The configuration is shown to administrators of every repository."
        )
    });
    view! {
        <div class="repository-head">
            <div>
                <h1>"Settings"</h1>
                {settings.map(service)}
                {scope_note.map(|note| view! { <p class="muted small"><bdi>{note}</bdi></p> })}
            </div>
            <div class="controls"><a class="btn" href=links::AUDIT>"Audit log"</a></div>
        </div>
        {tokens(list, configured.unwrap_or_default())}
        {new_token::form(known)}
        {settings.map(|settings| configuration(&settings.groups))}
    }
}

/// The version and the kinds of its stores, in one line.
fn service(settings: &ServiceSettings) -> impl IntoView + use<> {
    let text = format!(
        "Version {}; {}, schema {}; HTML reports in a {}.",
        settings.version, settings.database, settings.schema, settings.storage
    );
    view! { <p class="muted small" data-testid="service">{text}</p> }
}

/// First what the operator set, then the defaults, folded.
fn configuration(groups: &[SettingGroup]) -> AnyView {
    let is_default = |setting: &&Setting| setting.source == SettingSource::Default;
    let all = groups.iter().flat_map(|group| &group.settings);
    let (defaults, set): (Vec<_>, Vec<_>) = all.partition(is_default);
    let set = set.into_iter().map(row).collect_view();
    let groups = groups.iter().filter_map(|group| {
        let rows: Vec<_> = group.settings.iter().filter(is_default).map(row).collect();
        (!rows.is_empty()).then(|| {
            view! {
                <tbody>
                    <tr class="group"><th scope="rowgroup" colspan="3">{group.heading}</th></tr>
                    {rows}
                </tbody>
            }
        })
    });
    let groups = groups.collect_view();
    let content = view! {
        <div data-testid="configuration">
            {table("Settings that the operator set", view! { <tbody>{set}</tbody> })}
            <details class="note">
                <summary>{counted(defaults.len() as u64, "setting with its default", "settings with their defaults")}</summary>
                {table("Settings with their defaults", groups)}
            </details>
        </div>
        {note("To change a setting, restart the service with another value. Secrets and passwords are hidden. Fixed limits and the variables of a bucket are not listed. “not set” means no value, or a default that depends on other settings.")}
    };
    let about = aside("the effective settings, read at the start");
    card("configuration", "Configuration", about, content)
}

fn table(caption: &'static str, rows: impl IntoView + 'static) -> impl IntoView {
    let columns = [
        ("Setting", "c-setting"),
        ("Value", "c-value"),
        ("Source", "c-source"),
    ];
    view! {
        <table class="settings stacked">
            <caption class="unseen">{caption}</caption>
            {head(columns)}
            {rows}
        </table>
    }
}

/// The number of a setting in larger units: `512 MiB` for 536870912 bytes, `30 days` for 2592000 seconds.
fn in_units(setting: &Setting) -> Option<String> {
    const BYTES: [(u64, &str); 2] = [(1 << 30, "GiB"), (1 << 20, "MiB")];
    const SECONDS: [(u64, &str); 3] = [(86_400, "days"), (3_600, "hours"), (60, "minutes")];
    let number: u64 = setting.value.as_ref()?.parse().ok()?;
    let units = match setting.variable {
        name if name.ends_with("_BYTES") => &BYTES[..],
        name if name.ends_with("_SECONDS") => &SECONDS[..],
        _ => &[],
    };
    let mut units = units.iter();
    let (size, unit) = units.find(|(size, _)| number > *size && number.is_multiple_of(*size))?;
    Some(format!("{}\u{202f}{unit}", number / size))
}

fn row(setting: &Setting) -> impl IntoView + use<> {
    let value = match setting.value.clone() {
        Some(value) => {
            let units = in_units(setting);
            let units = units.map(|units| view! { " "<span class="muted small">{units}</span> });
            view! { {whole_name(&value)}{units} }.into_any()
        }
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
            <td class="c-value">{value}<p class="muted small">{setting.about.clone()}</p></td>
            <td class="c-source small">{source}</td>
        </tr>
    }
}

#[cfg(test)]
mod tests;
