//! The newest gates of pull requests as three figures.

use crate::{
    components::{coverage::Percent, facts::Fact},
    numbers::{counted, covered_of},
};
use domain::{Count, GateHistory, Percentage, Verdict};
use leptos::prelude::*;
use std::collections::BTreeMap;

/// The pull requests by the newest result of each; nothing without pull requests.
pub(super) fn tiles(history: &GateHistory) -> Option<impl IntoView + use<>> {
    let (mut verdicts, mut changed) = (BTreeMap::<_, Vec<_>>::new(), Count::default());
    for row in &history.pulls.rows {
        let of = (&row.repository, &row.pull_request);
        verdicts.entry(of).or_default().push(row.verdict);
        let lines = row.changed.unwrap_or_default();
        changed.covered += lines.covered;
        changed.total += lines.total;
    }
    let all = verdicts.len() as u64;
    // A pull request in several languages fails if one of them does.
    let is = |of: &Vec<_>, verdict| of.contains(&Some(verdict));
    let failed = |of: &&Vec<_>| is(of, Verdict::Failed);
    let passed = |of: &&Vec<_>| is(of, Verdict::Passed) && !is(of, Verdict::Failed);
    let failed = verdicts.values().filter(failed).count() as u64;
    let passed = verdicts.values().filter(passed).count() as u64;
    let newest = match history.pulls.more {
        0 => ", by the newest upload of each",
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
    let passed = format!("{} with a verdict{newest}{open}", covered_of(judged));
    let share = |count| match Percentage::of(count) {
        Some(percentage) => view! { {percentage.to_string()}<Percent/> }.into_any(),
        None => "–".into_any(),
    };
    (all > 0).then(|| {
        view! {
            <dl class="facts" aria-label="Pull requests">
                <Fact label="Pull requests that passed" note=passed>{share(judged)}</Fact>
                <Fact label="Changed lines covered" note=covered_of(changed)>{share(changed)}</Fact>
            </dl>
        }
    })
}
