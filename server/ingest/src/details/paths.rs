//! Normalises the paths of coverage files: `/` as separator, no redundant segments, and without the folder of the machine that
//! ran the tests.

use crate::source_file::SourceFile;
use ::lines::is_absolute;

/// Normalises a path: `\` becomes `/`; `./` and repeated `/` are removed.
pub(crate) fn tidy(path: &mut String) {
    let is_tidy = !path.contains(['\\']) && !path.contains("//") && !path.contains("./");
    if is_tidy {
        return;
    }
    let slashed = path.replace('\\', "/");
    let start = if slashed.starts_with('/') { "/" } else { "" };
    let segments = slashed.split('/');
    let segments: Vec<_> = segments
        .filter(|segment| !matches!(*segment, "" | "."))
        .collect();
    *path = format!("{start}{}", segments.join("/"));
}

/// The longest folder to remove, in bytes: the longest path on Linux (`PATH_MAX`).
const MAX_ROOT_BYTES: usize = 4_096;

/// The longest relative source that is joined to every path.
const MAX_JOINED_BYTES: usize = 128;

/// The folder that is removed from the paths of a part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Root {
    /// Ends with `/`, or is empty.
    pub(crate) folder: String,
    /// Whether the coverage file states the folder. Otherwise it is the common start of all its paths, which may be too long.
    pub(crate) is_stated: bool,
}

impl Root {
    /// Finds the common folder of normalised paths, up to its last `/`. It is empty if one of the paths is relative. Empty paths are
    /// ignored.
    pub(crate) fn of<'a>(paths: impl Iterator<Item = &'a str>) -> Self {
        let mut root: Option<&str> = None;
        for path in paths.filter(|path| !path.is_empty()) {
            if !is_absolute(path) {
                return Self::common(String::new());
            }
            let folder = path.rfind('/').map_or("", |end| &path[..=end]);
            root = Some(match root {
                None => folder,
                Some(root) => common(root, folder),
            });
        }
        let root = root.filter(|root| root.len() <= MAX_ROOT_BYTES);
        Self::common(root.unwrap_or_default().to_owned())
    }

    fn common(folder: String) -> Self {
        Self {
            folder,
            is_stated: false,
        }
    }

    /// Finds the folder to remove if the repository's paths are not known. Relative paths are joined to the only source: a
    /// relative source becomes part of the paths, an absolute one is the folder.
    pub(super) fn of_files(files: &mut [SourceFile], sources: &[String]) -> Self {
        let has_relative = files
            .iter()
            .any(|file| !file.path.is_empty() && !is_absolute(&file.path));
        match sources {
            [source] if has_relative && is_absolute(source) => {
                let root = format!("{}/", source.trim_end_matches('/'));
                let is_short = root.len() <= MAX_ROOT_BYTES;
                Self {
                    folder: if is_short { root } else { String::new() },
                    is_stated: is_short,
                }
            }
            [source] if has_relative && source.len() <= MAX_JOINED_BYTES => {
                for file in files.iter_mut().filter(|file| !file.path.is_empty()) {
                    if !is_absolute(&file.path) {
                        file.path.insert_str(0, &format!("{source}/"));
                        tidy(&mut file.path);
                    }
                }
                Self::common(String::new())
            }
            _ => Self::of(files.iter().map(|file| file.path.as_str())),
        }
    }

    /// Removes this folder from a path.
    pub(crate) fn strip(&self, path: &mut String) {
        if path.starts_with(&self.folder) {
            path.drain(..self.folder.len());
        }
    }
}

/// Normalises the sources of a coverage file. The folder of the job and the folders around it are useless as sources. Each source
/// is kept once.
pub(super) fn tidy_sources(sources: Vec<String>) -> Vec<String> {
    let mut tidied: Vec<String> = Vec::new();
    for mut source in sources {
        tidy(&mut source);
        if source.len() > 1 && source.ends_with('/') {
            source.pop();
        }
        let says_nothing = matches!(source.as_str(), "" | "." | "..") || source.starts_with("../");
        if !says_nothing && !tidied.contains(&source) {
            tidied.push(source);
        }
    }
    tidied
}

