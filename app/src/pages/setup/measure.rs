//! The tool that measures, with the commands that run the tests and write an HTML report and a coverage file.

use crate::{
    components::{
        card::{head, recipe, with_code},
        form::{choice, choices},
    },
    links,
    recipe::{LANGUAGES, Tool, ToolLanguage},
};
use domain::SetupQuery;
use leptos::prelude::*;

/// The tool of the chosen language; its commands too, unless the file of the CI system has them.
pub(super) fn chosen(
    query: &SetupQuery,
    language: &'static ToolLanguage,
    tool: &'static Tool,
    is_in_file: bool,
) -> AnyView {
    let others = language.tools.iter().map(|other| {
        let href = links::setup(&SetupQuery {
            tool: other.key.clone(),
            ..query.clone()
        });
        choice(href, other == tool, other.name.as_str())
    });
    let has_others = language.tools.len() > 1;
    let about = view! {
        <p class="small muted">
            {with_code(&format!("{}: writes `{}` as {}. {}", tool.name, tool.report, tool.format, tool.note))}
        </p>
    };
    let label = format!("the commands for {}", tool.name);
    let commands = match is_in_file {
        true => about.into_any(),
        false => recipe(about, tool.tests(), label),
    };
    view! {
        {has_others.then(|| choices("Tool", others))}
        {commands}
    }
    .into_any()
}

/// The commands for all languages.
pub(super) fn everything() -> AnyView {
    let all = LANGUAGES.iter();
    let all = all.flat_map(|language| language.tools.iter().map(move |tool| (language, tool)));
    let rows = all.map(|(language, tool)| {
        let label = format!("{} with {}", language.name, tool.name);
        view! {
            <tr>
                <th scope="row"><span class="name">{language.name.as_str()}</span>" "<span class="muted small">{tool.name.as_str()}</span></th>
                <td><pre tabindex="0" aria-label=label>{tool.commands.as_str()}</pre>
                    {(!tool.note.is_empty()).then(|| view! { <p class="small muted">{with_code(&tool.note)}</p> })}</td>
                <td class="small"><code>{tool.report.as_str()}</code><p class="muted">{tool.format.as_str()}</p></td>
            </tr>
        }
    });
    view! {
        <details class="step">
            <summary>"Commands for every language"</summary>
            <table class="tools" aria-label="Commands for every language">
                {head([("Language and tool", ""), ("Commands", ""), ("Coverage file", "")])}
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </details>
    }
    .into_any()
}
