//! Splits an org's change into one part for each repository; the parts add up to the change.
//!
//! A repository's part is its [share](crate::share_of_change) of the change: its additional covered lines, minus its additional
//! lines times the org's coverage at the start. An unchanged repository has no part; a new repository's part is the effect of
//! adding it.

use super::share::Share;
use crate::{Change, share_of_change};
use std::ops::Add;

/// Returns the part of each repository, from its shares at the start and at the end, in basis points that add up to
/// `change`, the difference of the two percentages as shown. `None` if there is nothing to compare with at the start.
pub(super) fn contributions(
    shares: &[(Option<Share>, Option<Share>)],
    change: Option<Change>,
) -> Option<Vec<Change>> {
    let start = shares.iter().filter_map(|(before, _)| *before);
    let end = shares.iter().filter_map(|(_, after)| *after);
    let start = start.fold(Share::default(), Share::add);
    let end = end.fold(Share::default(), Share::add);
    let change = change?;
    if start.total <= 0 || end.total <= 0 {
        return None;
    }
    let scale = start.total * end.total;
    let exact: Vec<i128> = shares
        .iter()
        .map(|(before, after)| {
            let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
            let change = (after.covered - before.covered, after.total - before.total);
            share_of_change(change, (start.covered, start.total)) * 10_000
        })
        .collect();
    Some(rounded(&exact, scale, change.basis_points()))
}

/// Rounds `exact / scale` to whole numbers that add up to `target`: the largest remainders are rounded up, and zeros stay
/// zero.
fn rounded(exact: &[i128], scale: i128, target: i32) -> Vec<Change> {
    let mut whole: Vec<i128> = exact.iter().map(|part| part.div_euclid(scale)).collect();
    let mut by_remainder: Vec<usize> = (0..exact.len()).filter(|&n| exact[n] != 0).collect();
    by_remainder.sort_by_key(|&n| std::cmp::Reverse(exact[n].rem_euclid(scale)));
    let mut missing = i128::from(target) - whole.iter().sum::<i128>();
    // Takes more than one pass only if the rounding of the two totals adds to the rounding of the parts.
    while missing != 0 && !by_remainder.is_empty() {
        let step = missing.signum();
        let once_around: Vec<usize> = match step {
            1 => by_remainder.clone(),
            _ => by_remainder.iter().rev().copied().collect(),
        };
        for n in once_around {
            if missing == 0 {
                break;
            }
            whole[n] += step;
            missing -= step;
        }
    }
    whole
        .into_iter()
        .map(|part| Change::from_basis_points(i32::try_from(part).unwrap_or(0)))
        .collect()
}