/// Returns the common start of two folders, up to a `/`.
fn common<'a>(a: &'a str, b: &str) -> &'a str {
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let end = a.as_bytes()[..same].iter().rposition(|byte| *byte == b'/');
    end.map_or("", |end| &a[..=end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tidied(path: &str) -> String {
        let mut path = path.to_owned();
        tidy(&mut path);
        path
    }

    #[test]
    fn separators_and_empty_segments_are_normalised() {
        for (path, expected) in [
            ("src/a.c", "src/a.c"),
            ("./src//a.c", "src/a.c"),
            ("src\\b\\.\\a.c", "src/b/a.c"),
            ("C:\\w\\a.cs", "C:/w/a.cs"),
            ("/w/./a.c", "/w/a.c"),
            ("../a.c", "../a.c"),
            ("a./b", "a./b"),
            ("", ""),
            ("/", "/"),
        ] {
            assert_eq!(tidied(path), expected, "{path}");
        }
    }

    #[test]
    fn the_common_folder_of_absolute_paths_is_removed() {
        let root = |paths: &[&str]| Root::of(paths.iter().copied()).folder;
        assert_eq!(root(&["/w/src/a.c", "/w/src/b/c.c"]), "/w/src/");
        assert_eq!(root(&["/w/src/a.c", "/w/srcs/b.c"]), "/w/");
        assert_eq!(root(&["/w/a.c", "/usr/b.h"]), "/");
        assert_eq!(root(&["C:/w/a.cs", "C:/w/b.cs"]), "C:/w/");
        assert_eq!(root(&["C:/w/a.cs", "D:/w/b.cs"]), "");
        assert_eq!(root(&["/w/a.c", "src/b.c"]), "");
        assert_eq!(root(&["src/a.c", "src/b.c"]), "");
        assert_eq!(root(&["", "/w/a.c"]), "/w/");
        assert_eq!(root(&[]), "");
        let endless = format!("/{}/a.c", "x".repeat(MAX_ROOT_BYTES));
        assert_eq!(root(&[&endless]), "");
        let mut path = "/w/a.c".to_owned();
        Root::common("/w/".to_owned()).strip(&mut path);
        assert_eq!(path, "a.c");
    }

    fn joined(sources: &[&str], paths: &[&str]) -> (String, Vec<String>) {
        let named = |path: &&str| SourceFile {
            path: (*path).to_owned(),
            ..SourceFile::default()
        };
        let mut files: Vec<_> = paths.iter().map(named).collect();
        let sources = tidy_sources(sources.iter().map(|&source| source.to_owned()).collect());
        let root = Root::of_files(&mut files, &sources);
        let stripped = files.into_iter().map(|mut file| {
            root.strip(&mut file.path);
            file.path
        });
        let paths = stripped.collect();
        (root.folder, paths)
    }

    #[test]
    fn relative_paths_are_joined_to_the_only_source() {
        for (sources, paths, root, expected) in [
            (
                &["src"][..],
                &["a.c", "b/c.c"][..],
                "",
                &["src/a.c", "src/b/c.c"][..],
            ),
            (
                &["./src/"],
                &["a.c", "/usr/b.h"],
                "",
                &["src/a.c", "/usr/b.h"],
            ),
            (
                &["/w/src/"],
                &["a.c", "b/c.c"],
                "/w/src/",
                &["a.c", "b/c.c"],
            ),
            (
                &["/w"],
                &["a.c", "/w/b.c", "/usr/c.h"],
                "/w/",
                &["a.c", "b.c", "/usr/c.h"],
            ),
            (&["C:\\w"], &["a.cs"], "C:/w/", &["a.cs"]),
            // Nothing is guessed.
            (&["/w/a", "/w/b"], &["a.c"], "", &["a.c"]),
            (&["."], &["a.c"], "", &["a.c"]),
            (&[".."], &["a.c"], "", &["a.c"]),
            (&["../lib"], &["a.c"], "", &["a.c"]),
            (&["src", "./src", "src/"], &["a.c"], "", &["src/a.c"]),
            // A source is only for relative paths.
            (
                &["/w"],
                &["/w/src/a.c", "/w/src/b.c"],
                "/w/src/",
                &["a.c", "b.c"],
            ),
        ] {
            let expected: Vec<_> = expected.iter().map(|&path| path.to_owned()).collect();
            assert_eq!(
                joined(sources, paths),
                (root.to_owned(), expected),
                "{sources:?}"
            );
        }
        let endless = "x".repeat(MAX_JOINED_BYTES + 1);
        assert_eq!(joined(&[&endless], &["a.c"]).1, ["a.c"]);
    }
}
