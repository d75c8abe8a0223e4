//! The percentages at which badges change colour.

use super::optional::Setting;
use domain::Percentage;
use std::str::FromStr;

/// Below the first a badge is yellow, below the second yellow-green, from there on green.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadgeThresholds {
    /// Acceptable coverage begins here.
    pub acceptable: Percentage,
    /// Good coverage begins here.
    pub good: Percentage,
}

impl FromStr for BadgeThresholds {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const RULE: &str = "must be two percentages, the lower one first, such as 80,90";
        let (acceptable, good) = text.split_once(',').ok_or(RULE)?;
        let percentage = |text| Percentage::read(text).map_err(|_| RULE);
        let (acceptable, good) = (percentage(acceptable)?, percentage(good)?);
        if acceptable <= good {
            Ok(Self { acceptable, good })
        } else {
            Err(RULE)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_two_percentages_in_order() {
        let thresholds: BadgeThresholds = "72.5, 90".parse().expect("thresholds");
        assert_eq!(thresholds.acceptable.basis_points(), 7_250);
        assert_eq!(thresholds.good.basis_points(), 9_000);
        for bad in ["", "80", "90,80", "80,101", "a,b", "80,90,95"] {
            assert!(bad.parse::<BadgeThresholds>().is_err(), "{bad}");
        }
    }
}
