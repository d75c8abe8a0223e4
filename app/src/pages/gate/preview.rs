//! What the tried rules would have said about the last pull requests, and the form that sets them.

use super::form::{Fields, administers_org, for_org, names};
use crate::{
    components::{
        card::{aside, card, note, number, stacked},
        confirm::confirm,
        pull_requests::{changed, verdict},
        time::Age,
    },
    links,
};
use domain::{Gate, GatePreview, GateRules, PreviewedPullRequest, Repository, Timestamp, Verdict};
use leptos::prelude::*;

pub(super) fn preview(found: &GatePreview, fields: &Fields, rules: &GateRules) -> AnyView {
    let rows = found.pull_requests.iter();
    let rows = rows.map(|request| row(&found.repository, request, found.now));
    let table = if found.pull_requests.is_empty() {
        view! { <p class="note">"No upload named a pull request, so there is nothing to judge."</p> }
            .into_any()
    } else {
        let columns = [
            ("Pull request", ""),
            ("Changed lines", "num c-of"),
            ("Said", ""),
            ("Would say", "c-would"),
            ("Uploaded", ""),
        ];
        stacked("preview", "gate-preview", columns, rows.collect_view())
    };
    let kept = fields.iter().filter(|(_, text)| !text.trim().is_empty());
    let kept = kept.map(|(name, text)| (*name, text.clone()));
    let fields: Vec<_> = names(&found.repository).into_iter().chain(kept).collect();
    let back = links::gate(&found.repository);
    let of_org = administers_org(&found.repository).then(|| {
        let fields = fields.iter().cloned().chain([for_org()]).collect();
        let org = found.repository.org.to_string();
        view! {
            <p class="small muted">"Or for all repositories of "<bdi>{org}</bdi>"; rules of a repository win:"</p>
            {confirm(links::SET_GATE, fields, "Set for the org", back.clone())}
        }
    });
    let content = view! {
        <p class="note">{summary(&found.pull_requests)}</p>
        {table}
        {note("The preview judges these rules and the rules in force by the stored numbers of each record. If a number is not stored, such as the coverage of other files, the verdict is unknown.")}
        <div class="note">
            {confirm(links::SET_GATE, fields, "Set for this repository", back)}
            {of_org}
        </div>
    };
    let tried = view! { {aside(view! { <bdi>{rules.to_string()}</bdi> })} };
    card(
        "preview",
        "What these rules would have said",
        tried,
        content,
    )
}

/// How many pull requests there are of each verdict.
fn summary(all: &[PreviewedPullRequest]) -> String {
    let count = |wanted: &[Verdict]| {
        let verdicts = all.iter().filter_map(|request| request.foreseen.as_ref());
        verdicts
            .filter(|gate| wanted.contains(&gate.verdict))
            .count()
    };
    let (passed, failed) = (count(&[Verdict::Passed]), count(&[Verdict::Failed]));
    let unknown = all.len() - passed - failed;
    let last = all.len();
    format!("Of the last {last}: {failed} failed, {passed} passed, {unknown} unknown.")
}

fn row(
    repository: &Repository,
    request: &PreviewedPullRequest,
    now: Timestamp,
) -> impl IntoView + use<> {
    let PreviewedPullRequest { row, foreseen } = request;
    let href = links::pull_request(repository, &row.number);
    let title = format!("#{}", row.number);
    let language = row.language.to_string();
    view! {
        <tr>
            <th scope="row"><a class="link" href=href>{title}</a>" "<span class="chip">{language}</span></th>
            {number("Changed lines", changed(row.changed))}
            <td data-label="Said">{verdict(row.verdict)}</td>
            <td class="c-would" data-label="Would say">{would(foreseen.as_ref())}</td>
            <td data-label="Uploaded"><Age at=row.updated_at now/></td>
        </tr>
    }
}

fn would(gate: Option<&Gate>) -> AnyView {
    let reasons = gate.into_iter().flat_map(|gate| &gate.reasons);
    let reasons =
        reasons.map(|reason| view! { <p class="small muted"><bdi>{reason.clone()}</bdi></p> });
    view! {
        {verdict(gate.map(|gate| gate.verdict))}
        {reasons.collect_view()}
    }
    .into_any()
}
