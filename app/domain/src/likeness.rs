//! How similar two names are, to suggest the right one for a mistyped name.

/// Only this many characters of a name are compared.
const LOOKED_AT: usize = 64;

/// Returns the Levenshtein distance of `left` and `right`, ignoring case; none if it is more than a third of the longer
/// name, so that the names are not similar.
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
    // Levenshtein distance, one row at a time.
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, letter) in left.iter().enumerate() {
        let mut diagonal = index;
        let mut before = index + 1;
        if let Some(first) = row.first_mut() {
            *first = before;
        }
        for (other, cell) in right.iter().zip(row.iter_mut().skip(1)) {
            let cost = (diagonal + usize::from(letter != other))
                .min(before + 1)
                .min(*cell + 1);
            diagonal = *cell;
            *cell = cost;
            before = cost;
        }
    }
    row.last().copied().filter(|distance| *distance <= most)
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn names_are_similar_if_few_letters_differ() {
        assert_eq!(distance("payments", "payments"), Some(0));
        assert_eq!(distance("Payments", "payment"), Some(1));
        assert_eq!(distance("paymetns", "payments"), Some(2));
        assert_eq!(distance("billing", "payments"), None);
        assert_eq!(distance("", "a"), None);
        assert_eq!(distance("", ""), Some(0));
    }

    #[test]
    fn overlong_names_are_compared_by_their_start() {
        let long = "a".repeat(100_000);
        assert_eq!(distance(&long, &format!("{long}b")), Some(0));
    }
}
