//! The heading of a record with links to the older and newer record; the percentage with its changes, and a card for each
//! counter.

use super::view::choice_of_view;
use crate::{
    components::{
        change::Change,
        coverage::{Percent, Target, level},
        crumbs::Crumbs,
        measures::new_code_in_words,
        name::Name,
        on_forge::{forge_pages, on_forge, out},
        repository_head::steps_to_record,
        time::Age,
    },
    links::{self, ReportLinks},
    numbers::{covered_of, whole},
};
use domain::{
    Change as Points, CompareQuery, Day, LedgerQuery, RecordBeside, RecordDetail, RecordQuery,
    RecordRef, Standing, Verdict, plural,
};
use leptos::prelude::*;

pub(super) fn header(query: &RecordQuery, detail: &RecordDetail) -> impl IntoView + use<> {
    let (repository, branch) = (&detail.record.repository, &detail.record.branch);
    view! {
        <div class="record-head repository-head">
            <div>
                <Crumbs steps=steps_to_record(repository, detail.pull_request.as_ref())/>
                <h1>"Commit "<span class="commit" title=detail.record.commit.to_string()>{detail.record.commit.short().to_owned()}</span></h1>
            </div>
            <p class="muted">
                "Coverage of "
                <a href=links::branch(repository, branch)><Name text=branch.to_string() class="mono"/></a>
                " in "
                <span class="chip">{detail.record.language.to_string()}</span>
                " by "
                <a href=links::author(&detail.record.author)><bdi>{detail.record.author.to_string()}</bdi></a>
                ", uploaded "
                <Age at=detail.record.updated_at now=detail.now/>
                ". "
                {standing(detail)}
            </p>
            {on_its_forge(detail)}
            <div class="controls">{choice_of_view(query, detail)}{neighbours(detail)}</div>
        </div>
    }
}

/// Links to its commit, branch, pull request and changes on the forge, and to its CI run.
fn on_its_forge(detail: &RecordDetail) -> Option<impl IntoView + use<>> {
    let upload = detail.upload.as_ref();
    let run = upload.and_then(|upload| upload.run_url.as_ref());
    let pages = forge_pages(
        &detail.record.repository,
        detail.record.forge.as_deref(),
        run,
    )?;
    let request = detail.pull_request.as_ref();
    let base = detail.base.as_ref().map(|base| &base.record.commit);
    let changes = base.and_then(|base| pages.changes(base, &detail.record.commit));
    let found = [
        pages
            .commit(&detail.record.commit)
            .map(|href| out(href, "commit")),
        pages
            .branch(&detail.record.branch)
            .map(|href| out(href, "branch")),
        request.map(|number| out(pages.pull_request(number), format!("pull request {number}"))),
        changes.map(|href| out(href, "changes since the base")),
        run.map(|url| out(url.to_string(), format!("CI run at {}", url.host()))),
    ];
    on_forge(pages.name(), found.into_iter().flatten().collect())
}

/// The record's state on its branch, in words.
fn standing(detail: &RecordDetail) -> AnyView {
    match detail.standing {
        Standing::Current => {
            "It is the current record of its branch.".into_any()
        }
        Standing::Superseded(current) => {
            view! { "The branch has a newer record: " <a class="link" href=links::record(current)>"its current record"</a> "." }.into_any()
        }
        Standing::Retired => "Its branch is no longer active.".into_any(),
        Standing::Incomplete(current) => {
            let missing = detail.parts.missing();
            let waiting = format!("It is not current yet: waiting for {missing}.");
            let parts = view! { <a class="link" href="#parts">"Its parts"</a> };
            not_current(waiting, current, parts)
        }
        Standing::Unconfirmed(current) => {
            let uploads = links::uploads(&LedgerQuery {
                repository: detail.record.repository.to_string(),
                ..LedgerQuery::default()
            });
            let why = "It is unconfirmed, so not current: nothing proved that the branch contains its commit.";
            let reasons = view! {
                <a class="link" href=uploads>"The repository's uploads"</a>
                " state why, and which right to grant."
            };
            not_current(why.to_owned(), current, reasons)
        }
    }
}

/// Why the record is not current, the current record of its branch, and where to read more.
fn not_current(why: String, current: Option<i64>, more: impl IntoView) -> AnyView {
    let other = current.map(|id| {
        view! { " " <a class="link" href=links::record(id)>"The branch's current record"</a> " is another one." }
    });
    view! { <strong>{why}</strong>{other}" "{more} }.into_any()
}

/// What the page leads to: its files, the HTML report, and the tests.
pub(super) fn actions(detail: &RecordDetail) -> impl IntoView + use<> {
    let reports: ReportLinks = expect_context();
    let id = detail.record.id;
    let report = detail.record.has_report.then(|| {
        view! { <a class="btn" rel="external" href=reports.report(id)>"HTML report ↗"</a> }
    });
    let tests = detail
        .has_tests
        .then(|| view! { <a class="btn" href=links::tests(id)>"What each test runs"</a> });
    view! { <div class="actions"><a class="btn" href="#files">"Files ↓"</a>{report}{tests}</div> }
}

