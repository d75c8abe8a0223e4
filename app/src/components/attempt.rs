//! The outcome of an upload attempt, as a word and as sentences.

use super::card::{recipe, with_code};
use crate::links;
use domain::{Outcome, UploadAttempt, advice};
use leptos::prelude::*;

/// Accepted or refused: a mark and the word; unless `names_code` is false, the code of a refusal.
#[component]
pub(crate) fn Verdict(
    attempt: UploadAttempt,
    #[prop(default = true)] names_code: bool,
) -> impl IntoView {
    let (class, mark, word) = match attempt.outcome() {
        Outcome::Taken => ("taken", "✓", "Accepted"),
        Outcome::Refused => ("refused", "✗", "Refused"),
    };
    let names_code = names_code && attempt.outcome() == Outcome::Refused;
    // A code has no spaces: line breaks are allowed after each `_`.
    let words = attempt.code.split_inclusive('_');
    let code: Vec<_> = words
        .map(|word| view! { {word.to_owned()}<wbr/> })
        .collect();
    view! {
        <span class=format!("outcome {class}")><span aria-hidden="true">{mark}" "</span>{word}</span>
        {names_code.then(|| view! { <p class="small muted"><span class="code">{attempt.status}" "{code}</span></p> })}
    }
}

/// The sentence that the job received, and advice.
#[component]
pub(crate) fn Message(attempt: UploadAttempt) -> impl IntoView {
    let todo = advice(&attempt.code).map(|advice| {
        let sentence =
            |words: &str| view! { <p class="todo"><b>"To do: "</b>{with_code(words)}</p> };
        // A command at the end of the sentence can be copied.
        let command = advice.todo.strip_suffix("`.");
        match command.and_then(|todo| todo.rsplit_once(": `")) {
            Some((words, command)) => {
                recipe(sentence(&format!("{words}:")), command, "the command")
            }
            None => sentence(advice.todo).into_any(),
        }
    });
    view! {
        {sentence(&attempt).map(|sentence| view! { <p>{sentence}</p> })}
        {todo}
    }
}

/// The answer to an accepted upload, as one line: the percentage, which leads to the record, and what else the job received.
pub(crate) fn accepted(attempt: &UploadAttempt) -> impl IntoView + use<> {
    let value = attempt.record_id.and_then(|id| {
        let detail = attempt.detail.as_deref()?;
        let (name, rest) = detail.split_once(" has ")?;
        let (value, rest) = rest.split_once(" %")?;
        let rest = rest.strip_prefix('.').unwrap_or(rest).to_owned();
        let value = format!("{value}\u{202f}%");
        (name == format!("Record {id}")).then(|| {
            view! {
                <a class="more whole" href=links::record(id)><span class="unseen">{format!("{name}: ")}</span>{value}</a>
                <bdi>{rest}</bdi>
            }
        })
    });
    let answer = match value {
        Some(value) => Some(value.into_any()),
        None => sentence(attempt),
    };
    view! {
        <span class="outcome taken" title="Accepted"><span aria-hidden="true">"✓ "</span><span class="unseen">"Accepted: "</span></span>
        {answer}
    }
}

/// The sentence that the job received, or what its code means. The record that the sentence begins with is a link.
pub(crate) fn sentence(attempt: &UploadAttempt) -> Option<AnyView> {
    let name = advice(&attempt.code).map(|advice| format!("{}.", advice.name));
    let sentence = attempt.detail.clone().or(name)?;
    let begins = attempt.record_id.and_then(|id| {
        let name = format!("Record {id}");
        let rest = sentence.strip_prefix(&name)?.to_owned();
        let href = links::record(id);
        Some(view! { <a class="more" href=href>{name}</a>{rest} })
    });
    Some(match begins {
        Some(sentence) => view! { <bdi>{sentence}</bdi> }.into_any(),
        None => view! { <bdi>{with_code(&sentence)}</bdi> }.into_any(),
    })
}
