//! Normalises the paths that tools write: `/` as separator, no redundant segments, and without the folder of the machine
//! that ran the tests.

/// Normalises a path: `\` becomes `/`; `./` and repeated `/` are removed.
pub(super) fn tidy(path: &mut String) {
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

/// The longest folder to leave out, in bytes: the longest path on Linux (`PATH_MAX`).
const MAX_ROOT_BYTES: usize = 4_096;

/// The common folder of all paths, up to its last `/`; empty if one of them is not absolute.
pub(super) struct Root(String);

impl Root {
    /// Finds the common folder of normalised paths. Empty paths are ignored.
    pub(super) fn of<'a>(paths: impl Iterator<Item = &'a str>) -> Self {
        let mut root: Option<&str> = None;
        for path in paths.filter(|path| !path.is_empty()) {
            if !is_absolute(path) {
                return Self(String::new());
            }
            let folder = path.rfind('/').map_or("", |end| &path[..=end]);
            root = Some(match root {
                None => folder,
                Some(root) => common(root, folder),
            });
        }
        let root = root.filter(|root| root.len() <= MAX_ROOT_BYTES);
        Self(root.unwrap_or_default().to_owned())
    }

    /// Returns `path` without this folder.
    pub(super) fn rest_of<'a>(&self, path: &'a str) -> &'a str {
        path.strip_prefix(&self.0).unwrap_or(path)
    }

    pub(super) fn into_text(self) -> String {
        self.0
    }
}

/// Whether a path is absolute on Unix or on Windows (`C:/…`).
fn is_absolute(path: &str) -> bool {
    match path.as_bytes() {
        [b'/', ..] => true,
        [drive, b':', b'/', ..] => drive.is_ascii_alphabetic(),
        _ => false,
    }
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
        let root = |paths: &[&str]| Root::of(paths.iter().copied()).into_text();
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
        assert_eq!(Root("/w/".to_owned()).rest_of("/w/a.c"), "a.c");
    }
}
