//! The formula for every explained change of a percentage, of records and of orgs.
//!
//! With c of t lines covered before and c' of t' after, a group of lines that changes these counts by Δc and Δt has the share
//! (Δc·t − c·Δt) / (t·t') of the change. If the groups add up to the whole, their shares add up to c'/t' − c/t, without a
//! remainder.

/// The numerator of a group's share: `change` has its Δc and Δt, `before` has c and t.
#[must_use]
pub fn share_of_change(change: (i128, i128), before: (i128, i128)) -> i128 {
    change.0 * before.1 - before.0 * change.1
}

/// A share as a number of `parts` of 1, rounded half away from zero. `whole` is its denominator.
#[must_use]
pub fn rounded_share(share: i128, whole: i128, parts: i128) -> i128 {
    let size = (share.abs() * parts * 2 + whole) / (whole * 2);
    size * share.signum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_share_is_rounded_half_away_from_zero() {
        let rounded = |share| rounded_share(share, 200, 100);
        assert_eq!([0, 1, -1, 2, 3, -3].map(rounded), [0, 1, -1, 1, 2, -2]);
    }

    proptest! {
        #[test]
        fn shares_add_up_to_the_change(
            (c, t) in (0..1_000_i128, 1..1_000_i128),
            groups in proptest::collection::vec((-50..50_i128, -50..50_i128), 0..6)
        ) {
            let sum = groups.iter().fold((0, 0), |sum, group| (sum.0 + group.0, sum.1 + group.1));
            let (after, total) = (c + sum.0, t + sum.1);
            prop_assume!(total > 0);
            let shares: i128 = groups.iter().map(|group| share_of_change(*group, (c, t))).sum();
            prop_assert_eq!(shares, after * t - c * total);
        }
    }
}
