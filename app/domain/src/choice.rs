//! Words that choose something.

use thiserror::Error;

/// Why a word is not a choice: a phrase that follows the parameter's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("must be one of {0}")]
pub struct ChoiceError(pub(crate) &'static str);
