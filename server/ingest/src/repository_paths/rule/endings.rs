//! The files that end like a path.

use super::super::{
    listing::{Ending, Listing},
    name::components,
};

/// The files that have the last components of a name in common with it.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// Where these components start in the name.
    pub(super) start: usize,
    pub(super) ending: Ending,
}

impl Step {
    /// The same files for the name in a source.
    pub(super) fn behind(self, source: &str) -> Self {
        Self {
            start: self.start + source.len(),
            ..self
        }
    }
}

/// The files that have the last component of a name, then those that have the last two, and so on. If there is an `ending`, its
/// components are behind the name.
pub(super) fn steps(
    listing: &Listing,
    name: &str,
    mut ending: Option<Ending>,
    room: usize,
) -> impl Iterator<Item = Step> {
    let name = name.trim_end_matches('/');
    let mut reversed = components(name).rev().take(room);
    let mut start = name.len();
    std::iter::from_fn(move || {
        let component = reversed.next()?;
        let longer = listing.with(ending, component)?;
        ending = Some(longer);
        start -= component.len();
        let step = Step {
            start,
            ending: longer,
        };
        start = start.saturating_sub(1);
        Some(step)
    })
}
