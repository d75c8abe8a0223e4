//! The paths of a part's lines in a union, in which some removed folders are put back.

use crate::{
    limits::{Limits, TooLarge},
    record::Lines,
};

/// Whether a path starts at the root of a file system or at a drive. Paths have `/` as their only separator.
pub fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || has_drive(path)
}

/// Whether a path starts with a drive letter, as on Windows.
pub fn has_drive(path: &str) -> bool {
    match path.as_bytes() {
        [drive, b':'] | [drive, b':', b'/', ..] => drive.is_ascii_alphabetic(),
        _ => false,
    }
}

/// The folder that was removed from the paths of a part; often empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartRoot<'a> {
    /// The folder. It ends with `/` unless it is empty.
    pub folder: &'a str,
    /// Whether the coverage file states it. Then it is the folder of one machine, and only an outer folder brings it back.
    pub is_stated: bool,
}

/// The union that a part belongs to.
#[derive(Debug, Clone, Copy)]
pub struct UnionOfParts<'a> {
    /// Its lines.
    pub lines: &'a Lines,
    /// The folder that was removed from the paths of all parts.
    pub root: &'a str,
}

impl UnionOfParts<'_> {
    /// Renames the files of a part as the union has them.
    ///
    /// # Errors
    ///
    /// If the new paths are too long.
    pub fn renamed(&self, part: Lines, root: PartRoot<'_>) -> Result<Lines, TooLarge> {
        if root.folder.is_empty() && self.root.is_empty() {
            return Ok(part);
        }
        part.renamed(&Limits::default(), |path| self.path(path, root))
    }

    fn path(&self, path: Box<str>, root: PartRoot<'_>) -> Box<str> {
        if is_absolute(&path) {
            // If the folder of one part contains the others, absolute paths stay as they are.
            return match path.strip_prefix(self.root) {
                Some(rest) if self.lines.get(&path).is_none() => rest.into(),
                _ => path,
            };
        }
        // Without a common folder, a stated folder was not put back.
        if self.root.is_empty() && root.is_stated {
            return path;
        }
        let whole = format!("{}{path}", root.folder);
        whole.strip_prefix(self.root).unwrap_or(&whole).into()
    }
}
