//! Finds and reads the settings file of the working tree.

use super::CheckError;
use crate::git::Git;
use ingest::{MAX_SETTINGS_BYTES, Settings};
use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};
use store::RecordSettings;

/// The former name of the file.
const FORMER: &str = ".coverage.toml";

/// The names of the file. The first that exists is used.
const NAMES: [&str; 3] = [
    "coverage-dashboard.toml",
    ".config/coverage-dashboard.toml",
    FORMER,
];

/// Reads the settings file. Also returns notices about it. Without a file there are no rules.
pub(super) fn read(git: &Git) -> Result<(RecordSettings, Vec<String>), CheckError> {
    let mut notices = Vec::new();
    let found = in_working_tree(git.root(), &mut notices)?;
    let Some((name, content)) = found.or_else(|| committed(git, &mut notices)) else {
        return Ok(Default::default());
    };
    if content.len() > MAX_SETTINGS_BYTES {
        return Err(CheckError::LargeSettings { name });
    }
    if name == FORMER {
        notices.push(format!(
            "Rename {FORMER} to {}: pytest-cov, and `coverage erase` in parallel mode, delete files that are called .coverage.*.",
            NAMES[0]
        ));
    }
    let settings =
        Settings::read(&content).map_err(|source| CheckError::Settings { name, source })?;
    notices.extend(settings.notices);
    Ok((settings.stored, notices))
}

type Named = (&'static str, Vec<u8>);

fn in_working_tree(root: &Path, notices: &mut Vec<String>) -> io::Result<Option<Named>> {
    let exists = |name: &&&str| root.join(name).is_file();
    let mut existing = NAMES.iter().filter(exists);
    let Some(name) = existing.next() else {
        return Ok(None);
    };
    let others: Vec<_> = existing.copied().collect();
    if !others.is_empty() {
        notices.push(format!("{name} counts; {} does not.", others.join(" or ")));
    }
    let content = start_of(&root.join(name), MAX_SETTINGS_BYTES)?;
    Ok(Some((name, content)))
}

/// Reads a file of at most `most` bytes. Of a larger one, reads a byte more.
pub(crate) fn start_of(file: &Path, most: usize) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    let file = File::open(file)?;
    file.take(most as u64 + 1).read_to_end(&mut content)?;
    Ok(content)
}

/// A job may have deleted the file before it is read.
fn committed(git: &Git, notices: &mut Vec<String>) -> Option<Named> {
    let mut names = NAMES.into_iter();
    let (name, content) = names.find_map(|name| Some((name, git.committed(name)?)))?;
    let why = "is no longer in the working tree: the committed file is used.";
    notices.push(format!("{name} {why}"));
    Some((name, content))
}
