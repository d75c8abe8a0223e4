//! The coverage scale: how good a percentage is, for its colour.

use super::Percentage;

/// How good a percentage is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Below [`Scale::mid`].
    Low,
    /// From [`Scale::mid`] to below [`Scale::high`].
    Mid,
    /// From [`Scale::high`] on.
    High,
}

impl Level {
    /// The CSS class of the level in `style/`.
    pub fn class(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Mid => "mid",
            Self::High => "high",
        }
    }
}

/// The percentages at which the levels begin: of headings, bars, maps and badges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    mid: Percentage,
    high: Percentage,
}

impl Scale {
    /// How far below the target the middle level begins, in basis points.
    pub const BELOW_TARGET: u16 = 2_000;

    /// Creates a scale; `None` if the middle level would begin above the high one.
    pub fn new(mid: Percentage, high: Percentage) -> Option<Self> {
        (mid <= high).then_some(Self { mid, high })
    }

    /// The scale of a target: percentages from the target on are high, and up to 20 percentage points below it are in the middle.
    pub fn of_target(target: Percentage) -> Self {
        let mid = target.basis_points().saturating_sub(Self::BELOW_TARGET);
        Self {
            mid: Percentage::from_basis_points(mid),
            high: target,
        }
    }

    /// Where the middle level begins.
    pub fn mid(self) -> Percentage {
        self.mid
    }

    /// Where the high level begins.
    pub fn high(self) -> Percentage {
        self.high
    }

    /// The level of a percentage.
    pub fn level(self, percentage: Percentage) -> Level {
        if percentage >= self.high {
            Level::High
        } else if percentage >= self.mid {
            Level::Mid
        } else {
            Level::Low
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(basis_points: u16) -> Percentage {
        Percentage::from_basis_points(basis_points)
    }

    #[test]
    fn with_a_target_of_eighty_levels_start_at_sixty_and_eighty() {
        let scale = Scale::of_target(at(8_000));
        let levels = [0, 5_999, 6_000, 7_999, 8_000, 10_000].map(|bp| scale.level(at(bp)));
        assert_eq!(
            levels,
            [
                Level::Low,
                Level::Low,
                Level::Mid,
                Level::Mid,
                Level::High,
                Level::High
            ]
        );
    }

    #[test]
    fn the_levels_move_with_the_target() {
        let scale = Scale::of_target(at(9_550));
        assert_eq!((scale.mid(), scale.high()), (at(7_550), at(9_550)));
        assert_eq!(scale.level(at(8_000)), Level::Mid);
    }

    #[test]
    fn with_a_target_of_twenty_or_less_nothing_is_low() {
        for target in [0, 1, 2_000] {
            let scale = Scale::of_target(at(target));
            assert_eq!(scale.mid(), at(0));
            assert_eq!(scale.level(at(target)), Level::High);
            assert_ne!(scale.level(at(0)), Level::Low);
        }
    }

    #[test]
    fn a_scale_whose_levels_are_out_of_order_is_refused() {
        assert_eq!(Scale::new(at(9_000), at(8_000)), None);
        let equal = Scale::new(at(8_000), at(8_000)).expect("a scale without a middle level");
        assert_eq!(equal.level(at(7_999)), Level::Low);
        assert_eq!(equal.level(at(8_000)), Level::High);
    }
}
