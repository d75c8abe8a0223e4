//! Decides which paths of archive entries are accepted. A path never becomes a path on disk, but it becomes a URL.

use super::{IngestError, Limit};

/// Returns the path of an entry without empty and `.` segments.
///
/// # Errors
///
/// [`IngestError::UnsafeEntry`] for paths that no normal report contains, [`IngestError::Limit`] for a path over `max_bytes`.
pub(super) fn entry_path(bytes: &[u8], max_bytes: usize) -> Result<String, IngestError> {
    if bytes.len() > max_bytes {
        return Err(IngestError::Limit(Limit::PathBytes(max_bytes)));
    }
    let refuse = |reason| {
        Err(IngestError::UnsafeEntry {
            path: String::from_utf8_lossy(bytes).into_owned(),
            reason,
        })
    };
    let Ok(path) = std::str::from_utf8(bytes) else {
        return refuse("has a name that is not UTF-8; rename it");
    };
    if path.chars().any(char::is_control) {
        return refuse("has a control character in its name; rename it");
    }
    if path.chars().any(changes_direction) {
        return refuse("has a character in its name that changes the text direction; rename it");
    }
    if path.contains('\\') {
        return refuse("has a backslash in its name; rename it");
    }
    if path.starts_with('/') || has_drive_letter(path) {
        return refuse("has an absolute path; pack it with a relative one");
    }
    let segments: Vec<&str> = path
        .split('/')
        .filter(|segment| !matches!(*segment, "" | "."))
        .collect();
    if segments.contains(&"..") {
        return refuse(
            "leads out of the archive with `..`; pack from the folder that contains the report",
        );
    }
    Ok(segments.join("/"))
}

/// Unicode's explicit directional formatting. It can make a name look like another name.
fn changes_direction(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// `C:/x` is absolute on Windows, and `C:x` is relative to the current folder of that drive.
fn has_drive_letter(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_paths_lose_only_empty_segments() {
        for (path, accepted) in [
            ("./build/index.html", "build/index.html"),
            ("build//a b/ü.html", "build/a b/ü.html"),
            ("./", ""),
            ("..foo/x..html", "..foo/x..html"),
            ("std::vec.html", "std::vec.html"),
        ] {
            assert_eq!(
                entry_path(path.as_bytes(), 1_024).expect("a path"),
                accepted
            );
        }
    }

    #[test]
    fn unsafe_paths_are_refused() {
        for path in [
            "../x",
            "a/../../x",
            "a/..",
            "/etc/passwd",
            "C:/x",
            "C:x",
            "a\u{202e}lmth.b",
            "a\\b",
            "a\nb",
            "a\0b",
            "\u{7f}",
        ] {
            assert!(
                matches!(
                    entry_path(path.as_bytes(), 1_024),
                    Err(IngestError::UnsafeEntry { .. })
                ),
                "{path:?}"
            );
        }
        assert!(matches!(
            entry_path(b"a\xff", 1_024),
            Err(IngestError::UnsafeEntry { .. })
        ));
        assert!(matches!(
            entry_path(b"12345", 4),
            Err(IngestError::Limit(Limit::PathBytes(4)))
        ));
    }
}