/// The target, if the gate passes a record below it.
fn missed_target(detail: &RecordDetail) -> Option<impl IntoView + use<>> {
    let Target(target) = expect_context();
    let has_passed = detail.gate.as_ref()?.verdict == Verdict::Passed;
    let change = Points::between(target, detail.record.percentage);
    (has_passed && change.basis_points() < 0).then(|| {
        let below = change.to_string();
        let sentence = format!(
            "{} below the target of {}, which the gate does not enforce",
            below.trim_start_matches('\u{2212}'),
            whole(target)
        );
        view! { <li class="muted">{sentence}</li> }
    })
}

/// Links to the previous and the next record; `hash` is the part of the page to open.
fn neighbours(detail: &RecordDetail) -> Option<impl IntoView + use<>> {
    if detail.older.is_none() && detail.newer.is_none() {
        return None;
    }
    let label = format!(
        "Records of {} in {}",
        detail.record.branch, detail.record.language
    );
    let view = detail.view.as_ref().map(|view| &view.name);
    let link = |record: Option<&RecordBeside>, [name, rel, none]: [&'static str; 3]| {
        let Some(record) = record else {
            return view! { <span class="btn" aria-disabled="true" title=none><span class="muted">{name}</span></span> }
                .into_any();
        };
        let href = links::record_view(record.id, view);
        let title = format!(
            "{name}: commit {}, {} %, {}",
            record.commit.short(),
            record.percentage,
            record.updated_at.long()
        );
        view! { <a class="btn" href=href rel=rel title=title>{name}</a> }.into_any()
    };
    let older = link(
        detail.older.as_ref(),
        ["‹ Older", "prev", "No older record"],
    );
    let newer = link(
        detail.newer.as_ref(),
        ["Newer ›", "next", "No newer record"],
    );
    Some(view! { <nav class="inline" aria-label=label>{older}{newer}</nav> })
}

pub(super) fn numbers(detail: &RecordDetail) -> impl IntoView + use<> {
    let percentage = detail.record.percentage;
    let base = detail.base.as_ref();
    let is_other = |older: &&RecordBeside| base.is_none_or(|base| base.record.id != older.id);
    let older = detail.older.as_ref().filter(is_other);
    let is_first = base.is_none() && older.is_none();
    let base = base.map(|base| {
        let why = format!("its base, {}", base.reason(&detail.record.branch));
        against(detail, &base.record, "its base", Some(why))
    });
    let of = "the previous record on its branch";
    let before = older.map(|older| against(detail, older, of, None));
    view! {
        <section class="hero" aria-label="Coverage" data-testid="headline">
            <div class=format!("figure {}", level(percentage))>{percentage.to_string()}<small><Percent/></small></div>
            <ul class="changes">
                {base}
                {before}
                {is_first.then(|| first(detail))}
                {missed_target(detail)}
                {counts(detail)}
                {new_code(detail)}
            </ul>
            {actions(detail)}
        </section>
    }
}

/// The new code; nothing if it is unknown, or if no line is new.
pub(super) fn new_code(detail: &RecordDetail) -> Option<impl IntoView + use<>> {
    let sentence = new_code_in_words(detail.new_code.as_ref()?)?;
    Some(view! { <li data-testid="new-code">{sentence}</li> })
}

/// All counters, in one line.
pub(super) fn counts(detail: &RecordDetail) -> AnyView {
    let counts = detail.record.counts.iter().map(|counted| {
        let (covered, percentage) = (covered_of(counted.count), counted.count.percentage());
        let of = plural(&counted.counter);
        // The headline has the percentage of the record.
        let percentage =
            (percentage != detail.record.percentage).then(|| format!(": {percentage}\u{202f}%"));
        format!("{covered} {of} covered{}", percentage.unwrap_or_default())
    });
    let counts: Vec<_> = counts.collect();
    view! { <li>{counts.join(" · ")}</li> }.into_any()
}

/// The text for a record with no base and no previous record.
fn first(detail: &RecordDetail) -> impl IntoView + use<> {
    let with_another = links::compare(&CompareQuery {
        head: Some(RecordRef::Id(detail.record.id)),
        ..CompareQuery::default()
    });
    view! {
        <li class="muted">
            "This is the first record of its branch in its language: there is nothing to compare it with. "
            <a class="link" href=with_another>"Choose a record"</a>
        </li>
    }
}

/// The change against another record, and a link to that record. `why` says how that record was found.
fn against(
    detail: &RecordDetail,
    base: &RecordBeside,
    which: &'static str,
    why: Option<String>,
) -> impl IntoView + use<> {
    let change = Points::between(base.percentage, detail.record.percentage);
    let name = format!("commit {}", base.commit.short());
    // A decrease because parts are missing is not a change of the commit.
    let is_known = detail.parts.missing().is_empty() || change.basis_points() >= 0;
    let change = match is_known {
        true => view! { <Change change=Some(change)/> " against " }.into_any(),
        false => {
            view! { <span class="muted">"Incomplete, so not compared"</span>" with " }.into_any()
        }
    };
    view! {
        <li>
            {change}
            <span title=why>{which}</span>", "
            <a class="link mono" href=links::record(base.id)>{name}</a>
            {format!(" ({} %, {})", base.percentage, Day::of(base.updated_at).long())}
        </li>
    }
}
