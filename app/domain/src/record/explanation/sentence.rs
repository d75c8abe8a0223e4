//! The sentence that explains a change.

mod place;
mod reasons;

use super::Explanation;
use crate::{Change, RecordParts};
use std::cmp::Reverse;

/// The most characters of a sentence.
const LONGEST: usize = 200;

/// The most reasons in a sentence.
const REASONS: usize = 3;

/// What follows the reasons that are named.
const OTHERS: &str = ", and other changes";

/// A reason, and its share of the change.
struct Reason {
    text: String,
    share: i128,
}

pub(super) fn sentence(explanation: &Explanation, delta: Change, parts: &RecordParts) -> String {
    let mut reasons = reasons::of(explanation, parts);
    reasons.sort_by_key(|reason| Reverse(reason.share.unsigned_abs()));
    let is_shown = |reason: &&Reason| explanation.points(reason.share).basis_points() != 0;
    let Some(first) = reasons.first() else {
        return match delta.basis_points() {
            0 => format!("{delta}: each line is covered as at the base."),
            _ => format!(
                "{delta}: each line is covered as at the base, and the tool rounds differently."
            ),
        };
    };
    if !is_shown(&first) {
        return format!("{delta}: {}, which is less than 0.01.", first.text);
    }
    let mut sentence = format!("{delta}: ");
    let mut rest: i128 = reasons.iter().map(|reason| reason.share).sum();
    for (index, reason) in reasons.iter().filter(is_shown).take(REASONS).enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        let points = explanation.points(reason.share);
        let next = format!("{separator}{} ({points})", reason.text);
        // Room for the other changes, with their share and the full stop.
        let room = LONGEST - OTHERS.len() - " (+100.00).".len();
        if sentence.chars().count() + next.chars().count() > room {
            break;
        }
        sentence.push_str(&next);
        rest -= reason.share;
    }
    let rest = explanation.points(rest);
    if rest.basis_points() != 0 {
        sentence.push_str(&format!("{OTHERS} ({rest})"));
    }
    sentence.push('.');
    sentence
}
