//! Percentages in settings, and the percentages at which badges change colour.

use super::optional::Setting;
use domain::{Percentage, Scale};

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

const SCALE_RULE: &str = "must be two percentages, the lower one first, such as 80,90";

impl Setting for Scale {
    fn read(text: &str) -> Result<Self, String> {
        let (mid, high) = text.split_once(',').ok_or(SCALE_RULE)?;
        let percentage = |text| Percentage::read(text).map_err(|_| SCALE_RULE);
        let scale = Self::new(percentage(mid)?, percentage(high)?);
        scale.ok_or_else(|| SCALE_RULE.to_owned())
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

    #[test]
    fn thresholds_are_two_percentages_in_order() {
        let read = |text: &str| text.parse::<Optional<Scale>>();
        let Optional(scale) = read("72.5, 90").expect("thresholds");
        let scale = scale.expect("a scale");
        assert_eq!(scale.mid().basis_points(), 7_250);
        assert_eq!(scale.high().basis_points(), 9_000);
        for bad in ["80", "90,80", "80,101", "a,b", "80,90,95", ","] {
            assert!(read(bad).is_err(), "{bad}");
        }
        assert_eq!(read(""), Ok(Optional(None)), "badges use the target's");
    }
}
