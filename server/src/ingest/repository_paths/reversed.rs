//! The components of a path from its last to its first.

/// The most components of a path that are compared. Paths that agree in so many are taken as ambiguous.
const MAX_COMPONENTS: usize = 32;

/// A folder that relative paths of a coverage file may be in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::ingest) struct Source(String);

impl Source {
    /// A normalised folder.
    pub(in crate::ingest) fn new(folder: &str) -> Self {
        let mut components = Reversed::of(folder).0;
        components.reverse();
        Self(components.join("/"))
    }
}

/// The last components of a path, the last one first. `.` and `..` are resolved; a `..` without a folder before it is left out.
#[derive(Debug, Clone)]
pub(super) struct Reversed<'a>(Vec<&'a str>);

impl<'a> Reversed<'a> {
    pub(super) fn of(path: &'a str) -> Self {
        Self::resolved(path.rsplit('/'))
    }

    pub(super) fn joined(source: &'a Source, path: &'a str) -> Self {
        Self::resolved(path.rsplit('/').chain(source.0.rsplit('/')))
    }

    fn resolved(components: impl Iterator<Item = &'a str>) -> Self {
        let mut resolved = Vec::new();
        let mut taken_back = 0_usize;
        for component in components {
            match component {
                "" | "." => {}
                ".." => taken_back += 1,
                _ if taken_back > 0 => taken_back -= 1,
                _ if resolved.len() == MAX_COMPONENTS => break,
                component => resolved.push(component),
            }
        }
        Self(resolved)
    }

    pub(super) fn components(&self) -> &[&'a str] {
        &self.0
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
            ("/w/x/..", "a.c", "a.c w"),
            ("", "../../a.c", "a.c"),
            (".", "a.c", "a.c"),
            ("", "", ""),
        ] {
            let source = Source::new(folder);
            let components = Reversed::joined(&source, path).0;
            assert_eq!(components.join(" "), expected, "{folder} {path}");
        }
    }

    #[test]
    fn only_the_last_components_of_a_deep_path_are_compared() {
        let deep = "a/".repeat(100) + "b";
        assert_eq!(Reversed::of(&deep).0.len(), MAX_COMPONENTS);
    }
}
