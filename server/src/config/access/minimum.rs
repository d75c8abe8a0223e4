//! The percentage below which a commit status is failure.

use domain::Percentage;
use std::str::FromStr;

/// A percentage; an empty text is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Minimum(pub Option<Percentage>);

const RULE: &str = "must be a number from 0 to 100 with at most two decimals";

impl FromStr for Minimum {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Self(None));
        }
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !is_digits(whole) || !is_digits(decimals) || decimals.len() > 2 {
            return Err(RULE);
        }
        match format!("{whole}{decimals:0<2}").parse() {
            Ok(basis_points @ 0..=Percentage::FULL) => {
                Ok(Self(Some(Percentage::from_basis_points(basis_points))))
            }
            _ => Err(RULE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minimum_has_at_most_two_decimals_and_lies_between_0_and_100() {
        let points = |text: &str| {
            let minimum = text.parse::<Minimum>().ok()?;
            Some(minimum.0.map(Percentage::basis_points))
        };
        assert_eq!(points("80"), Some(Some(8_000)));
        assert_eq!(points("72.5"), Some(Some(7_250)));
        assert_eq!(points("0.01"), Some(Some(1)));
        assert_eq!(points(" 100 "), Some(Some(10_000)));
        assert_eq!(points(""), Some(None));
        for bad in [
            "100.01",
            "-1",
            "80.123",
            "eighty",
            "1e1",
            "99999999999",
            ".",
            ".5",
        ] {
            assert_eq!(points(bad), None, "{bad}");
        }
    }
}
