//! The coverage files of one upload, which become one part.

use super::{
    described::described,
    room_of,
    roots::{Roots, with_prefix},
    unite,
};
use crate::{IngestError, Limit, lines::Content};
use domain::{IgnoredFiles, PartName};
use lines::{Lines, NamedBranches, TestSets, TooLarge};
use store::{PartDetails, RecordDetails, Union};

/// Unites coverage files. Blocks.
///
/// # Errors
///
/// If the union has too many lines.
pub(crate) fn of_files(files: Vec<(RecordDetails, Content)>) -> Result<Union, IngestError> {
    let too_large = |TooLarge| IngestError::Limit(Limit::Lines(lines::Limits::default()));
    let folders: Vec<_> = files.iter().map(|(of, _)| of.files.root.clone()).collect();
    let roots = Roots::of(folders.iter().map(String::as_str));
    let mut all: Content = (
        Lines::default(),
        Some(NamedBranches::default()),
        Some(TestSets::default()),
    );
    let (mut parts, mut room) = (Vec::new(), 0);
    for (details, content) in files {
        room += room_of(&content);
        let prefix = roots.prefix(&details.files.root, details.is_root_stated);
        all = with_prefix(content, prefix)
            .and_then(|content| unite(all, content))
            .map_err(too_large)?;
        parts.push(PartDetails {
            name: PartName::default(),
            tool: details.tool,
            // The caller says which file they are about.
            warnings: Vec::new(),
            paths: details.paths,
            ignored: details.ignored,
            root: details.files.root,
            is_root_stated: details.is_root_stated,
        });
    }
    let measured_files = all.0.files().len();
    let ignored: Option<Vec<_>> = parts.iter().map(|part| part.ignored).collect();
    let ignored = ignored.map(IgnoredFiles::of_parts);
    described(parts, measured_files, roots, all, ignored, room).map_err(too_large)
}
