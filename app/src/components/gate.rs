//! The verdict of a gate, with its reasons.

use crate::links;
use domain::{Gate, Verdict, ViewName};
use leptos::prelude::*;

/// A card with the verdict about a record, its reasons, and the rules that were not applied. `of` follows the verdict. A reason about
/// a view links to the files of that view in the record.
pub(crate) fn gate(id: &str, gate: &Gate, record: i64, of: impl IntoView) -> AnyView {
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
        let rules = list(skipped, record);
        view! {
            <p class="muted">"Rules that were not applied:"</p>
            {rules}
        }
    });
    let heading = format!("{id}-title");
    view! {
        <section class=class id=id.to_owned() aria-labelledby=heading.clone()>
            <h2 id=heading.clone()>{title}{of}</h2>
            {(!gate.reasons.is_empty()).then(|| list(&gate.reasons, record))}
            {evaluate}
            {skipped}
        </section>
    }
    .into_any()
}

fn list(sentences: &[String], record: i64) -> impl IntoView + use<> {
    let rows = sentences.iter();
    let rows = rows.map(|sentence| match about_view(sentence) {
        Some((before, view, after)) => {
            let href = links::record_view(record, Some(&view));
            view! {
                <li>
                    {before.to_owned()}
                    <a class="link" href=href><bdi>{view.to_string()}</bdi></a>
                    <bdi>{after.to_owned()}</bdi>
                </li>
            }
            .into_any()
        }
        None => view! { <li><bdi>{sentence.clone()}</bdi></li> }.into_any(),
    });
    view! { <ul>{rows.collect_view()}</ul> }
}

/// The view that a sentence begins with, and the text before and after it.
fn about_view(sentence: &str) -> Option<(&str, ViewName, &str)> {
    let rest = sentence.strip_prefix(Gate::WOULD_FAIL).unwrap_or(sentence);
    let (before, _) = sentence.split_at(sentence.len() - rest.len());
    let (name, after) = rest.match_indices(": ").find_map(|(end, _)| {
        // The name of a folder may contain a colon and a space too.
        let (name, after) = rest.split_at_checked(end)?;
        let is_number = after.get(2..)?.starts_with(|c: char| c.is_ascii_digit());
        is_number.then_some((name, after))
    })?;
    Some((before, name.parse().ok()?, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_about_a_view_is_found_by_the_name_that_it_begins_with() {
        let found = |sentence| {
            let (before, view, after) = about_view(sentence)?;
            Some((before.to_owned(), view.to_string(), after.to_owned()))
        };
        let some = |before: &str, view: &str, after: &str| {
            Some((before.to_owned(), view.to_owned(), after.to_owned()))
        };
        assert_eq!(
            found("owner:@acme/core: 1 of 2 lines are covered, 60 % needs 2"),
            some(
                "",
                "owner:@acme/core",
                ": 1 of 2 lines are covered, 60 % needs 2"
            )
        );
        assert_eq!(
            found("would fail: folder:a: b: 3 unchanged lines are no longer run"),
            some(
                "would fail: ",
                "folder:a: b",
                ": 3 unchanged lines are no longer run"
            )
        );
        assert_eq!(found("src/**: 1 of 2 lines are covered"), None);
        assert_eq!(found("part e2e: 1 of 2 lines are covered"), None);
        assert_eq!(found("3 of 9 lines are covered, 70 % needs 7"), None);
    }
}
