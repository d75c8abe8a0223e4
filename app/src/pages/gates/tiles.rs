//! The newest gates of pull requests as figures.

use crate::{
    components::{facts::Fact, gate::subject_of, pull_requests::rate},
    numbers::counted,
};
use domain::{Count, GateHistory, GateResult, Verdict};
use leptos::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The pull requests by the newest result of each, and why gates failed; nothing without pull requests.
pub(super) fn tiles(history: &GateHistory) -> Option<impl IntoView + use<>> {
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
        0 => "by the newest upload of each",
        _ => "of the newest results only",
    };
    let judged = Count {
        covered: passed,
        total: passed + failed,
    };
    let open = match all - judged.total {
        0 => String::new(),
        open => format!("; {}", counted(open, "has no verdict", "have no verdict")),
    };
    let why = reasons(pulls.values()).map(|why| {
        view! { <Fact label="Why gates failed" note="pull requests by reason; one may have several"><span class="words">{why}</span></Fact> }
    });
    (all > 0).then(|| {
        view! {
            <dl class="facts" aria-label="Pull requests">
                <Fact label="Pull requests that passed the gate" note=format!("{newest}{open}")>{rate(judged, "–")}</Fact>
                <Fact label="Changed lines covered" note="in these pull requests">{rate(changed, "–")}</Fact>
                {why}
            </dl>
        }
    })
}

/// How many pull requests failed for each kind of reason, the most first: `changed lines 2, lost lines 1`.
fn reasons<'a>(pulls: impl Iterator<Item = &'a Vec<&'a GateResult>>) -> Option<String> {
    let mut kinds = BTreeMap::<_, u64>::new();
    for rows in pulls {
        let reasons = rows.iter().flat_map(|row| &row.reasons);
        let of_one: BTreeSet<_> = reasons.map(|reason| subject_of(reason)).collect();
        for kind in of_one {
            *kinds.entry(kind).or_default() += 1;
        }
    }
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let kinds: Vec<_> = kinds
        .iter()
        .map(|(kind, count)| format!("{kind} {count}").replace(' ', "\u{a0}"))
        .collect();
    (!kinds.is_empty()).then(|| kinds.join(", "))
}
