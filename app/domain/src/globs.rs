//! Matches a path with many patterns at a time.
//!
//! All patterns form one automaton with one state for each element of each pattern. States are bits of words, so a byte of a path
//! moves 64 states at a time. The time is the length of the path times the number of words, for all patterns and paths.

mod pattern;

pub use pattern::{PathPattern, Reach};

use crate::PathGlob;
use pattern::Element;

const BITS: usize = 64;

/// Patterns that match paths together.
#[derive(Clone, Debug)]
pub struct PathGlobs {
    /// The number of words that hold the states.
    words: usize,
    /// The states that a byte moves to the next one: a row of words for each class of bytes.
    moves: Vec<u64>,
    /// The row of each byte.
    row_of: [u16; 256],
    /// The states that a byte may leave unchanged.
    stars: Vec<u64>,
    folders: Vec<u64>,
    rests: Vec<u64>,
    /// The first state of each pattern, and the states in which the pattern matches.
    ends: Vec<(usize, [usize; 2])>,
}

impl PathGlobs {
    /// The most bytes of a path that a pattern matches.
    pub const MAX_PATH_BYTES: usize = 1_024;

    /// The most components of a path that a pattern matches.
    pub const MAX_COMPONENTS: usize = 64;

    /// The most steps for matching the paths of a record or of a repository with one definition: they take one to two seconds.
    pub const MAX_STEPS: u64 = 1_000_000_000;

    /// Compiles the patterns. Results name a pattern by its index.
    #[must_use]
    pub fn new<'a>(globs: impl IntoIterator<Item = &'a PathGlob>) -> Self {
        Self::compiled(globs.into_iter().map(PathPattern::from))
    }

    /// Compiles patterns of another syntax. The time and the memory are linear in [`PathPattern::states`] of all patterns.
    #[must_use]
    pub fn compiled(patterns: impl IntoIterator<Item = PathPattern>) -> Self {
        let (mut all, mut ends) = (Vec::new(), Vec::new());
        for pattern in patterns {
            let first = all.len();
            let (elements, matching) = pattern.finished();
            ends.push((first, matching.map(|state| first + state)));
            all.extend(elements.into_iter().map(Some));
            // The last state of a pattern does not wait for a byte.
            all.push(None);
        }
        let mut named = [false; 256];
        named[usize::from(b'/')] = true;
        for element in all.iter().flatten() {
            element.name(&mut named);
        }
        // The first two rows are for all bytes that no pattern names: inside of a character, and the first byte of one.
        let (mut row_of, mut rows) = ([0; 256], 2_u16);
        let mut names = Vec::new();
        for (byte, row) in (0..=u8::MAX).zip(&mut row_of) {
            *row = u16::from(byte != b'/' && !is_rest(byte));
            if named[usize::from(byte)] {
                *row = rows;
                rows += 1;
                names.push(byte);
            }
        }
        let words = all.len().div_ceil(BITS);
        let (mut stars, mut folders, mut rests) = (vec![0; words], vec![0; words], vec![0; words]);
        let mut moves = vec![0; words * usize::from(rows)];
        let mut move_by = |row: u16, state| set(&mut moves[usize::from(row) * words..], state);
        for (state, element) in all.iter().enumerate() {
            match element {
                None => {}
                Some(Element::Star) => set(&mut stars, state),
                Some(Element::Folders) => set(&mut folders, state),
                Some(Element::Rest) => set(&mut rests, state),
                Some(Element::Byte(byte)) => move_by(row_of[usize::from(*byte)], state),
                Some(Element::OneOf { bytes, other }) => {
                    if *other {
                        move_by(1, state);
                    }
                    for &byte in &names {
                        let is_in = byte < 128 && bytes >> byte & 1 == 1;
                        if byte != b'/' && !is_rest(byte) && is_in != *other {
                            move_by(row_of[usize::from(byte)], state);
                        }
                    }
                }
            }
        }
        Self {
            words,
            moves,
            row_of,
            stars,
            folders,
            rests,
            ends,
        }
    }

    /// Whether a pattern can match the path: a path that is too long matches none.
    #[must_use]
    pub fn can_match(path: &str) -> bool {
        path.len() <= Self::MAX_PATH_BYTES
            && path.bytes().filter(|&byte| byte == b'/').count() < Self::MAX_COMPONENTS
    }

    /// About how many bytes it takes in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.moves) + 3 * size_of_val(&*self.stars) + size_of_val(&*self.ends)
    }

    /// How many steps [`Self::matching`] takes at most.
    #[must_use]
    pub fn steps(&self, path: &str) -> u64 {
        match Self::can_match(path) {
            true => (self.words * (path.len() + 1) + self.ends.len()) as u64,
            false => 0,
        }
    }

    /// The indexes of the patterns that match a path. A path that is too long matches no pattern.
    #[must_use]
    pub fn matching(&self, path: &str) -> Vec<usize> {
        if self.words == 0 || !Self::can_match(path) {
            return Vec::new();
        }
        let mut active = vec![0; self.words];
        for &(first, _) in &self.ends {
            set(&mut active, first);
        }
        self.step(&mut active, None);
        for &byte in path.as_bytes() {
            self.step(&mut active, Some(byte));
        }
        let ends = self.ends.iter().enumerate();
        let is_active = |state: usize| active[state / BITS] >> (state % BITS) & 1 == 1;
        let matching = ends.filter(|(_, (_, states))| states.iter().any(|&state| is_active(state)));
        matching.map(|(place, _)| place).collect()
    }

    /// Moves the states by a byte; without a byte, begins a path. Then adds the states that are reached without a byte.
    fn step(&self, active: &mut [u64], byte: Option<u8>) {
        let begins = byte.is_none_or(|byte| byte == b'/');
        let row = byte.map(|byte| {
            let row = usize::from(self.row_of[usize::from(byte)]) * self.words;
            &self.moves[row..row + self.words]
        });
        // Carries from the highest bit of the previous word: by the byte, and without a byte.
        let (mut moved, mut after_folders, mut after_rest, mut after_star) = (0, 0, 0, 0);
        for (word, state) in active.iter_mut().enumerate() {
            if *state | moved | after_folders | after_rest | after_star == 0 {
                continue;
            }
            let mut next = *state;
            if let (Some(byte), Some(row)) = (byte, row) {
                let moving = *state & row[word];
                let mut stays = self.folders[word];
                if byte != b'/' {
                    stays |= self.stars[word];
                }
                if is_rest(byte) {
                    stays |= self.rests[word];
                }
                next = *state & stays | moving << 1 | moved;
                moved = moving >> (BITS - 1);
            }
            if begins {
                follow(&mut next, self.folders[word], &mut after_folders);
            }
            follow(&mut next, self.rests[word], &mut after_rest);
            follow(&mut next, self.stars[word], &mut after_star);
            *state = next;
        }
    }
}

