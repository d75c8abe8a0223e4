//! The outcome of an upload attempt, as a word and as sentences.

use super::card::with_code;
use crate::links;
use domain::{Outcome, UploadAttempt, advice};
use leptos::prelude::*;

/// Accepted or refused: a mark and the word; the code of a refusal.
#[component]
pub(crate) fn Verdict(attempt: UploadAttempt) -> impl IntoView {
    let (class, mark, word) = match attempt.outcome() {
        Outcome::Taken => ("taken", "✓", "Accepted"),
        Outcome::Refused => ("refused", "✗", "Refused"),
    };
    let refused = attempt.outcome() == Outcome::Refused;
    // A code has no spaces: line breaks are allowed after each `_`.
    let words = attempt.code.split_inclusive('_');
    let code: Vec<_> = words
        .map(|word| view! { {word.to_owned()}<wbr/> })
        .collect();
    view! {
        <span class=format!("outcome {class}")><span aria-hidden="true">{mark}" "</span>{word}</span>
        {refused.then(|| view! { <p class="small muted"><span class="code">{attempt.status}" "{code}</span></p> })}
    }
}

/// The sentence that the job received, and advice.
#[component]
pub(crate) fn Message(attempt: UploadAttempt) -> impl IntoView {
    let advice = advice(&attempt.code);
    let name = advice.map(|advice| format!("{}.", advice.name));
    let sentence = attempt.detail.clone().or(name);
    let todo = advice.map(|advice| advice.todo);
    let record = attempt.record_id.map(|id| {
        let label = format!("Open record {id}");
        view! { " "<a class="more" href=links::record(id) aria-label=label>"Open"</a> }
    });
    view! {
        {sentence.map(|sentence| view! { <p><bdi>{with_code(&sentence)}</bdi>{record}</p> })}
        {todo.map(|todo| view! { <p class="todo"><b>"To do: "</b>{todo}</p> })}
    }
}
