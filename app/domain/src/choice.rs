//! The error for a parameter whose value is not one of the choices.

use thiserror::Error;

/// Why a value is refused: a phrase that follows the parameter's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("must be one of {0}")]
pub struct ChoiceError(pub(crate) &'static str);
