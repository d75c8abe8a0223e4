//! The percentages at which badges change colour, if they differ from the percentages of pages.

use super::optional::Setting;
use domain::{Percentage, Scale};

const RULE: &str = "must be two percentages, the lower one first, such as 80,90";

impl Setting for Scale {
    fn read(text: &str) -> Result<Self, String> {
        let (mid, high) = text.split_once(',').ok_or(RULE)?;
        let percentage = |text| Percentage::read(text).map_err(|_| RULE);
        Self::new(percentage(mid)?, percentage(high)?).ok_or_else(|| RULE.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Optional;

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
