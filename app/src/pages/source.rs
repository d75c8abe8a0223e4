//! `/records/{id}/source`: a source file of a record, with its missed lines and its page in the HTML report.

use crate::{
    AppError, SharedReadModel,
    address::{self, Address, cut},
    components::{
        answered::answered,
        card::{report_frame, simple},
        coverage::Percent,
        crumbs::{Crumb, Crumbs},
        form::{choice, choices},
        name::Name,
        on_forge::{forge_pages, on_forge, out},
        page_head::PageHead,
    },
    links::{self, ReportLinks},
    numbers::{counted, covered_of},
};
use domain::{
    Count, KnownLines, LineRange, LineRanges, MissedSince, NotRunSince, PartName, SourceDetail,
    SourceLines, SourceQuery, lines_in_words,
};
use leptos::prelude::*;

/// The name of the frame that shows the HTML report, which links open lines in.
const FRAME: &str = "html-report";

/// A source file; its address holds the path.
#[component]
pub(crate) fn SourcePage() -> impl IntoView {
    let id = address::part("id");
    let address = Address::current();
    let line = address.get("line").parse().ok();
    let part = Some(address.get("part")).filter(|part| !part.is_empty());
    let part = part.and_then(|part| PartName::of_segment(&part).ok());
    let path = cut(address.get("path"));
    let model: SharedReadModel = expect_context();
    let answer = async move {
        let missing = || AppError::NotFound(format!("There is no record {id}."));
        let id = id.parse().map_err(|_| missing())?;
        let query = SourceQuery {
            id,
            path,
            line,
            part,
        };
        model.source(&query).await?.ok_or_else(missing)
    };
    answered(answer, |detail| content(&detail))
}

fn content(detail: &SourceDetail) -> impl IntoView + use<> {
    let reports: ReportLinks = expect_context();
    let SourceDetail {
        query, repository, ..
    } = detail;
    let title = format!("{} · {} · {repository}", query.path, detail.commit.short());
    let commit = detail.commit.short();
    let description = format!(
        "Missed lines of {} at commit {commit} of {repository}, {}.",
        query.path, detail.language
    );
    let mut steps = Crumb::to_repository(repository);
    let record = Crumb::named(format!("Commit {commit}"), links::record(query.id));
    steps.push(record);
    view! {
        <PageHead title description/>
        <div class="record-head">
            <Crumbs steps/>
            <h1 class="path"><Name text=query.path.clone() class="mono"/></h1>
            {coverage(&detail.lines)}
            {on_its_forge(detail)}
        </div>
        <div class="source">
            {lines(detail)}
            {page(detail, &reports)}
        </div>
    }
}

/// A link to the file on its forge, at the line.
fn on_its_forge(detail: &SourceDetail) -> Option<impl IntoView + use<>> {
    let pages = forge_pages(&detail.repository, detail.forge.as_deref(), None)?;
    let SourceQuery { path, line, .. } = &detail.query;
    let href = pages.source(&detail.commit, path, *line)?;
    on_forge(pages.name(), vec![out(href, "source file")])
}

fn coverage(lines: &SourceLines) -> Option<impl IntoView + use<>> {
    let SourceLines::Known(known) = lines else {
        return None;
    };
    let count = Count {
        covered: known.covered,
        total: known.coverable,
    };
    Some(view! {
        <p>
            <strong>{count.percentage().to_string()}<Percent/></strong>
            {format!(": {} lines covered", covered_of(count))}
        </p>
    })
}

/// The missed and partial lines, or why they are not known.
fn lines(detail: &SourceDetail) -> AnyView {
    let body = match &detail.lines {
        SourceLines::Known(known) => states(known, detail).into_any(),
        SourceLines::NoSuchFile => note("This record has no lines of this file."),
        SourceLines::NotKept => note(
            "The lines of this record are not kept: its coverage file has no lines, they have expired, or it is older than the storage of lines. Lines of newer uploads are kept.",
        ),
    };
    simple("lines", "lines", "Lines", body)
}

fn note(sentence: &'static str) -> AnyView {
    view! { <p class="muted">{sentence}</p> }.into_any()
}

