//! The effective settings with their sources.

use domain::{Setting, SettingGroup, SettingSource};
use leptos::prelude::*;

/// A row for each setting, in the groups of the manual.
#[component]
pub(super) fn Configuration(
    /// All settings, without secrets.
    groups: Vec<SettingGroup>,
) -> impl IntoView {
    let groups = groups.into_iter().map(|group| {
        let rows = group.settings.into_iter().map(row);
        view! {
            <tbody>
                <tr class="group"><th scope="rowgroup" colspan="3">{group.heading}</th></tr>
                {rows.collect_view()}
            </tbody>
        }
    });
    view! {
        <section class="card" aria-labelledby="configuration">
            <div class="head"><h2 id="configuration">"Configuration"</h2><span class="muted small">"the effective settings, read at the start"</span></div>
            <table class="settings stacked" data-testid="configuration">
                <caption class="unseen">"Effective settings with their sources"</caption>
                <thead>
                    <tr>
                        <th scope="col" class="c-setting">"Setting"</th>
                        <th scope="col">"Value"</th>
                        <th scope="col" class="c-source">"Source"</th>
                    </tr>
                </thead>
                {groups.collect_view()}
            </table>
            <p class="muted small note">"Secrets and passwords are hidden. Fixed limits and the variables of a bucket are not listed. “not set” means no value, or a default that depends on other settings."</p>
        </section>
    }
}

fn row(setting: Setting) -> impl IntoView {
    let value = match setting.value {
        Some(value) => view! { <bdi class="mono">{value}</bdi> }.into_any(),
        None => view! { <span class="muted small">"not set"</span> }.into_any(),
    };
    let source = match setting.source {
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
