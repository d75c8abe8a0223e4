//! The files with the same ending as a path.

use super::super::{
    listing::{Ending, RepositoryPaths},
    name::components,
};

/// The files that share the last components of a name.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// The position of these components in the name.
    pub(super) start: usize,
    pub(super) ending: Ending,
}

impl Step {
    /// Returns the same files for the name joined to a source.
    pub(super) fn behind(self, source: &str) -> Self {
        Self {
            start: self.start + source.len(),
            ..self
        }
    }
}

/// Returns the files with the last component of a name, then the files with the last two components, and so on. The components of
/// `ending`, if given, come after the name.
pub(super) fn steps(
    listing: &RepositoryPaths,
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
