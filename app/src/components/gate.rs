//! The verdict of a gate, with its reasons.

use domain::{Gate, Verdict};
use leptos::prelude::*;

/// A card with the verdict, its reasons, and the rules that were not applied. `of` follows the verdict.
pub(crate) fn gate(id: &str, gate: &Gate, of: impl IntoView) -> AnyView {
    let (title, class) = match gate.verdict {
        Verdict::Passed => ("The gate passed", "card message gate passed"),
        Verdict::Failed => ("The gate failed", "card message gate failed"),
        Verdict::Incomplete => ("The gate waits", "card message gate"),
        Verdict::Unknown => (
            "The gate is unknown: no rule could be judged",
            "card message gate",
        ),
    };
    let evaluate = gate.evaluate.then(|| {
        view! { <p class="muted">"The rules only report: evaluate is set."</p> }
    });
    let skipped = gate.skipped_beside();
    let skipped = (!skipped.is_empty()).then(|| {
        let rules = list(skipped);
        view! {
            <p class="muted">"Rules that were not applied:"</p>
            {rules}
        }
    });
    let heading = format!("{id}-title");
    view! {
        <section class=class id=id.to_owned() aria-labelledby=heading.clone()>
            <h2 id=heading.clone()>{title}{of}</h2>
            {(!gate.reasons.is_empty()).then(|| list(&gate.reasons))}
            {evaluate}
            {skipped}
        </section>
    }
    .into_any()
}

fn list(sentences: &[String]) -> impl IntoView + use<> {
    let rows = sentences.iter();
    let rows = rows.map(|sentence| view! { <li><bdi>{sentence.clone()}</bdi></li> });
    view! { <ul>{rows.collect_view()}</ul> }
}
