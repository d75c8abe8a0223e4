//! How much of an organisation's change each repository has brought, so that the parts add up to it.
//!
//! With covered C and total T of the organisation and c and t of a repository, and Δ for end less start:
//! C₁/T₁ − C₀/T₀ is the sum over all repositories of (Δc·T₀ − C₀·Δt) / (T₀·T₁). A repository's part is thus what it covers
//! more than its further lines would have brought at the organisation's coverage at the start. One that has not changed
//! has none, and a new one has just what its coming has done.

use super::share::Share;
use crate::Change;
use std::ops::Add;

/// What each repository brought, given its shares at the start and at the end, where it had one; in basis points that add
/// up to `change`, the difference of the two percentages as they are shown. None where there was nothing to start from.
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
            let covered = (after.covered - before.covered) * start.total;
            let asked = start.covered * (after.total - before.total);
            (covered - asked) * 10_000
        })
        .collect();
    Some(rounded(&exact, scale, change.basis_points()))
}

/// Whole numbers close to `exact / scale` that add up to `target`: the largest remainders are rounded up, and a zero
/// stays one.
fn rounded(exact: &[i128], scale: i128, target: i32) -> Vec<Change> {
    let mut whole: Vec<i128> = exact.iter().map(|part| part.div_euclid(scale)).collect();
    let mut by_remainder: Vec<usize> = (0..exact.len()).filter(|&n| exact[n] != 0).collect();
    by_remainder.sort_by_key(|&n| std::cmp::Reverse(exact[n].rem_euclid(scale)));
    let mut missing = i128::from(target) - whole.iter().sum::<i128>();
    // More than once around only where the rounding of the whole's two ends adds to that of its parts.
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
