//! What a field shows: its suggestions, the active one, and a sentence about them.

use super::choice::Choice;
use std::sync::Arc;

/// What a field shows.
#[derive(Clone, Default)]
pub(super) struct Shown {
    pub(super) choices: Arc<Vec<Choice>>,
    /// The index of the suggestion that Enter chooses.
    pub(super) active: Option<usize>,
    /// Is announced to assistive technology.
    pub(super) status: String,
    /// Whether everybody needs to read the status, because there is nothing else.
    pub(super) is_status_visible: bool,
}

impl Shown {
    pub(super) fn active(&self) -> Option<&Choice> {
        self.choices.get(self.active?)
    }

    /// Makes the suggestion `by` places after the active one active. After the last one comes the first one.
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
