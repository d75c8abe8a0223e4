//! `/repos/{org}/{repo}/pulls/{n}`: the verdict about the newest commit of a pull request, its missed lines, why the coverage
//! changed, and its uploads.

mod files;
mod header;
mod results;
#[cfg(test)]
mod tests;
mod uploads;

use crate::{
    components::{
        card::{card, note},
        code::excerpts,
        page_head::PageHead,
        what_moved::{WHY, what_moved},
    },
    links,
    numbers::counted,
    pages::record::changed,
};
use domain::{ChangeCause, Excerpt, PullRequestDetail, RecordChanges, RecordDetail, WantedLines};
use leptos::prelude::*;

/// The changed lines that did not run, in all languages.
pub(super) fn wanted(detail: &PullRequestDetail) -> Vec<WantedLines> {
    let wanted = detail.records.iter().flat_map(changed::wanted);
    wanted.take(Excerpt::MOST_FILES).collect()
}

pub(super) fn content(detail: &PullRequestDetail, code: &[Excerpt]) -> impl IntoView + use<> {
    let title = format!("Pull request {} · {}", detail.number, detail.repository);
    let description = description(detail);
    let results = match detail.records.is_empty() && detail.uploads.is_empty() {
        true => header::nothing(detail),
        false => {
            let files = files::files(detail, code).into_any();
            let reasons = reasons(detail, code).into_any();
            // The code with the largest effect is first.
            let details = match detail.records.iter().any(has_mostly_lost) {
                true => [reasons, files],
                false => [files, reasons],
            };
            view! {
                {results::results(detail)}
                {details}
                {uploads::uploads(detail)}
            }
            .into_any()
        }
    };
    view! {
        <PageHead title description/>
        {header::header(detail)}
        {results}
    }
}

/// The verdict and the changed lines of each language, for link previews.
fn description(detail: &PullRequestDetail) -> String {
    let of = |record: &RecordDetail| {
        let gate = record.gate.as_ref();
        let gate = gate.map(|gate| format!(", gate {}", gate.verdict.word()));
        let changed = match &record.changes {
            RecordChanges::Known(changed) => format!(", {}", changed.sentence()),
            RecordChanges::Unknown(_) | RecordChanges::NotSent | RecordChanges::NoLines => {
                String::new()
            }
        };
        let (language, percentage) = (&record.record.language, record.record.percentage);
        let gate = gate.unwrap_or_default();
        format!("{language}: {percentage} %{changed}{gate}")
    };
    let results: Vec<_> = detail.records.iter().map(of).collect();
    let about = format!("Pull request {} of {}", detail.number, detail.repository);
    match results.is_empty() {
        true => format!("{about}: no upload has arrived yet."),
        false => format!("{about}: {}.", results.join("; ")),
    }
}

/// The language of a record, if the pull request has several.
fn language(detail: &PullRequestDetail, record: &RecordDetail) -> Option<AnyView> {
    let several = detail.records.len() + detail.others.len() > 1;
    let language = record.record.language.to_string();
    several.then(|| view! { " " <span class="chip">{language}</span> }.into_any())
}

/// Whether lost lines have the largest effect on the coverage.
fn has_mostly_lost(record: &RecordDetail) -> bool {
    let comparison = record.comparison.as_ref();
    let explained = comparison.and_then(|comparison| comparison.explained.as_ref());
    let first = explained.and_then(|explained| explained.explanation.groups.first());
    first.is_some_and(|group| group.cause == ChangeCause::Lost)
}

/// A card for each language that explains the change since its base.
fn reasons(detail: &PullRequestDetail, code: &[Excerpt]) -> impl IntoView + use<> {
    let cards = detail.records.iter().enumerate();
    let cards = cards.filter_map(|(place, record)| {
        let comparison = record.comparison.as_ref()?;
        let base = &comparison.base;
        // The headings of the table lead to the first card.
        let id = match place {
            0 => "moved".to_owned(),
            place => format!("moved-{place}"),
        };
        let title = view! { {WHY}{language(detail, record)} };
        let beside = view! {
            <span class="muted small">
                "since commit "
                <a class="link mono" href=links::record(base.id)>{base.commit.short().to_owned()}</a>
                {format!(" with {} %", base.percentage)}
            </span>
        };
        let (explained, moved) = (comparison.explained.as_ref(), comparison.moved.as_ref());
        let why = what_moved(record.record.id, comparison.change, explained, moved);
        let lost: Vec<_> = changed::of_lost(code, record.record.id).collect();
        let all = explained.and_then(|explained| explained.lost.as_ref());
        let all = all.map_or(0, |lost| lost.files.len());
        let others = all.saturating_sub(lost.len());
        let others = (others > 0 && !lost.is_empty()).then(|| {
            let others = counted(others as u64, "more file", "more files");
            note(format!("The lost lines of {others} are in the table above."))
        });
        Some(card(id, title, beside, (why, excerpts(lost), others)))
    });
    cards.collect_view()
}
