//! A list of branches whose current record can be compared with the current record of the shown branch.

use super::Page;
use crate::{
    components::form::{hidden, option},
    links,
};
use domain::{BranchName, RecordRef};
use leptos::prelude::*;

/// A form that leads to the comparison; `None` without a record or without another branch. The main branch is the base of every other
/// branch.
pub(super) fn compare_with(page: &Page) -> Option<AnyView> {
    let detail = &page.detail;
    let row = page.shown().next()?;
    let current = |branch: &BranchName| {
        RecordRef::CurrentOf(detail.repository.clone(), branch.clone()).to_string()
    };
    let (other, own) = match detail.branch == detail.main_branch {
        true => ("head", "base"),
        false => ("base", "head"),
    };
    let others = detail
        .choices
        .iter()
        .filter(|branch| **branch != detail.branch);
    let others = others.map(|branch| option(current(branch), false, branch.to_string()));
    let others: Vec<_> = others.collect();
    let kept = vec![
        (own, current(&detail.branch)),
        ("language", row.record.language.to_string()),
    ];
    (!others.is_empty()).then(|| {
        view! {
            <form method="get" action=links::COMPARE class="controls" data-testid="compare-with">
                {hidden(kept, &[])}
                <label>
                    "Compare with"
                    <select name=other dir="auto" data-submit>
                        <option value="">"a branch …"</option>
                        {others}
                    </select>
                </label>
                <button class="btn unscripted" type="submit">"Compare"</button>
            </form>
        }
        .into_any()
    })
}
