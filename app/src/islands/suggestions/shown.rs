//! What a field shows: its suggestions, the active one, and a sentence about them.

use super::choice::Choice;
use std::sync::Arc;

/// What a field shows.
#[derive(Clone, Default)]
pub(super) struct Shown {
    pub(super) choices: Arc<Vec<Choice>>,
    /// The index of the suggestion that Enter chooses.
    pub(super) active: Option<usize>,
    /// The text that assistive technology announces.
    pub(super) status: String,
    /// Whether the status is visible, because there is nothing else to show.
    pub(super) is_status_visible: bool,
}

impl Shown {
    pub(super) fn active(&self) -> Option<&Choice> {
        self.choices.get(self.active?)
    }

    /// Activates the suggestion `by` places after the active one. The first suggestion follows the last one.
    pub(super) fn walk(&mut self, by: isize) {
        let count = self.choices.len();
        self.active = match self.active {
            _ if count == 0 => None,
            Some(active) => active
                .checked_add_signed(by)
                .map_or(Some(count - 1), |next| {
                    if next < count { Some(next) } else { Some(0) }
                }),
            None if by < 0 => Some(count - 1),
            None => Some(0),
        };
    }
}
