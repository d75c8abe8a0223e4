//! The tool `gate`: whether a record passes its gate, and why not.

use super::{
    answer::{Answer, Refusal},
    arguments::Arguments,
    names::quoted,
    record::{Found, LOST_UNKNOWN},
};
use crate::routes::readable::Readable;
use domain::Gate;

pub(super) async fn call(state: &Readable, arguments: &Arguments) -> Result<String, Refusal> {
    let found = Found::of(state, &arguments.record()?).await?;
    let summary = state.reader.record_summary(found.record.id).await?;
    let summary = summary.ok_or_else(|| found.gone())?;
    let Some(gate) = &summary.gate else {
        return Err(found.refusal(
            "No gate is set for this repository, so nothing is judged; use uncovered_in_change to see which changed lines did not run.",
        ));
    };
    let mut answer = found.answer();
    answer.line(&verdict(gate));
    if summary.lacks_lost_lines() {
        answer.line(LOST_UNKNOWN);
    }
    list(&mut answer, "Reasons:", &gate.reasons);
    list(
        &mut answer,
        "Rules that were not applied:",
        gate.skipped_beside(),
    );
    Ok(answer.finish())
}

fn verdict(gate: &Gate) -> String {
    let evaluate = match gate.evaluate {
        true => " Its rules only report and never fail it.",
        false => "",
    };
    format!("Gate: {}.{evaluate}", gate.verdict.word())
}

fn list(answer: &mut Answer, title: &str, sentences: &[String]) {
    if sentences.is_empty() || !answer.line(title) {
        return;
    }
    let items = sentences
        .iter()
        .map(|sentence| format!("- {}", quoted(sentence)));
    answer.items(sentences.len(), items, |more| {
        format!("And {more} more: the page has all of them.")
    });
}