/// Adds the states that follow the states of `optional`, which need no byte.
fn follow(next: &mut u64, optional: u64, carry: &mut u64) {
    *next |= *carry;
    let skipped = *next & optional;
    *next |= skipped << 1;
    *carry = skipped >> (BITS - 1);
}

fn set(bits: &mut [u64], state: usize) {
    bits[state / BITS] |= 1 << (state % BITS);
}

/// Whether the byte is inside a character, after its first byte.
fn is_rest(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::{collection::vec, prelude::*};

    fn globs(all: &[impl AsRef<str>]) -> PathGlobs {
        let all: Vec<PathGlob> = all
            .iter()
            .map(|glob| glob.as_ref().parse().expect("a glob"))
            .collect();
        PathGlobs::new(&all)
    }

    fn is_match(glob: &str, path: &str) -> bool {
        globs(&[glob]).matching(path) == [0]
    }

    #[test]
    fn a_glob_matches_whole_paths_only() {
        for (glob, path) in [
            ("billing/**", "billing/tax.rs"),
            ("billing/**", "billing/a/b/tax.rs"),
            ("**", "tax.rs"),
            ("**", "a/b/tax.rs"),
            ("**/**", "a/b/tax.rs"),
            ("**/tax.rs", "tax.rs"),
            ("**/tax.rs", "a/b/tax.rs"),
            ("src/**/*.rs", "src/tax.rs"),
            ("src/**/*.rs", "src/a/b/tax.rs"),
            ("**/a/**/b/**", "x/a/a/y/b/b"),
            ("src/*.rs", "src/.rs"),
            ("src/t?x.rs", "src/täx.rs"),
            ("src/t?*x.rs", "src/täöx.rs"),
            ("src/*ä?", "src/öä€"),
            ("src/[a].rs", "src/[a].rs"),
            ("a/**b/c", "a/xb/c"),
            ("*a*b", "aaxbxb"),
        ] {
            assert!(is_match(glob, path), "{glob} {path}");
        }
        for (glob, path) in [
            ("billing/**", "billing"),
            ("billing/**", "src/billing/tax.rs"),
            ("billing/**", "billings/tax.rs"),
            ("billing", "billing/tax.rs"),
            ("src/*.rs", "src/a/tax.rs"),
            ("src/*", "src"),
            ("src/?.rs", "src/ab.rs"),
            ("src/?.rs", "src/.rs"),
            ("src/??.rs", "src/ä.rs"),
            ("src?a.rs", "src/a.rs"),
            ("src/[a].rs", "src/a.rs"),
            ("a/**b/c", "a/x/b/c"),
            ("Src/*", "src/a"),
            ("**/a/**/b", "a/c/b/c"),
        ] {
            assert!(!is_match(glob, path), "{glob} {path}");
        }
    }

    #[test]
    fn a_path_over_1024_bytes_or_64_components_matches_no_pattern() {
        let long = |bytes: usize| "a".repeat(bytes);
        assert!(is_match("**", &long(1_024)));
        assert!(!is_match("**", &long(1_025)));
        let deep = |components: usize| vec!["a"; components].join("/");
        assert!(is_match("**/a", &deep(64)));
        assert!(!is_match("**/a", &deep(65)));
    }

    #[test]
    fn the_steps_of_hostile_patterns_are_linear_in_the_path() {
        let stars = format!("{}b", "*a".repeat(127));
        let folders = format!("{}b", "**/a/".repeat(50));
        let hostile: Vec<_> = (0..50).map(|place| [&stars, &folders][place % 2]).collect();
        let hostile = globs(&hostile);
        let steps = |bytes: usize| hostile.steps(&"a".repeat(bytes));
        // Fifty patterns of 255 bytes are 200 words, or up to twice as many if they consist of question marks.
        assert_eq!((steps(1_000) - 50) / 1_001, (steps(10) - 50) / 11);
        assert!(steps(1_000) <= 200 * 1_001 + 50, "{}", steps(1_000));
        assert_eq!(steps(1_000_000), 0);
        assert_eq!(hostile.matching(&"a".repeat(1_000)), [0; 0]);
        assert_eq!(
            hostile.matching(&format!("{}b", "a".repeat(1_000))).len(),
            25
        );
    }

    /// The definition, which may take exponential time.
    fn defined(pattern: &[&str], path: &[&str]) -> bool {
        fn component(pattern: &[char], name: &[char]) -> bool {
            match (pattern, name) {
                ([], []) => true,
                (['*', rest @ ..], _) => {
                    (0..=name.len()).any(|taken| component(rest, &name[taken..]))
                }
                ([wanted, rest @ ..], [first, names @ ..]) => {
                    (*wanted == '?' || wanted == first) && component(rest, names)
                }
                _ => false,
            }
        }
        let chars = |text: &str| text.chars().collect::<Vec<_>>();
        match (pattern, path) {
            ([], []) => true,
            (["**"], _) => !path.is_empty(),
            (["**", rest @ ..], _) => (0..=path.len()).any(|taken| defined(rest, &path[taken..])),
            ([wanted, rest @ ..], [first, names @ ..]) => {
                component(&chars(wanted), &chars(first)) && defined(rest, names)
            }
            _ => false,
        }
    }

    proptest! {
        #[test]
        fn matching_many_patterns_is_as_defined_for_each(
            all in vec("([aé*?]{1,4}|\\*\\*)(/([aé*?]{1,4}|\\*\\*)){0,4}", 1..30),
            path in "[aéà]{1,4}(/[aéà]{1,3}){0,5}",
        ) {
            let names: Vec<_> = path.split('/').collect();
            let matches = |glob: &String| defined(&glob.split('/').collect::<Vec<_>>(), &names);
            let expected: Vec<_> = (0..all.len()).filter(|&place| matches(&all[place])).collect();
            prop_assert_eq!(globs(&all).matching(&path), expected);
        }
    }
}
