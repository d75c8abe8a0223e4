//! Percentages in settings.

use super::optional::Setting;
use domain::Percentage;

const RULE: &str = "must be a number from 0 to 100 with at most two decimals";

impl Setting for Percentage {
    fn read(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !is_digits(whole) || !is_digits(decimals) || decimals.len() > 2 {
            return Err(RULE.to_owned());
        }
        match format!("{whole}{decimals:0<2}").parse() {
            Ok(basis_points @ 0..=Self::FULL) => Ok(Self::from_basis_points(basis_points)),
            _ => Err(RULE.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Optional;

    #[test]
    fn a_minimum_has_at_most_two_decimals_and_lies_between_0_and_100() {
        let points = |text: &str| {
            let minimum = text.parse::<Optional<Percentage>>().ok()?;
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
