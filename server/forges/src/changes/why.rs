//! Why changed lines are unknown, in one sentence for people.

use crate::{
    forge::{Forge, Pull},
    outbound::OutboundError,
};
use http::StatusCode;
use lines::ChangesError;

/// Why the changes of a pull request are unknown.
#[derive(Debug)]
pub(super) enum Why {
    /// The upload does not state which tree was measured.
    NoTree,
    /// A client of another service does not state what was measured, and neither does the forge.
    UnknownJob,
    /// The token may not read the pull request, or the pull request does not exist.
    Withheld,
    Limited,
    Failed(OutboundError),
    Down(StatusCode),
    /// The answer does not have the form of this forge's API.
    Strange,
    /// The answers exceed the limit.
    Large,
    Unreadable(ChangesError),
    /// The measured tree is not the tree of the pull request's head.
    OtherTree,
    /// The root folder has too many entries for a comparison.
    LargeRoot,
    /// The upload names another base commit than the diff, or the base commit of the diff is unknown.
    OtherBase,
    /// The pull request has another head now.
    Moved,
    /// The pull request has too many files for the calls of one upload.
    Many,
    /// The forge omitted the lines of files.
    LeftOut,
}

/// The maximum length of a sentence, in bytes: some sentences contain text from the forge.
const MAX_BYTES: usize = 400;

const SEND: &str = "send the form field `changes`";

impl Why {
    /// Returns the sentence that follows “The changed lines are not known:”.
    pub(super) fn sentence(&self, forge: &dyn Forge, pull: Pull<'_>) -> String {
        let (name, number) = (forge.facts().name, pull.number);
        let failed =
            |how: &str| format!("{name} did not say what pull request {number} changes: {how}.");
        let mut sentence = match self {
            Self::NoTree => format!(
                "the upload does not state the tree that was measured (`tree_hash`), with which the diff of {name} is compared; send it, or {SEND}."
            ),
            Self::UnknownJob => format!(
                "the client does not state whether it measured the head of pull request {number} or its merge, and {name} does not state it of this job; upload with this service's script, or {SEND}."
            ),
            Self::Withheld => format!(
                "{name} does not let the token read pull request {number}; grant the token {}, and check the number.",
                forge.facts().right_to_read_pulls
            ),
            Self::Limited => format!("the rate limit of {name} is exceeded."),
            Self::Failed(error) => failed(&error.to_string()),
            Self::Down(status) => failed(&format!("it failed with status {}", status.as_u16())),
            Self::Strange => failed("its answer is not understood"),
            Self::Large => failed("its answer is too large"),
            Self::Unreadable(error) => failed(&format!("its diff cannot be read, {error}")),
            Self::OtherTree => format!(
                "the measured tree (`tree_hash`) is not the tree of the head of pull request {number}, so the diff of {name} has other line numbers; measure the head, or {SEND}."
            ),
            Self::LargeRoot => format!(
                "the root folder of the repository has too many entries to compare it with `tree_hash`; {SEND}."
            ),
            Self::OtherBase => format!(
                "{name} does not confirm that the diff of pull request {number} starts at the base of the upload; {SEND}."
            ),
            Self::Moved => {
                format!("pull request {number} changed during the upload; upload again.")
            }
            Self::Many => format!(
                "pull request {number} has more files than one upload requests from {name}; {SEND}."
            ),
            Self::LeftOut => format!(
                "{name} leaves out the lines of large files and of large pull requests; {SEND}."
            ),
        };
        sentence.truncate(sentence.floor_char_boundary(MAX_BYTES));
        sentence
    }
}
