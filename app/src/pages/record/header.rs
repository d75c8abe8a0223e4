//! The heading of a record, with links to the older and newer record.

use crate::{
    components::{
        crumbs::{Crumb, Crumbs},
        name::Name,
        on_forge::{forge_pages, on_forge, out},
        time::Age,
    },
    links,
};
use domain::{LedgerQuery, RecordBeside, RecordDetail, Standing};
use leptos::prelude::*;

pub(super) fn header(detail: &RecordDetail) -> impl IntoView + use<> {
    let RecordDetail {
        repository, branch, ..
    } = detail;
    view! {
        <div class="record-head">
            <Crumbs steps=Crumb::to_repository(repository)/>
            <h1>"Commit "<span class="commit" title=detail.commit.to_string()>{detail.commit.short().to_owned()}</span></h1>
            <p class="muted">
                "Coverage of "
                <a href=links::branch(repository, branch)><Name text=branch.to_string() class="mono"/></a>
                " in "
                <span class="chip">{detail.language.to_string()}</span>
                " by "
                <a href=links::author(&detail.author)><bdi>{detail.author.to_string()}</bdi></a>
                ", uploaded "
                <Age at=detail.updated_at now=detail.now/>
                ". "
                {standing(detail)}
            </p>
            {on_its_forge(detail)}
            {neighbours(detail, "")}
        </div>
    }
}

/// Links to its commit, branch, pull request and changes on the forge, and to its CI run.
fn on_its_forge(detail: &RecordDetail) -> impl IntoView + use<> {
    let upload = detail.upload.as_ref();
    let run = upload.and_then(|upload| upload.run_url.as_ref());
    let pages = forge_pages(&detail.repository, detail.forge.as_deref(), run);
    let on_pages = pages.and_then(|pages| {
        let request = detail.pull_request.as_ref();
        let base = detail.base.as_ref().map(|base| &base.record.commit);
        let changes = base.and_then(|base| pages.changes(base, &detail.commit));
        let run = run.map(|url| out(url.to_string(), format!("CI run at {}", url.host())));
        let found = [
            pages.commit(&detail.commit).map(|href| out(href, "commit")),
            pages.branch(&detail.branch).map(|href| out(href, "branch")),
            request.map(|number| out(pages.pull_request(number), format!("pull request {number}"))),
            changes.map(|href| out(href, "changes since the base")),
            run,
        ];
        on_forge(pages.name(), found.into_iter().flatten().collect())
    });
    view! { {on_pages} }
}

/// The record's state on its branch, in words.
fn standing(detail: &RecordDetail) -> AnyView {
    match detail.standing {
        Standing::Current => {
            view! { <strong>"It is the current record of its branch."</strong> }.into_any()
        }
        Standing::Superseded(current) => {
            view! { "The branch has a newer record: " <a class="link" href=links::record(current)>"its current record"</a> "." }.into_any()
        }
        Standing::Retired => "Its branch is no longer active.".into_any(),
        Standing::Incomplete(current) => incomplete(detail, current).into_any(),
        Standing::Unconfirmed(current) => unconfirmed(detail, current).into_any(),
    }
}

/// Names the parts that are missing.
fn incomplete(detail: &RecordDetail, current: Option<i64>) -> impl IntoView + use<> {
    let waiting = format!(
        "It is not current yet: waiting for {}.",
        detail.parts.missing()
    );
    view! {
        <strong>{waiting}</strong>
        {current.map(other_current)}
        " "
        <a class="link" href="#parts">"Its parts"</a>
    }
}

fn other_current(id: i64) -> impl IntoView + use<> {
    view! { " " <a class="link" href=links::record(id)>"The branch's current record"</a> " is another one." }
}

/// Explains that the record is unconfirmed, and links to the reasons.
fn unconfirmed(detail: &RecordDetail, current: Option<i64>) -> impl IntoView + use<> {
    let uploads = links::uploads(&LedgerQuery {
        repository: detail.repository.to_string(),
        ..LedgerQuery::default()
    });
    view! {
        <strong>"It is unconfirmed, so not current: nothing proved that the branch contains its commit."</strong>
        {current.map(other_current)}
        " "
        <a class="link" href=uploads>"The repository's uploads"</a>
        " state why, and which right to grant."
    }
}

/// Links to the previous and the next record; `hash` is the part of the page to open.
pub(super) fn neighbours(detail: &RecordDetail, hash: &'static str) -> impl IntoView + use<> {
    let label = format!("Records of {} in {}", detail.branch, detail.language);
    let link = |record: &RecordBeside, name: &'static str, rel: &'static str| {
        let href = format!("{}{hash}", links::record(record.id));
        let title = format!(
            "{name}: commit {}, {} %, {}",
            record.commit.short(),
            record.percentage,
            record.updated_at.long()
        );
        view! { <a class="btn" href=href rel=rel title=title>{name}</a> }
    };
    let none = |text: &'static str| view! { <span class="muted small">{text}</span> };
    let older = match &detail.older {
        Some(older) => link(older, "‹ Older", "prev").into_any(),
        None => none("No older record").into_any(),
    };
    let newer = match &detail.newer {
        Some(newer) => link(newer, "Newer ›", "next").into_any(),
        None => none("No newer record").into_any(),
    };
    view! { <nav class="inline" aria-label=label>{older}{newer}</nav> }
}
