//! The records of a pull request over time, each with its verdict.

use crate::{
    components::{
        card::{aside, number, stacked, target},
        change::Change,
        coverage::Percent,
        pull_requests::{changed, verdict},
        time::Age,
    },
    links,
};
use domain::{PullRequestDetail, PullRequestRow};
use leptos::prelude::*;

/// A card with one page of the records, the newest first.
pub(super) fn uploads(detail: &PullRequestDetail) -> AnyView {
    let rows = detail.uploads.iter();
    let rows = rows.map(|upload| row(detail, upload)).collect_view();
    let columns = [
        ("Commit", "c-name"),
        ("Uploaded", ""),
        ("Coverage", "num"),
        ("Change", "num"),
        ("Changed lines", "num c-of"),
        ("Gate", ""),
    ];
    let content = match detail.uploads.is_empty() {
        true => view! { <p class="note muted">"There are no older uploads."</p> }.into_any(),
        false => stacked("uploads-title", "uploads", columns, rows),
    };
    let link = |page: u32| links::pull_request_uploads(&detail.repository, &detail.number, page);
    let newer = (detail.page > 1).then(|| {
        view! { <a class="btn" href=link(detail.page - 1) rel="prev">"← Newer"</a> }
    });
    let older = detail.has_older.then(|| {
        view! { <a class="btn" href=link(detail.page + 1) rel="next">"Older →"</a> }
    });
    let pager = (newer.is_some() || older.is_some()).then(|| {
        view! { <nav class="pager" aria-label="Newer and older uploads">{newer}{older}</nav> }
    });
    let about = aside("one row for each commit and language, the newest first");
    target("uploads", "Uploads", about, (content, pager))
}

fn row(detail: &PullRequestDetail, upload: &PullRequestRow) -> impl IntoView + use<> {
    let commit = upload.commit.short().to_owned();
    let language = upload.language.to_string();
    let href = links::record(upload.record_id);
    view! {
        <tr>
            <th scope="row"><a class="mono" href=href>{commit}</a>" "<span class="chip">{language}</span></th>
            <td data-label="Uploaded"><Age at=upload.updated_at now=detail.now/></td>
            {number("Coverage", view! { {upload.percentage.to_string()}<Percent/> })}
            {number("Change", view! { <Change change=upload.change/> })}
            {number("Changed lines", changed(upload.changed))}
            <td data-label="Gate">{verdict(upload.verdict)}</td>
        </tr>
    }
}
