//! The first step: commands that run the tests and write an HTML report and a coverage file.

use crate::{
    components::copy_button::CopyButton,
    links,
    recipe::{LANGUAGES, Tool, ToolLanguage},
};
use domain::SetupQuery;
use leptos::prelude::*;

/// The commands for the chosen language, or for all languages.
#[component]
pub(super) fn Measure(
    query: SetupQuery,
    language: Option<&'static ToolLanguage>,
    tool: Option<&'static Tool>,
) -> impl IntoView {
    view! {
        <section class="card" aria-labelledby="measure">
            <div class="head">
                <h2 id="measure">"1. Run the tests with coverage"</h2>
                <span class="muted small">"so that the tool writes an HTML report and a coverage file"</span>
            </div>
            {match (language, tool) {
                (Some(language), Some(tool)) => view! { <Chosen query language tool/> }.into_any(),
                _ => view! { <Everything/> }.into_any(),
            }}
        </section>
    }
}

#[component]
fn Chosen(
    query: SetupQuery,
    language: &'static ToolLanguage,
    tool: &'static Tool,
) -> impl IntoView {
    let others = language.tools.iter().map(|other| {
        let current = (other == tool).then_some("true");
        let href = links::setup(&SetupQuery {
            tool: other.key.to_owned(),
            ..query.clone()
        });
        view! { <a href=href aria-current=current>{other.name}</a> }
    });
    let has_others = language.tools.len() > 1;
    let label = format!("the commands for {}", tool.name);
    view! {
        <div class="step">
            {has_others.then(|| view! { <nav class="seg" aria-label="Tool">{others.collect_view()}</nav> })}
            <div class="recipe">
                <p class="small muted">
                    {format!("{}: writes {} as {}.", tool.name, tool.report, tool.format)}
                    {(!tool.note.is_empty()).then(|| format!(" {}", tool.note))}
                </p>
                <CopyButton text=tool.commands.to_owned() label=label.clone()/>
                <pre tabindex="0" aria-label=label>{tool.commands}</pre>
            </div>
        </div>
    }
}

/// A table of all languages and tools.
#[component]
fn Everything() -> impl IntoView {
    let rows = LANGUAGES.iter().flat_map(|language| {
        language.tools.iter().map(move |tool| {
            view! {
                <tr>
                    <th scope="row"><span class="name">{language.name}</span>" "<span class="muted small">{tool.name}</span></th>
                    <td><pre tabindex="0" aria-label=format!("{} with {}", language.name, tool.name)>{tool.commands}</pre>
                        {(!tool.note.is_empty()).then(|| view! { <p class="small muted">{tool.note}</p> })}</td>
                    <td class="small"><code>{tool.report}</code><p class="muted">{tool.format}</p></td>
                </tr>
            }
        })
    });
    view! {
        <details class="step">
            <summary>"Commands for every language"</summary>
            <table class="tools" aria-label="Commands for every language">
                <thead>
                    <tr>
                        <th scope="col">"Language and tool"</th>
                        <th scope="col">"Commands"</th>
                        <th scope="col">"Coverage file"</th>
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </details>
    }
}
