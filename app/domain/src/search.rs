//! Finds names by words: in any order, in upper or lower case, with typing errors.

use crate::{CommitHash, likeness::errors_in_start};

/// The most words of a search, and the most characters of a word. The rest is ignored: nobody types so much.
const MOST_WORDS: usize = 8;
const LONGEST_WORD: usize = 64;

/// The fewest characters of a word for a search of commit hashes: too many hashes begin with a shorter word.
pub const SHORTEST_COMMIT: usize = 4;

/// What a reader searches for: words that all have to be in a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(Vec<String>);

/// How well a name matches; the smallest is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank(u32);

/// Whether a word matches with typing errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typos {
    /// Only as it is typed.
    Refused,
    /// In each part of a word: one error from 4 letters on, two from 8 letters on.
    Forgiven,
}

impl Words {
    /// The words in `text`, between spaces.
    pub fn of(text: &str) -> Self {
        let words = text.split_whitespace().take(MOST_WORDS);
        let words = words.map(|word| folded(word).chars().take(LONGEST_WORD).collect());
        Self(words.collect())
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The words, in lower case.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// The word, in lower case, if it is the only word and can be the start of a commit hash. The word need not be hexadecimal: other
    /// systems than git have other names for commits.
    pub fn commit(&self) -> Option<&str> {
        match self.0.as_slice() {
            [word] if word.len() >= SHORTEST_COMMIT => {
                word.parse::<CommitHash>().is_ok().then_some(word)
            }
            _ => None,
        }
    }

    /// How well a name matches; `None` if a word does not match. The caller has [`folded`] the name.
    pub fn rank(&self, name: &str, typos: Typos) -> Option<Rank> {
        let ranks = self.0.iter().map(|word| rank(word, name, typos));
        ranks.sum::<Option<u32>>().map(Rank)
    }
}

/// A name as [`Words::rank`] compares it: in lower case.
pub fn folded(name: &str) -> String {
    name.to_lowercase()
}

/// The best match is a whole part of the name, then the start of a part, then any other place, then a match with typing errors.
fn rank(word: &str, name: &str, typos: Typos) -> Option<u32> {
    let literal = name.match_indices(word).map(|(at, _)| {
        let before = name[..at].chars().next_back();
        let after = name[at + word.len()..].chars().next();
        match (before.is_none_or(is_border), after.is_none_or(is_border)) {
            (true, true) => 0,
            (true, false) => 1,
            (false, _) => 2,
        }
    });
    literal.min().or_else(|| match typos {
        Typos::Refused => None,
        Typos::Forgiven => with_typos(word, name),
    })
}

/// Compares each part of the word, such as the org and the repository in `acme/paymetns`.
fn with_typos(word: &str, name: &str) -> Option<u32> {
    let errors: Option<usize> = parts(word).map(|part| errors_of(part, name)).sum();
    // The whole word is not in the name. If no part has an error, there is no typing error to forgive: the name has the parts of
    // the word in another order or with other characters between the parts, or the word has no parts, such as `--`.
    let errors = errors.filter(|errors| *errors > 0)?;
    Some(2 + 2 * u32::try_from(errors).ok()?)
}

/// The typing errors in a part of a word; `None` if they are too many.
fn errors_of(part: &str, name: &str) -> Option<usize> {
    if name.contains(part) {
        return Some(0);
    }
    let letters: Vec<char> = part.chars().collect();
    let most = match letters.len() {
        0..4 => return None,
        4..8 => 1,
        _ => 2,
    };
    let errors = parts(name).filter_map(|other| errors_in_start(&letters, other, most));
    errors.min()
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_border).filter(|part| !part.is_empty())
}

/// Whether a character separates parts of a name: it is neither a letter nor a digit.
fn is_border(letter: char) -> bool {
    !letter.is_alphanumeric()
}

#[cfg(test)]
mod tests;
