//! Parses the numbers in coverage files.

/// Parses a non-negative whole number. `None` for anything else, including numbers that do not fit.
pub(crate) fn integer<N: TryFrom<u64>>(text: &[u8]) -> Option<N> {
    let (&first, rest) = text.trim_ascii().split_first()?;
    let number = rest.iter().try_fold(digit(first)?, |number, &byte| {
        number.checked_mul(10)?.checked_add(digit(byte)?)
    })?;
    N::try_from(number).ok()
}

/// Parses a number of hits in any spelling: `1`, `100000000000`, `1,000`, `2.0`. `-1`, `NaN` and the like are 0.
///
/// A number that does not fit is [`u64::MAX`], and a fraction of one is 1, because most callers only need to know whether there are any.
pub(crate) fn hits(text: &[u8]) -> u64 {
    let text = text.trim_ascii();
    let mut hits = 0_u64;
    for (at, &byte) in text.iter().enumerate() {
        match digit(byte) {
            Some(digit) => hits = hits.saturating_mul(10).saturating_add(digit),
            None if byte == b',' => {}
            None if byte == b'.' || byte.eq_ignore_ascii_case(&b'e') => {
                return match fraction(&text[at..]) {
                    Some(is_positive) => hits.max(u64::from(is_positive)),
                    None => 0,
                };
            }
            None => return 0,
        }
    }
    hits
}

/// Parses the rest after the whole number, as in `2.50` and `1.8e+19`. Returns whether the fraction is over 0.
fn fraction(text: &[u8]) -> Option<bool> {
    let exponent = text
        .iter()
        .position(|byte| byte.eq_ignore_ascii_case(&b'e'));
    let (fraction, exponent) = text.split_at(exponent.unwrap_or(text.len()));
    let fraction = fraction.strip_prefix(b".").unwrap_or_default();
    let exponent = match exponent {
        [_, b'+' | b'-', digits @ ..] | [_, digits @ ..] => digits,
        [] => b"0",
    };
    let is_number = fraction.iter().chain(exponent).all(u8::is_ascii_digit);
    is_number.then(|| fraction.iter().any(|&digit| digit != b'0'))
}

fn digit(byte: u8) -> Option<u64> {
    byte.is_ascii_digit().then(|| u64::from(byte - b'0'))
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
    fn hits_are_read_in_every_known_spelling() {
        for (text, expected) in [
            ("1", 1),
            ("10", 10),
            ("9999999999999999", 9_999_999_999_999_999),
            ("99999999999999999999", u64::MAX),
            ("1,000", 1000),
            ("2.0", 2),
            ("0.5", 1),
            ("1e21", 1),
            ("1.8446744073709552e+19", 1),
            ("0.0e5", 0),
            (" 3", 3),
        ] {
            assert_eq!(hits(text.as_bytes()), expected, "{text}");
        }
        for text in [
            "",
            "0",
            "0.0",
            "-1",
            "-710",
            "NaN",
            "undefined",
            "-0.5",
            "1.a0e+19",
            "1.5eb+20",
            "5x",
            "7 8",
            "3/4",
        ] {
            assert_eq!(hits(text.as_bytes()), 0, "{text}");
        }
    }
}