fn states(known: &KnownLines, detail: &SourceDetail) -> impl IntoView + use<> {
    let SourceQuery { id, path, .. } = &detail.query;
    let link = |(first, last): LineRange| {
        let text = lines_in_words((first, last));
        if !detail.has_report {
            return text.into_any();
        }
        let href = links::framed_source(*id, path, Some(first), detail.part.as_ref());
        view! { <a class="link" rel="external" target=FRAME href=href>{text}</a> }.into_any()
    };
    let is_complete = known.missed.count == 0 && known.partial.count == 0;
    let all = is_complete.then(|| view! { <p>"Every line ran, with all its branches."</p> });
    view! {
        {all}
        {ranges("Missed", "did not run", &known.missed, &known.missed_since, &link)}
        {ranges("Partial", "ran without all branches", &known.partial, &[], &link)}
    }
}

fn ranges(
    state: &'static str,
    what: &'static str,
    ranges: &LineRanges,
    since: &[MissedSince],
    link: &dyn Fn(LineRange) -> AnyView,
) -> Option<impl IntoView + use<>> {
    let with_history = since.iter().map(|missed| {
        let phrase = missed.since.as_ref().map(NotRunSince::phrase);
        let phrase = phrase.map(|phrase| view! { " " <span class="muted small">{phrase}</span> });
        view! { <li class="since">{link(missed.lines)}{phrase}</li> }.into_any()
    });
    let without = ranges.first.iter().filter(|_| since.is_empty());
    let without = without.map(|&range| view! { <li>{link(range)}</li> }.into_any());
    let shown = with_history.chain(without).collect_view();
    let named = match since.last() {
        Some(last) => ranges
            .first
            .iter()
            .filter(|range| range.1 <= last.lines.1)
            .count(),
        None => ranges.first.len(),
    };
    let others = ranges.count.saturating_sub(named);
    let others = (others > 0).then(|| {
        view! { <li class="muted">{format!("and {}", counted(others as u64, "more range", "more ranges"))}</li> }
    });
    let lines = format!("{} {what}", counted(ranges.lines, "line", "lines"));
    (ranges.count > 0).then(|| {
        view! {
            <h3>{state}</h3>
            <p class="muted small">{lines}</p>
            <ul class="ranges mono">{shown}{others}</ul>
        }
    })
}

/// The page of the file in the HTML report.
fn page(detail: &SourceDetail, reports: &ReportLinks) -> impl IntoView + use<> {
    let SourceQuery { id, path, line, .. } = &detail.query;
    let part = detail.part.as_ref();
    let body = if detail.has_report {
        let title = match part {
            Some(part) => format!("HTML report of {path} in part {part}"),
            None => format!("HTML report of {path}"),
        };
        let address = links::framed_source(*id, path, *line, part);
        report_frame(Some(FRAME), address, title, reports)
    } else {
        view! { <p class="note muted">"No HTML report of this record is stored."</p> }.into_any()
    };
    let full = detail.has_report.then(|| {
        view! { <a class="btn" rel="external" href=reports.source(*id, path, *line, part)>"Open full page ↗"</a> }
    });
    let heading = match part {
        Some(part) => format!("HTML report of part {part}"),
        None => "HTML report".to_owned(),
    };
    view! {
        <section class="card html-report" aria-labelledby="report-title">
            <div class="head">
                <h2 id="report-title">{heading}</h2>
                <span class="grow"></span>
                {full}
            </div>
            {other_parts(detail)}
            {body}
        </section>
    }
}

/// The parts whose HTML reports can be shown, if there are several.
fn other_parts(detail: &SourceDetail) -> Option<AnyView> {
    let SourceQuery { id, path, line, .. } = &detail.query;
    let links = detail.parts.iter().map(|part| {
        let is_current = detail.part.as_ref() == Some(part);
        let href = links::source_in(*id, path, *line, Some(part));
        choice(href, is_current, view! { <bdi>{part.to_string()}</bdi> })
    });
    (detail.parts.len() > 1).then(|| choices("Part of the HTML report", links))
}

#[cfg(test)]
mod tests;
