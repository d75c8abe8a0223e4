//! The newest gates of pull requests as figures.

use crate::{
    components::{
        facts::{figure, figures},
        gate::subject_of,
        pull_requests::rate,
    },
    numbers::{counted, grouped},
};
use domain::{Count, GateHistory, GateResult, Verdict};
use leptos::prelude::*;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// The pull requests by the newest result of each, and why gates failed; nothing without pull requests.
pub(super) fn tiles(history: &GateHistory) -> Option<AnyView> {
    let mut pulls = BTreeMap::<_, Vec<&GateResult>>::new();
    let mut changed = Count::default();
    for row in &history.pulls.rows {
        let of = (&row.repository, &row.pull_request);
        pulls.entry(of).or_default().push(row);
        let lines = row.changed.unwrap_or_default();
        changed.covered += lines.covered;
        changed.total += lines.total;
    }
    let all = pulls.len() as u64;
    // A pull request in several languages fails if one of them does.
    let is = |rows: &[&GateResult], verdict| rows.iter().any(|row| row.verdict == Some(verdict));
    let failed = |rows: &&Vec<_>| is(rows, Verdict::Failed);
    let passed = |rows: &&Vec<_>| is(rows, Verdict::Passed) && !is(rows, Verdict::Failed);
    let failed = pulls.values().filter(failed).count() as u64;
    let passed = pulls.values().filter(passed).count() as u64;
    let newest = match history.pulls.more {
        0 => "",
        _ => ", of the newest results only",
    };
    let judged = Count {
        covered: passed,
        total: passed + failed,
    };
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
