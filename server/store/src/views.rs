//! Views: named sets of a repository's files, counted from the lists of files of its records.

mod definitions;
mod files;
mod finder;
mod list;
mod measure;
mod opening;
mod owner_lines;
mod owners;
mod sides;
mod stored;
mod trend;

pub(super) use definitions::Known;
pub use definitions::{Definitions, packed};
pub use files::ViewFiles;
pub(super) use files::is_in;
pub use list::Trends;
pub use measure::Measure;
pub use owner_lines::OwnerLines;
pub(super) use stored::{forget_owners, store_owners};
pub use trend::Counted;
pub(super) use trend::{Counts, Sample, counts};
