//! The target coverage, in the context of pages and islands.

use domain::Percentage;

/// The coverage that repositories should have at least, set by the operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target(pub Percentage);
