//! The verdict about each language of the newest commit, and its numbers.

use super::language;
use crate::{
    components::{
        card::{number, simple, stacked},
        change::Change,
        coverage::{Bar, Percent, level},
        gate::gate,
        pull_requests::{changed, verdict},
    },
    links,
    numbers::{covered_of, grouped},
};
use domain::{PullRequestDetail, PullRequestRow, RecordChanges, RecordDetail};
use leptos::prelude::*;

/// The verdict and the numbers of each language.
pub(super) fn results(detail: &PullRequestDetail) -> impl IntoView + use<> {
    let records = detail.records.iter().enumerate();
    let verdicts = records.map(|(place, record)| {
        let id = match place {
            0 => "gate".to_owned(),
            place => format!("gate-{place}"),
        };
        let found = record.gate.as_ref();
        found.map(|found| gate(&id, found, record.record.id, language(detail, record)))
    });
    let verdicts: Vec<_> = verdicts.collect();
    let has_no_gate = verdicts.iter().all(Option::is_none);
    let numbers = detail.records.iter();
    let numbers = numbers.map(|record| numbers_of(detail, record));
    let numbers = numbers.collect_view();
    view! {
        {verdicts}
        {has_no_gate.then(no_gate)}
        {numbers}
        {others(&detail.others)}
    }
}

fn no_gate() -> AnyView {
    let sentence = view! {
        <p>"Nothing judges this pull request: no rule is set for its repository."</p>
    };
    simple("message gate", "gate", "No gate", sentence)
}

fn numbers_of(detail: &PullRequestDetail, record: &RecordDetail) -> impl IntoView + use<> {
    let label = format!("Results in {}", record.record.language);
    view! {
        <section class="stats results" aria-label=label>
            {changed_lines(detail, record)}
            {coverage(detail, record)}
            {lost(detail, record)}
        </section>
    }
}

fn stat(
    detail: &PullRequestDetail,
    record: &RecordDetail,
    title: &'static str,
    class: &'static str,
    content: impl IntoView,
) -> AnyView {
    view! {
        <div class=format!("card stat {class}")>
            <h2>{title}{language(detail, record)}</h2>
            {content}
        </div>
    }
    .into_any()
}

fn changed_lines(detail: &PullRequestDetail, record: &RecordDetail) -> AnyView {
    let title = "Changed lines";
    let words = |number: &'static str, sentence: String| {
        let content =
            view! { <p class="number muted">{number}</p><p class="muted small">{sentence}</p> };
        stat(detail, record, title, "", content)
    };
    let changed = match &record.changes {
        RecordChanges::Known(changed) => changed,
        RecordChanges::NotSent => {
            return words(
                "unknown",
                "No upload of this commit sent its changes.".to_owned(),
            );
        }
        RecordChanges::NoLines => {
            return words(
                "unknown",
                "The lines of this record are not kept.".to_owned(),
            );
        }
        RecordChanges::Unknown(_) => {
            let why = record.changes.unknown();
            return words("unknown", why.unwrap_or_default());
        }
    };
    let unknown = record.changes.unknown();
    let Some(percentage) = changed.percentage() else {
        return match unknown {
            Some(why) => words("unknown", why),
            None => words("none", "No coverable line changed.".to_owned()),
        };
    };
    let of = format!("{} covered", covered_of(changed.count()));
    let content = view! {
        <p class="number">{percentage.to_string()}<Percent/></p>
        <Bar percentage/>
        <p class="muted small">{of}</p>
        {unknown.map(|why| view! { <p class="muted small">{why}</p> })}
    };
    stat(detail, record, title, level(percentage), content)
}

fn coverage(detail: &PullRequestDetail, record: &RecordDetail) -> AnyView {
    let percentage = record.record.percentage;
    let against = record.base.as_ref().map(|base| {
        let change = domain::Change::between(base.record.percentage, percentage);
        // A decrease because parts are missing is not a change of the commit.
        let is_known = record.parts.missing().is_empty() || change.basis_points() >= 0;
        match is_known {
            true => view! { <Change change=Some(change)/>" points against its base" }.into_any(),
            false => "Incomplete, so not compared".into_any(),
        }
    });
    let against = against.unwrap_or_else(|| "There is nothing to compare it with".into_any());
    let missing = record.parts.missing();
    let waiting = (!missing.is_empty()).then(|| {
        let sentence = format!("So far: waiting for {missing}");
        view! { <p class="small"><strong><bdi>{sentence}</bdi></strong></p> }
    });
    let content = view! {
        <p class="number">{percentage.to_string()}<Percent/></p>
        <Bar percentage/>
        <p class="muted small">{against}</p>
        {waiting}
    };
    stat(detail, record, "All lines", level(percentage), content)
}

fn lost(detail: &PullRequestDetail, record: &RecordDetail) -> AnyView {
    let comparison = record.comparison.as_ref();
    let explained = comparison.and_then(|comparison| comparison.explained.as_ref());
    let lost = explained.and_then(|explained| explained.lost.as_ref());
    let (number, sentence) = match lost {
        Some(lost) if record.knows_lost_lines => (
            grouped(lost.lines),
            "Unchanged lines that ran at the base and do not run now",
        ),
        _ => (
            "unknown".to_owned(),
            "The changes do not start from a record whose lines are kept",
        ),
    };
    let content = view! {
        <p class="number">{number}</p>
        <p class="muted small">{sentence}</p>
    };
    stat(detail, record, "Lost lines", "", content)
}

/// The languages whose details are only on the pages of their records.
fn others(rows: &[PullRequestRow]) -> Option<AnyView> {
    let columns = [
        ("Language", "c-name"),
        ("Changed lines", "num c-of"),
        ("Coverage", "num"),
        ("Gate", ""),
    ];
    let shown = rows.iter().map(|row| {
        let language = row.language.to_string();
        view! {
            <tr>
                <th scope="row"><a href=links::record(row.record_id)><bdi>{language}</bdi></a></th>
                {number("Changed lines", changed(row.changed))}
                {number("Coverage", view! { {row.percentage.to_string()}<Percent/> })}
                <td data-label="Gate">{verdict(row.verdict)}</td>
            </tr>
        }
    });
    let shown = shown.collect_view();
    let table = stacked("others", "others", columns, shown);
    (!rows.is_empty()).then(|| simple("", "others", "More languages", table))
}
