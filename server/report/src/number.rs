//! Numbers as reports write them.

/// A whole number that is not negative; `None` for anything else, also if it does not fit.
pub(crate) fn integer<N: TryFrom<u64>>(text: &[u8]) -> Option<N> {
    let (&first, rest) = text.trim_ascii().split_first()?;
    let number = rest.iter().try_fold(digit(first)?, |number, &byte| {
        number.checked_mul(10)?.checked_add(digit(byte)?)
    })?;
    N::try_from(number).ok()
}

fn digit(byte: u8) -> Option<u64> {
    byte.is_ascii_digit().then(|| u64::from(byte - b'0'))
}

/// Whether a number of hits is more than none, however it is written: `1`, `100000000000`, `1,000`, `2.0`, not `-1`.
pub(crate) fn is_positive(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    !text.starts_with(b"-") && text.iter().any(|byte| (b'1'..=b'9').contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_digits_are_an_integer() {
        assert_eq!(integer::<u64>(b" 42 "), Some(42));
        assert_eq!(integer::<u64>(b"18446744073709551615"), Some(u64::MAX));
        let not = [
            "",
            "-1",
            "+1",
            "1.0",
            "1,000",
            "undefined",
            "NaN",
            "18446744073709551616",
        ];
        for text in not {
            assert_eq!(integer::<u64>(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn hits_are_positive_in_every_spelling_that_is_in_use() {
        for text in [
            "1",
            "10",
            "9999999999999999",
            "99999999999999999999",
            "1,000",
            "2.0",
            " 3",
        ] {
            assert!(is_positive(text.as_bytes()), "{text}");
        }
        for text in ["", "0", "0.0", "-1", "-710", "NaN", "undefined"] {
            assert!(!is_positive(text.as_bytes()), "{text}");
        }
    }
}
