//! Resolves paths of a coverage file that claim the same file.

use super::{Claim, Found, Meaning, Reason};
use std::collections::BTreeMap;

/// Assigns each file of the repository to the paths that it belongs to.
pub(super) fn settled(found: &[Found], agree: &dyn Fn(usize, usize) -> bool) -> Vec<Meaning> {
    let mut claims: BTreeMap<u32, Vec<(usize, Claim)>> = BTreeMap::new();
    for (number, found) in found.iter().enumerate() {
        if let Ok(claim) = *found {
            let of_file = claims.entry(claim.target).or_default();
            of_file.push((number, claim));
        }
    }
    let settled = found.iter().map(|found| found.map(|claim| claim.target));
    let mut settled: Vec<Meaning> = settled.collect();
    for claims in claims.into_values().filter(|claims| claims.len() > 1) {
        let keeper = keeper(&claims, agree);
        for &(number, _) in &claims {
            let by = match keeper {
                Some(keeper) => (number != keeper && !agree(keeper, number)).then_some(keeper),
                None => claims
                    .iter()
                    .map(|&(other, _)| other)
                    .find(|&other| other != number),
            };
            if let Some(by) = by {
                settled[number] = Err(Reason::Claimed(by));
            }
        }
    }
    settled
}

/// Returns the path to which a file belongs. `None` if it is undecided.
fn keeper(claims: &[(usize, Claim)], agree: &dyn Fn(usize, usize) -> bool) -> Option<usize> {
    let most = claims.iter().map(|(_, claim)| claim.support).max();
    let best = claims
        .iter()
        .filter(|(_, claim)| Some(claim.support) == most);
    let named = best
        .clone()
        .filter(|(_, claim)| claim.is_named_like_repository);
    let first_of_one = |claims: Vec<&(usize, Claim)>| {
        let (&&(first, _), others) = claims.split_first()?;
        let are_one = others.iter().all(|&&(other, _)| agree(first, other));
        are_one.then_some(first)
    };
    first_of_one(best.collect()).or_else(|| first_of_one(named.collect()))
}
