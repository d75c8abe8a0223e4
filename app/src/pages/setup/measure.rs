//! The first step: the tool that measures, with the commands that run the tests and write an HTML report and a coverage file.

use crate::{
    components::{
        card::{aside, card, head, recipe, with_code},
        form::{choice, choices},
    },
    links,
    recipe::{LANGUAGES, Tool, ToolLanguage},
};
use domain::SetupQuery;
use leptos::prelude::*;

/// The commands for the chosen language, or for all languages.
pub(super) fn measure(
    number: &'static str,
    query: &SetupQuery,
    language: Option<&'static ToolLanguage>,
    tool: Option<&'static Tool>,
    is_in_file: bool,
) -> impl IntoView + use<> {
    let commands = match language.zip(tool) {
        Some((language, tool)) => chosen(query, language, tool, is_in_file).into_any(),
        None => everything().into_any(),
    };
    let why = aside(match is_in_file && tool.is_some() {
        true => "the file of step 3 has the commands",
        false => "so that the tool writes an HTML report and a coverage file",
    });
    card(
        "measure",
        format!("{number}Run the tests with coverage"),
        why,
        commands,
    )
}

fn chosen(
    query: &SetupQuery,
    language: &'static ToolLanguage,
    tool: &'static Tool,
    is_in_file: bool,
) -> impl IntoView + use<> {
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
        <div class="step">
            {has_others.then(|| choices("Tool", others))}
            {commands}
        </div>
    }
}

fn everything() -> impl IntoView {
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
}
