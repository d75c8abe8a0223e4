//! The folders that were removed from the paths of parts. Some are put back, so that one file has one path.
//! `UnionOfParts` in the crate `lines` knows the result.

use crate::{details::Root, lines::Content};
use lines::{Limits, NamedBranches, TestSets, TooLarge, is_absolute};

/// How the paths of several parts become comparable.
#[derive(Clone)]
pub(super) enum Roots {
    /// The folder of one part contains the folders of all others. It stays removed.
    Nested(String),
    /// No folder contains all others. A stated folder stays removed, because each job has its own; the others are put back.
    Apart,
}

impl Roots {
    pub(super) fn of<'a>(folders: impl Iterator<Item = &'a str> + Clone) -> Self {
        let outer = folders.clone().min_by_key(|folder| folder.len());
        let outer = outer.unwrap_or_default();
        let is_alone = folders.clone().all(str::is_empty);
        let contains_all = folders.clone().all(|folder| folder.starts_with(outer));
        match is_alone || (contains_all && !outer.is_empty()) {
            true => Self::Nested(outer.to_owned()),
            false => Self::Apart,
        }
    }

    /// Returns the part of a folder that distinguishes the paths of its part from other parts.
    pub(super) fn prefix<'f>(&self, folder: &'f str, is_stated: bool) -> &'f str {
        match self {
            Self::Nested(outer) => &folder[outer.len()..],
            Self::Apart if is_stated => "",
            Self::Apart => folder,
        }
    }

    /// Removes the common folder of all paths again. Returns the folder, and whether some paths are still absolute.
    pub(super) fn strip(
        self,
        (lines, branches, tests): Content,
    ) -> Result<(Content, String, bool), TooLarge> {
        if let Self::Nested(root) = self {
            return Ok(((lines, branches, tests), root, false));
        }
        let root = Root::of(lines.files().map(|(path, _)| path));
        let mut is_doubtful = false;
        let stripped = renamed((lines, branches, tests), |path| {
            let mut path = String::from(path);
            root.strip(&mut path);
            is_doubtful |= is_absolute(&path);
            path.into()
        })?;
        Ok((stripped, root.folder, is_doubtful))
    }
}

/// Puts a prefix back before all relative paths.
pub(super) fn with_prefix(content: Content, prefix: &str) -> Result<Content, TooLarge> {
    if prefix.is_empty() {
        return Ok(content);
    }
    renamed(content, |path| match is_absolute(&path) {
        true => path,
        false => format!("{prefix}{path}").into(),
    })
}

fn renamed(
    (lines, branches, tests): Content,
    mut rename: impl FnMut(Box<str>) -> Box<str>,
) -> Result<Content, TooLarge> {
    let limits = Limits::default();
    let branches =
        branches.and_then(|branches: NamedBranches| branches.renamed(&limits, &mut rename));
    let tests = tests.and_then(|tests: TestSets| tests.renamed(&limits, &mut rename).ok());
    Ok((lines.renamed(&limits, rename)?, branches, tests))
}
