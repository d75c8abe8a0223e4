//! Numbers as text.

use domain::{Count, Percentage};

/// A configured percentage, without decimals if they are zero: `80 %`.
pub(crate) fn whole(percentage: Percentage) -> String {
    let text = percentage.to_string();
    format!("{}\u{202f}%", text.strip_suffix(".00").unwrap_or(&text))
}

/// A number with a comma for every three digits: `41,870`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `1 repository`, `4,312 repositories`.
#[cfg(feature = "ssr")]
pub(crate) fn repositories(count: u32) -> String {
    counted(count.into(), "repository", "repositories")
}

/// A number with its noun, singular or plural: `1 file`, `12,000 files`.
#[cfg(feature = "ssr")]
pub(crate) fn counted(number: u64, one: &str, several: &str) -> String {
    let noun = if number == 1 { one } else { several };
    format!("{} {noun}", grouped(number))
}

/// Covered of total: `38 of 1,204`.
pub(crate) fn covered_of(count: Count) -> String {
    format!("{} of {}", grouped(count.covered), grouped(count.total))
}

/// A difference of numbers with its sign (a real minus): `+1,204`, `−3`, `0`.
#[cfg(feature = "ssr")]
pub(crate) fn signed(difference: i64) -> String {
    let sign = match difference {
        0 => "",
        1.. => "+",
        _ => "\u{2212}",
    };
    format!("{sign}{}", grouped(difference.unsigned_abs()))
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn large_numbers_are_grouped() {
        assert_eq!(
            [0, 999, 1_000, 41_870, 1_234_567].map(grouped),
            ["0", "999", "1,000", "41,870", "1,234,567"]
        );
    }
}
