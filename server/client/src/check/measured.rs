//! Reads the coverage files, grouped by language.

use super::{CheckError, coverage_files, language::language_of};
use crate::git::Git;
use domain::{GlobList, Language, text::chain};
use ingest::{LocalError, LocalReader, Measured};
use std::{
    collections::{BTreeMap, HashSet},
    fs::File,
    io::BufReader,
    path::{Component, Path, PathBuf},
};

/// Files of unknown languages count as one language.
pub(super) type ByLanguage = BTreeMap<Option<Language>, Measured>;

type OfLanguage = (Option<Language>, PathBuf);

/// Reads the named coverage files, else the coverage files of the repository. `language` replaces the guessed one. The
/// files that `ignore` matches count nowhere.
pub(super) fn measured(
    named: &[PathBuf],
    language: Option<&Language>,
    ignore: &GlobList,
    git: &Git,
    notices: &mut Vec<String>,
) -> Result<ByLanguage, CheckError> {
    let files = match named {
        [] => found(git.root(), language, notices)?,
        named => {
            let files = named
                .iter()
                .map(|path| Ok((of(path, language)?, path.clone())));
            files.collect::<Result<_, CheckError>>()?
        }
    };
    if files.is_empty() {
        return Err(CheckError::NoFile(git.root().display().to_string()));
    }
    let reader = LocalReader::new(git.paths()?, git.root(), ignore.clone());
    let reader = reader.map_err(|error| failed(git.root(), error.to_string()))?;
    let mut measured = ByLanguage::new();
    for (language, path) in files {
        let file = File::open(&path).map_err(|error| failed(&path, error.to_string()))?;
        let own = measured.entry(language).or_default();
        let folder = folder_of(&path, git.root());
        let added = reader.add(own, BufReader::new(file), folder.as_deref());
        let why_not = added.map_err(|error: LocalError| failed(&path, chain(&error)))?;
        notices.extend(why_not.map(|why| format!("{}: {why}", path.display())));
    }
    Ok(measured)
}

/// The folder of a coverage file within the checkout.
fn folder_of(path: &Path, root: &Path) -> Option<String> {
    let path = path.canonicalize().ok()?;
    let below = path.strip_prefix(root.canonicalize().ok()?).ok()?;
    Some(below.parent()?.to_str()?.to_owned())
}

/// Returns why changed lines cannot be judged if no measured file is in the repository.
pub(super) fn of_another_repository(measured: &Measured, root: &Path) -> Option<String> {
    let mut files = measured.lines.files().map(|(path, _)| path);
    let first = files.next()?;
    // A path in a coverage file may be absolute or contain `..`.
    let is_normal = |part: Component<'_>| matches!(part, Component::Normal(_));
    let is_inside = |path: &Path| path.components().all(is_normal);
    let is_here = |path: &str| is_inside(Path::new(path)) && root.join(path).is_file();
    let is_any_here = is_here(first) || files.any(is_here);
    (!is_any_here).then(|| {
        format!(
            "no measured file is in this repository, for example {first}; the coverage file may be from another repository"
        )
    })
}

/// The file of each folder and language whose format is the most detailed.
fn found(
    root: &Path,
    language: Option<&Language>,
    notices: &mut Vec<String>,
) -> Result<Vec<OfLanguage>, CheckError> {
    let mut seen = HashSet::new();
    let mut files = Vec::new();
    for found in coverage_files::below(root) {
        let language = of(&found.path, language)?;
        if seen.insert((language.clone(), found.folder)) {
            files.push((language, found.path));
        } else {
            let left_out = "is left out: a file beside it is more detailed.";
            notices.push(format!("{} {left_out}", found.path.display()));
        }
    }
    Ok(files)
}

fn of(path: &Path, language: Option<&Language>) -> Result<Option<Language>, CheckError> {
    match language {
        Some(language) => Ok(Some(language.clone())),
        None => language_of(path).map_err(|error| failed(path, error.to_string())),
    }
}

fn failed(path: &Path, why: String) -> CheckError {
    CheckError::File {
        path: path.display().to_string(),
        why,
    }
}
