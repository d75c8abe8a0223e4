//! How similar two names are, to suggest the right one for a mistyped name.

use std::{mem, str::Chars};

/// Only this many characters of a name are compared.
const LOOKED_AT: usize = 64;

/// Returns the number of typing errors between `left` and `right`, ignoring case; `None` if it is more than a third of the
/// longer name, so that the names are not similar.
pub fn distance(left: &str, right: &str) -> Option<usize> {
    let letters = |text: &str| -> Vec<char> {
        text.chars()
            .take(LOOKED_AT)
            .flat_map(char::to_lowercase)
            .collect()
    };
    let (left, right) = (letters(left), letters(right));
    let most = left.len().max(right.len()) / 3;
    if left.len().abs_diff(right.len()) > most {
        return None;
    }
    let errors = errors(&left, &right).last().copied();
    errors.filter(|errors| *errors <= most)
}

/// Returns the least number of typing errors between `word` and any start of `name`; `None` if it is more than `most`, which is
/// small. It runs for thousands of names while somebody types, so it stops at the first letters that do not fit.
pub(crate) fn errors_in_start(word: &[char], name: &str, most: usize) -> Option<usize> {
    (0..=most).find(|errors| starts_with(name.chars(), word, *errors))
}

/// Whether a name starts with `word`, with at most this many typing errors.
fn starts_with(mut name: Chars<'_>, mut word: &[char], errors: usize) -> bool {
    while let Some((letter, rest)) = word.split_first() {
        let mut after = name.clone();
        let next = after.next();
        if next == Some(*letter) {
            (name, word) = (after, rest);
            continue;
        }
        let Some(errors) = errors.checked_sub(1) else {
            return false;
        };
        let is_added = || starts_with(name.clone(), rest, errors);
        let is_replaced = || next.is_some() && starts_with(after.clone(), rest, errors);
        let is_missing = || next.is_some() && starts_with(after.clone(), word, errors);
        let is_swapped = || {
            let mut after = after.clone();
            rest.split_first().is_some_and(|(second, rest)| {
                next == Some(*second)
                    && after.next() == Some(*letter)
                    && starts_with(after, rest, errors)
            })
        };
        return is_added() || is_replaced() || is_missing() || is_swapped();
    }
    true
}

/// Returns the number of typing errors between `left` and each start of `right`, the empty one first: letters that are missing,
/// added, replaced, or swapped with the next one (optimal string alignment).
fn errors(left: &[char], right: &[char]) -> Vec<usize> {
    // The rows of the previous letter of `left`, and of the letter before it.
    let mut row: Vec<usize> = (0..=right.len()).collect();
    let mut earlier = Vec::new();
    let mut letter_before = None;
    for (index, letter) in left.iter().enumerate() {
        let mut next = Vec::with_capacity(row.len());
        let mut least = index + 1;
        next.push(least);
        let mut other_before = None;
        for (at, (other, pair)) in right.iter().zip(row.windows(2)).enumerate() {
            let &[diagonal, above] = pair else { break };
            least = (diagonal + usize::from(letter != other))
                .min(above + 1)
                .min(least + 1);
            let is_swapped = letter_before == Some(other) && other_before == Some(letter);
            if is_swapped && let Some(before) = at.checked_sub(1).and_then(|at| earlier.get(at)) {
                least = least.min(before + 1);
            }
            next.push(least);
            other_before = Some(other);
        }
        earlier = mem::replace(&mut row, next);
        letter_before = Some(letter);
    }
    row
}

#[cfg(test)]
mod tests {
    use super::{distance, errors, errors_in_start};
    use proptest::prelude::*;

    #[test]
    fn names_are_similar_if_few_letters_differ() {
        assert_eq!(distance("payments", "payments"), Some(0));
        assert_eq!(distance("Payments", "payment"), Some(1));
        assert_eq!(distance("paymetns", "payments"), Some(1));
        assert_eq!(distance("billing", "payments"), None);
        assert_eq!(distance("", "a"), None);
        assert_eq!(distance("", ""), Some(0));
    }

    #[test]
    fn overlong_names_are_compared_by_their_start() {
        let long = "a".repeat(100_000);
        assert_eq!(distance(&long, &format!("{long}b")), Some(0));
    }

    proptest! {
        #[test]
        fn the_errors_in_the_start_of_a_name_are_the_least_of_all_its_starts(
            word in "[abc]{0,9}",
            name in "[abc]{0,12}",
            most in 0..3_usize,
        ) {
            let letters = |text: &str| -> Vec<char> { text.chars().collect() };
            let least = errors(&letters(&word), &letters(&name)).into_iter().min();
            let expected = least.filter(|errors| *errors <= most);
            prop_assert_eq!(errors_in_start(&letters(&word), &name, most), expected);
        }
    }
}
