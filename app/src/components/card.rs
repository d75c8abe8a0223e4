//! What pages consist of: cards with a heading, tables whose columns do not sort, and texts to copy.

use crate::links::ReportLinks;
use leptos::{attr::custom::custom_attribute, prelude::*};

/// A card, whose heading has the id `id`. `beside` follows the heading.
pub(crate) fn card(
    id: impl Into<String>,
    title: impl IntoView,
    beside: impl IntoView,
    content: impl IntoView,
) -> AnyView {
    let id = id.into();
    view! {
        <section class="card" aria-labelledby=id.clone()>
            <div class="head"><h2 id=id.clone()>{title}</h2>{beside}</div>
            {content}
        </section>
    }
    .into_any()
}

/// Like [`card`], for a card that addresses lead to.
pub(crate) fn target(
    id: &'static str,
    title: impl IntoView,
    beside: impl IntoView,
    content: impl IntoView,
) -> AnyView {
    let heading = format!("{id}-title");
    view! {
        <section class="card" id=id aria-labelledby=heading.clone()>
            <div class="head"><h2 id=heading.clone()>{title}</h2>{beside}</div>
            {content}
        </section>
    }
    .into_any()
}

/// A card of a class that has only a heading, whose id is `id`, above its content.
pub(crate) fn simple(
    class: &'static str,
    id: &'static str,
    title: impl IntoView,
    content: impl IntoView,
) -> AnyView {
    view! {
        <section class=format!("card {class}") aria-labelledby=id>
            <h2 id=id>{title}</h2>
            {content}
        </section>
    }
    .into_any()
}

/// A card in place of something that does not exist, with a link to continue.
pub(crate) fn message(
    title: &'static str,
    sentence: impl IntoView,
    way_on: Option<(String, &'static str)>,
) -> AnyView {
    let way_on = way_on.map(|(href, name)| view! { <p><a class="btn" href=href>{name}</a></p> });
    view! {
        <section class="card message">
            <h2>{title}</h2>
            <p>{sentence}</p>
            {way_on}
        </section>
    }
    .into_any()
}

/// Small text beside a heading.
pub(crate) fn aside(text: impl IntoView) -> AnyView {
    view! { <span class="muted small">{text}</span> }.into_any()
}

/// Small text at the end of a card.
pub(crate) fn note(text: impl IntoView) -> AnyView {
    view! { <p class="muted small note">{text}</p> }.into_any()
}

/// How the numbers of a page are counted, for readers who ask: each item is a paragraph.
pub(crate) fn how_counted(paragraphs: Vec<AnyView>) -> AnyView {
    let paragraphs = paragraphs.into_iter();
    let paragraphs = paragraphs.map(|paragraph| view! { <p>{paragraph}</p> });
    view! {
        <details class="how muted small" data-testid="how">
            <summary>"How this is counted"</summary>
            {paragraphs.collect_view()}
        </details>
    }
    .into_any()
}

/// The head of a table whose columns do not sort: titles with the CSS classes of the columns.
pub(crate) fn head(columns: impl IntoIterator<Item = (&'static str, &'static str)>) -> AnyView {
    let cells = columns.into_iter().map(|(title, class)| match class {
        "" => view! { <th scope="col">{title}</th> }.into_any(),
        // A heading above percentages with bars ends where they end.
        "c-cov" => view! { <th scope="col" class="c-cov"><span>{title}</span></th> }.into_any(),
        class => view! { <th scope="col" class=class>{title}</th> }.into_any(),
    });
    view! { <thead><tr>{cells.collect_view()}</tr></thead> }.into_any()
}

/// A table whose rows become blocks on phones. `heading` is the id of its heading.
pub(crate) fn stacked(
    heading: &'static str,
    name: &'static str,
    columns: impl IntoIterator<Item = (&'static str, &'static str)>,
    rows: impl IntoView,
) -> AnyView {
    view! {
        <table class="stored stacked" aria-labelledby=heading data-testid=name>
            {head(columns)}
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}

/// A cell of such a table with a number. On phones, `label` is in front of it.
pub(crate) fn number(label: &'static str, number: impl IntoView) -> AnyView {
    view! { <td class="num" data-label=label>{number}</td> }.into_any()
}

/// Copies `text` and shows whether that worked; `copy.rs` of the crate `frontend` reads the attribute. Hidden without
/// scripts: the text is next to the button and can be selected.
#[component]
pub(crate) fn CopyButton(
    text: String,
    /// Names the text for people who cannot see it next to the button: `Copy {label}`.
    #[prop(into)]
    label: String,
) -> impl IntoView {
    let name = format!("Copy {label}");
    view! {
        <span class="copy">
            <button class="btn scripted" type="button" aria-label=name data-copy=text>"Copy"</button>
            <span class="small muted" role="status"></span>
        </span>
    }
}

/// Commands to copy, after an introduction.
pub(crate) fn recipe(
    introduction: impl IntoView,
    text: impl Into<String>,
    label: impl Into<String>,
) -> AnyView {
    let (text, label) = (text.into(), label.into());
    view! {
        <div class="recipe">
            {introduction}
            <CopyButton text=text.clone() label=label.clone()/>
            <pre tabindex="0" aria-label=label>{text}</pre>
        </div>
    }
    .into_any()
}

/// A sentence whose words between backticks are code. A short one stays on one line.
pub(crate) fn with_code(sentence: &str) -> AnyView {
    let pieces = sentence.split('`').enumerate();
    let pieces = pieces.map(|(index, piece)| {
        let piece = piece.to_owned();
        let class = (piece.len() <= 24).then_some("whole");
        match index % 2 {
            0 => piece.into_any(),
            _ => view! { <code class=class>{piece}</code> }.into_any(),
        }
    });
    pieces.collect_view().into_any()
}

/// A name with its value, in a list of facts.
pub(crate) fn fact(name: &'static str, value: impl IntoView) -> AnyView {
    view! { <dt>{name}</dt><dd>{value}</dd> }.into_any()
}

/// A frame with an HTML report. It runs uploaded code, so its sandbox grants no more than the report's own page gets.
pub(crate) fn report_frame(
    name: Option<&'static str>,
    address: String,
    title: String,
    reports: &ReportLinks,
) -> AnyView {
    let sandbox = reports.sandbox();
    let frame = view! {
        <iframe name=name src=address title=title sandbox=sandbox referrerpolicy="no-referrer"></iframe>
    };
    // leptos supports this attribute only on images.
    let frame = frame.add_any_attr(custom_attribute("loading", "lazy"));
    frame.into_any()
}

/// Makes the browser fetch the page again every `seconds` while it is visible: `refresh.rs` of the crate `frontend` reads
/// the attribute. Without scripts a link reloads the page.
#[component]
pub(crate) fn Refresh(seconds: u32) -> impl IntoView {
    view! {
        <div class="muted small refresh" data-refresh=seconds>
            <span class="scripted">"This page updates itself."</span><a class="unscripted" href="">"Reload this page"</a>
        </div>
    }
}
