//! The newest gates of pull requests as figures.

use crate::{
    components::{
        facts::{figure, figures},
        gate::subject_of,
        pull_requests::rate,
    },
    numbers::{counted, grouped},
};
use domain::{Count, GateHistory, GateResult, PullRequest, Repository, Verdict};
use leptos::prelude::*;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// The newest results of each pull request.
fn pulls(history: &GateHistory) -> BTreeMap<(&Repository, &PullRequest), Vec<&GateResult>> {
    let mut pulls = BTreeMap::<_, Vec<&GateResult>>::new();
    for row in &history.pulls.rows {
        let of = (&row.repository, &row.pull_request);
        pulls.entry(of).or_default().push(row);
    }
    pulls
}

/// The pull requests that passed, of those that passed or failed. In several languages, one fails if one of them does.
pub(in crate::pages) fn judged(history: &GateHistory) -> Count {
    let mut count = Count::default();
    for rows in pulls(history).values() {
        let is = |verdict| rows.iter().any(|row| row.verdict == Some(verdict));
        let has_failed = is(Verdict::Failed);
        count.total += u64::from(has_failed || is(Verdict::Passed));
        count.covered += u64::from(!has_failed && is(Verdict::Passed));
    }
    count
}

/// The pull requests by the newest result of each, and why gates failed; nothing without pull requests.
pub(super) fn tiles(history: &GateHistory) -> Option<AnyView> {
    let pulls = pulls(history);
    let mut changed = Count::default();
    for row in &history.pulls.rows {
        let lines = row.changed.unwrap_or_default();
        changed.covered += lines.covered;
        changed.total += lines.total;
    }
    let all = pulls.len() as u64;
    let newest = match history.pulls.more {
        0 => "",
        _ => ", of the newest results only",
    };
    let judged = judged(history);
    let failed = judged.uncovered();
    let open = match all - judged.total {
        0 => String::new(),
        open => format!("; {}", counted(open, "has no verdict", "have no verdict")),
    };
    let tiles = [
        Some(figure(
            rate(judged, "–"),
            format!("pull requests passed{newest}{open}"),
        )),
        Some(figure(
            rate(changed, "–"),
            "changed lines covered in these pull requests",
        )),
        reasons(pulls.values(), failed),
    ];
    (all > 0).then(|| figures("Pull requests", tiles.into_iter().flatten()))
}

/// How many pull requests failed, and how many for each kind of reason, the most frequent first.
fn reasons<'a>(
    pulls: impl Iterator<Item = &'a Vec<&'a GateResult>>,
    failed: u64,
) -> Option<AnyView> {
    let mut kinds = BTreeMap::<_, u64>::new();
    for rows in pulls {
        let reasons = rows.iter().flat_map(|row| &row.reasons);
        let of_one: BTreeSet<_> = reasons.map(|reason| subject_of(reason)).collect();
        for kind in of_one {
            *kinds.entry(kind).or_default() += 1;
        }
    }
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.sort_by_key(|(_, count)| Reverse(*count));
    let kinds = kinds.iter();
    let kinds = kinds.map(|(kind, count)| format!("{kind} {}", grouped(*count)));
    let kinds = kinds.collect::<Vec<_>>().join(" · ");
    let about = format!("Reasons: {kinds}");
    (!kinds.is_empty()).then(|| figure(format!("{} failed", grouped(failed)), about))
}
