//! The verdict of a gate, with its reasons.

use super::line_links::line_links;
use crate::links;
use domain::{Gate, LineRange, Verdict, ViewName};
use leptos::prelude::*;

/// How a sentence ends that does not name all lines.
const AND_MORE: &str = ", and more";

/// A card with the verdict about a record, its reasons, and the rules that were not applied. `of` follows the verdict. A reason
/// about a view links to the files of that view in the record.
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
    let mark = match gate.verdict {
        Verdict::Passed | Verdict::Failed => format!("verdict {}", gate.verdict.word()),
        Verdict::Incomplete | Verdict::Unknown => String::new(),
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
            <h2 class=mark id=heading.clone()>{title}{of}</h2>
            {(!gate.reasons.is_empty()).then(|| list(&gate.reasons, record))}
            {(!gate.kept.is_empty()).then(|| list(&gate.kept, record))}
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
                    {with_places(after, record)}
                </li>
            }
            .into_any()
        }
        None => view! { <li>{with_places(sentence, record)}</li> }.into_any(),
    });
    view! { <ul>{rows.collect_view()}</ul> }
}

/// A sentence whose lines at its end lead to the source file.
fn with_places(sentence: &str, record: i64) -> AnyView {
    let Some((before, files, after)) = places(sentence) else {
        return view! { <bdi>{sentence.to_owned()}</bdi> }.into_any();
    };
    let files = files
        .into_iter()
        .enumerate()
        .map(|(index, (path, ranges))| {
            let start = if index == 0 { ": " } else { "; " };
            let lines = line_links(record, path, &ranges, ranges.len());
            view! { {start}<bdi>{path.to_owned()}</bdi>" "{lines} }
        });
    view! { <bdi>{before.to_owned()}</bdi>{files.collect_view()}{after} }.into_any()
}

/// A sentence without the lines at its end.
pub(crate) fn without_places(sentence: &str) -> &str {
    places(sentence).map_or(sentence, |(before, ..)| before)
}

/// What the rule of a reason is about.
pub(crate) fn subject_of(reason: &str) -> &'static str {
    match without_places(reason) {
        reason if reason.contains(" changed line") => "changed lines",
        reason if reason.contains(" unchanged line") => "lost lines",
        _ => "total coverage",
    }
}

/// The lines that a sentence ends with, such as `: src/tax.rs 41–46, 50; src/vat.rs 7, and more`, with the text before and after.
type Places<'a> = (&'a str, Vec<(&'a str, Vec<LineRange>)>, &'static str);

fn places(sentence: &str) -> Option<Places<'_>> {
    let (whole, after) = match sentence.strip_suffix(AND_MORE) {
        Some(whole) => (whole, AND_MORE),
        None => (sentence, ""),
    };
    // A path may contain a colon and a space too, then the first place where all is readable is meant.
    whole.match_indices(": ").find_map(|(end, _)| {
        let (before, files) = whole.split_at_checked(end)?;
        let files = files.get(2..)?.split("; ").map(|file| {
            let mut pieces = file.split(", ");
            let (path, first) = pieces.next()?.rsplit_once(' ')?;
            (!path.ends_with("(no longer measured)")).then_some(())?;
            let ranges = std::iter::once(first).chain(pieces).map(range);
            Some((path, ranges.collect::<Option<Vec<_>>>()?))
        });
        Some((before, files.collect::<Option<Vec<_>>>()?, after))
    })
}

fn range(words: &str) -> Option<LineRange> {
    let (first, last) = words.split_once('–').unwrap_or((words, words));
    Some((first.parse().ok()?, last.parse().ok()?))
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
    fn the_lines_of_a_reason_are_found_at_its_end() {
        let lines = "1 of 9 changed lines are covered, 70 % needs 7: src/a b.rs 4–6, 50; x: y.rs 7, and more";
        let (before, files, after) = places(lines).expect("places");
        assert!(before.ends_with("needs 7"), "{before}");
        assert_eq!(
            files,
            [
                ("src/a b.rs", vec![(4, 6), (50, 50)]),
                ("x: y.rs", vec![(7, 7)])
            ]
        );
        assert_eq!(after, ", and more");
        for none in [
            "9 of 10 lines are covered, 95 % needs 10",
            "part e2e: 1 of 2 lines are covered, 60 % needs 2",
            "2 unchanged lines are no longer run, 0 are allowed: src/a.rs –",
        ] {
            assert_eq!(places(none), None, "{none}");
        }
    }

    #[test]
    fn a_reason_is_about_changed_lines_lost_lines_or_the_total() {
        for (reason, subject) in [
            (
                "1 of 9 changed lines are covered, 70 % needs 7: src/a.rs 4–6",
                "changed lines",
            ),
            (
                "1 unchanged line is no longer run, 0 are allowed",
                "lost lines",
            ),
            (
                "2 unchanged lines are no longer run, 0 are allowed: src/1 changed lines.rs 4",
                "lost lines",
            ),
            (
                "part e2e: 1 of 2 lines are covered, 60 % needs 2",
                "total coverage",
            ),
        ] {
            assert_eq!(subject_of(reason), subject, "{reason}");
        }
    }

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
