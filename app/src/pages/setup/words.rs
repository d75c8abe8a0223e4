//! What the words of all pages mean, for people who follow "Help" at the end of a page.

use crate::components::card::{aside, target};
use leptos::prelude::*;

/// The words, in the order in which readers meet them.
const WORDS: [(&str, &str); 12] = [
    (
        "Coverage",
        "The share of the coverable lines that ran while the tests ran. Branches and functions are counted beside it.",
    ),
    (
        "Partial line",
        "A line that ran, but not with all of its branches. It counts as covered, unless a gate says otherwise.",
    ),
    (
        "Record",
        "The numbers of one commit in one language. The current record of a branch is its newest one.",
    ),
    (
        "Part",
        "One of several coverage files of a commit, such as unit and e2e. The record unites them line by line.",
    ),
    (
        "Base",
        "The record that a record is compared with: for a pull request, where its branch began.",
    ),
    (
        "Points",
        "The difference of two percentages: from 70 % to 72 % are +2.00 points.",
    ),
    (
        "Changed lines",
        "The coverable lines that a pull request changed or added.",
    ),
    (
        "Lost lines",
        "Unchanged lines that ran at the base and do not run now.",
    ),
    (
        "Gate",
        "Rules for changed lines, lost lines and the total, with the verdict passed, failed, incomplete or unknown.",
    ),
    (
        "View",
        "A part of the files: a folder, the files of an owner, or patterns in the settings.",
    ),
    (
        "Flickering line",
        "A line whose state changes from run to run although its file does not.",
    ),
    (
        "Cold code",
        "Lines of the main branch that nothing has run for some time.",
    ),
];

pub(super) fn words() -> AnyView {
    let words = WORDS.map(|(word, meaning)| view! { <dt>{word}</dt><dd>{meaning}</dd> });
    let content = view! { <div class="known"><dl>{words.collect_view()}</dl></div> };
    target(
        "words",
        "What the words mean",
        aside("on all pages"),
        content,
    )
}
