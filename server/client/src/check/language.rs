//! Guesses the language of a coverage file by the names of source files in it, as the uploader does.

use domain::{Language, language_of_ending};
use std::{
    cmp::Reverse,
    collections::BTreeMap,
    fs::File,
    io::{self, Read},
    path::Path,
};

const START: u64 = 8_000_000;

/// The longest ending of a name that counts.
const LONGEST: usize = 6;

/// The most frequent known language of a coverage file.
pub(super) fn language_of(path: &Path) -> io::Result<Option<Language>> {
    let mut start = Vec::new();
    File::open(path)?.take(START).read_to_end(&mut start)?;
    let endings = endings(&start);
    let has = |wanted: &[&str]| endings.iter().any(|it| wanted.contains(it));
    let known = endings
        .iter()
        .find_map(|ending| language_of_ending(ending, has));
    Ok(known.and_then(|name| name.parse().ok()))
}

/// The endings of names, the most frequent first.
fn endings(text: &[u8]) -> Vec<&str> {
    let mut counts = BTreeMap::<&str, usize>::new();
    for point in memchr::memchr_iter(b'.', text) {
        let after = &text[point + 1..];
        let end = after.iter().position(|byte| !byte.is_ascii_alphabetic());
        let (ending, rest) = after.split_at(end.unwrap_or(after.len()));
        let ends_a_name = matches!(rest.first(), None | Some(b'\n' | b'.' | b'"' | b':'));
        if let Ok(ending) = str::from_utf8(ending)
            && ends_a_name
            && (1..=LONGEST).contains(&ending.len())
        {
            *counts.entry(ending).or_default() += 1;
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| Reverse(*count));
    counts.into_iter().map(|(ending, _)| ending).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_known_ending_decides() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("coverage");
        for (text, language) in [
            ("SF:src/a.rs\nSF:src/b.rs\nSF:build.py\n", Some("rust")),
            (
                "<class filename=\"a.py\"/><class filename=\"b.py\"/>",
                Some("python"),
            ),
            ("SF:a.js\nSF:b.js\nSF:c.ts\n", Some("typescript")),
            ("{\"a.vue\": {}}", Some("javascript")),
            ("SF:a.h\nSF:b.h\nSF:c.c\nSF:d.hpp\n", Some("c++")),
            ("mode: set\nexample.com/x/a.go:1.2,3.4 1 1\n", Some("go")),
            ("SF:a.zig\n", None),
            ("<coverage version=\"1.9\">", None),
        ] {
            std::fs::write(&path, text).expect("written");
            let found = language_of(&path).expect("read");
            assert_eq!(found.as_ref().map(Language::as_str), language, "{text}");
        }
    }
}
