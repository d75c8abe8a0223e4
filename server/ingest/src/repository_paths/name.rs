//! The normal form of paths, in which they are compared.

use lines::has_drive;
use std::borrow::Cow;

/// The most components of a path that are compared, from its end.
pub(super) const MAX_COMPONENTS: usize = 32;

/// Longer paths are not compared. This is the longest path on Linux (`PATH_MAX`).
pub(super) const MAX_BYTES: usize = 4_096;

/// Returns a path with `/` between its components and a drive letter in lower case. `.` and `..` are resolved; a `..` without a
/// folder before it is dropped. A folder has no trailing `/`, except for `/`.
pub(super) fn normalised(path: &str) -> String {
    let path = path.strip_prefix("file://").unwrap_or(path);
    let slashed = match path.contains('\\') {
        true => Cow::Owned(path.replace('\\', "/")),
        false => Cow::Borrowed(path),
    };
    // Windows' prefix of long paths.
    let path = slashed.strip_prefix("//?/").unwrap_or(&slashed);
    // `/C:/` is the path of a URL.
    let path = path
        .strip_prefix('/')
        .filter(|path| has_drive(path))
        .unwrap_or(path);
    let start = if path.starts_with('/') { "/" } else { "" };
    let mut kept: Vec<&str> = Vec::new();
    for component in path.split('/') {
        match component {
            "" | "." => {}
            ".." => {
                kept.pop();
            }
            component => kept.push(component),
        }
    }
    let mut normalised = format!("{start}{}", kept.join("/"));
    if has_drive(&normalised)
        && let Some(drive) = normalised.get_mut(..1)
    {
        drive.make_ascii_lowercase();
    }
    normalised
}

pub(super) fn components(path: &str) -> impl DoubleEndedIterator<Item = &str> {
    path.split('/').filter(|component| !component.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_written_in_one_way() {
        for (path, expected) in [
            ("src/a.c", "src/a.c"),
            ("./src//b/../a.c", "src/a.c"),
            ("/w/src/a.c", "/w/src/a.c"),
            ("src\\b\\a.cs", "src/b/a.cs"),
            ("C:\\w\\a.cs", "c:/w/a.cs"),
            ("file:///C:/w/a.cs", "c:/w/a.cs"),
            ("\\\\?\\D:\\w\\a.cs", "d:/w/a.cs"),
            ("file:///w/a.c", "/w/a.c"),
            ("../../a.c", "a.c"),
            ("/w/..", "/"),
            ("src/a.c ", "src/a.c "),
            ("", ""),
        ] {
            assert_eq!(normalised(path), expected, "{path}");
        }
    }
}
