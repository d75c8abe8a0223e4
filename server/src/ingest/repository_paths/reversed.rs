//! The components of a path from its last to its first, without a copy of its text.

use std::{iter::Chain, str::RSplit};

/// A folder that relative paths of a coverage file may be in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::ingest) struct Source(String);

impl Source {
    /// A normalised folder.
    pub(in crate::ingest) fn new(folder: String) -> Self {
        Self(folder)
    }
}

/// The components of a path, the last one first. `.` and `..` are resolved; a `..` without a folder before it is left out.
#[derive(Debug, Clone)]
pub(super) struct Reversed<'a> {
    components: Chain<RSplit<'a, char>, RSplit<'a, char>>,
    /// How many components are taken back by those after them.
    taken_back: usize,
}

impl<'a> Reversed<'a> {
    pub(super) fn of(path: &'a str) -> Self {
        Self::in_folder("", path)
    }

    pub(super) fn joined(source: &'a Source, path: &'a str) -> Self {
        Self::in_folder(&source.0, path)
    }

    fn in_folder(folder: &'a str, path: &'a str) -> Self {
        Self {
            components: path.rsplit('/').chain(folder.rsplit('/')),
            taken_back: 0,
        }
    }
}

impl<'a> Iterator for Reversed<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            match self.components.next()? {
                "" | "." => {}
                ".." => self.taken_back += 1,
                component if self.taken_back == 0 => return Some(component),
                _ => self.taken_back -= 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_those_of_the_joined_path() {
        for (folder, path, expected) in [
            ("", "src/a.c", "a.c src"),
            ("/w/build", "../src/a.c", "a.c src w"),
            ("/w", "./src//b/../a.c", "a.c src w"),
            ("", "../../a.c", "a.c"),
            (".", "a.c", "a.c"),
            ("", "", ""),
        ] {
            let source = Source::new(folder.to_owned());
            let components: Vec<_> = Reversed::joined(&source, path).collect();
            assert_eq!(components.join(" "), expected, "{folder} {path}");
        }
    }
}
