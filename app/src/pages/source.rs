//! `/records/{id}/source`: a source file of a record, line by line, beside the other files.

mod notes;
mod report;
mod steps;
mod strip;
mod tree;

use crate::{
    AppError, SharedReadModel,
    address::{self, Address, cut},
    components::{
        answered::answered,
        card::note,
        code::{
            markup::{Links, markup},
            rows::{Rows, class_of},
        },
        coverage::{Coverage, Percent, Target},
        crumbs::{Crumb, Crumbs},
        form::{choice, choices},
        name::Name,
        on_forge::{forge_pages, on_forge, out},
        page_head::PageHead,
        repository_head::steps_to_record,
    },
    links,
    numbers::{covered_of, whole},
};
use domain::{
    Count, PartName, Percentage, SourceDetail, SourceLines, SourceQuery, range_in_address,
};
use leptos::prelude::*;

/// A source file; its address holds the path.
#[component]
pub(crate) fn SourcePage() -> impl IntoView {
    let id = address::part("id");
    let address = Address::current();
    let lines = range_in_address(&address.get("line"));
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
            lines,
            part,
        };
        model.source(&query).await?.ok_or_else(missing)
    };
    answered(answer, |detail| content(&detail))
}

fn content(detail: &SourceDetail) -> impl IntoView + use<> {
    let SourceDetail {
        query, repository, ..
    } = detail;
    let commit = detail.commit.short();
    let title = format!("{} · {commit} · {repository}", query.path);
    let description = format!(
        "The lines of {} at commit {commit} of {repository}, {}.",
        query.path, detail.language
    );
    let mut steps = steps_to_record(repository, detail.pull_request.as_ref());
    let record = Crumb::named(format!("Commit {commit}"), links::record(query.id));
    steps.push(record);
    view! {
        <PageHead title description/>
        <div class="record-head">
            <Crumbs steps/>
            <h1 class="path"><Name text=query.path.clone() class="mono"/></h1>
            {coverage(detail)}
            {parts(detail)}
            {on_its_forge(detail)}
        </div>
        <div class="source">
            {tree::tree(detail)}
            <div class="of-file">
                {code(detail)}
                {report::report(detail)}
            </div>
        </div>
    }
}

/// A link to the file on its forge, at the line.
fn on_its_forge(detail: &SourceDetail) -> Option<impl IntoView + use<>> {
    let pages = forge_pages(&detail.repository, detail.forge.as_deref(), None)?;
    let SourceQuery { path, lines, .. } = &detail.query;
    let href = pages.source(&detail.commit, path, lines.map(|lines| lines.0))?;
    on_forge(pages.name(), vec![out(href, "source file")])
}

/// The percentage of the lines that are shown.
fn coverage(detail: &SourceDetail) -> Option<impl IntoView + use<>> {
    let SourceLines::Known(known) = &detail.lines else {
        return None;
    };
    let count = known.count();
    let percentage = Percentage::of(count)?;
    let Target(target) = expect_context();
    let part = detail.query.part.as_ref();
    let part = part.map(|part| view! { " by part "<bdi>{part.to_string()}</bdi>" alone" });
    Some(view! {
        <div class="share">
            <Coverage percentage lines=Some(count)/>
            <span>{format!("{} lines covered", covered_of(count))}{part}</span>
            <span class="muted small">{format!("target {}", whole(target))}</span>
        </div>
    })
}

/// Links to the lines of all parts and of each one, if there are several.
fn parts(detail: &SourceDetail) -> Option<AnyView> {
    let SourceQuery {
        id,
        path,
        lines,
        part: chosen,
    } = &detail.query;
    let link = |part: Option<&PartName>, count: Option<Count>| {
        let name = part.map_or_else(|| "All parts".to_owned(), ToString::to_string);
        let percentage = count.and_then(Percentage::of);
        let percentage = percentage.map(|percentage| {
            view! { " "<span class="muted">{percentage.to_string()}<Percent/></span> }
        });
        let href = links::source_in(*id, path, *lines, part);
        choice(
            href,
            chosen.as_ref() == part,
            view! { <bdi>{name}</bdi>{percentage} },
        )
    };
    let all = link(None, detail.count);
    let own = detail.parts.iter();
    let own = own.map(|part| link(Some(&part.name), part.count));
    (detail.parts.len() > 1).then(|| choices("Lines of", [all].into_iter().chain(own)))
}

/// The lines with their states, and why something is not known.
fn code(detail: &SourceDetail) -> AnyView {
    let rows = Rows::of(detail);
    let SourceQuery { id, path, .. } = &detail.query;
    let forge = forge_pages(&detail.repository, detail.forge.as_deref(), None);
    let links = Links {
        in_report: &|line| {
            let part = detail.report.as_ref()?.part();
            let href = links::framed_source(*id, path, Some(line), part);
            Some((report::FRAME, href))
        },
        to_line: &|line, is_coverable| {
            detail.tests.as_ref().filter(|_| is_coverable)?;
            Some(links::source_lines(*id, path, Some((line, line))))
        },
        has_anchors: true,
        on_forge: &|line| forge.as_ref()?.source(&detail.commit, path, Some(line)),
    };
    let are_united = match &detail.lines {
        SourceLines::Known(known) => known.are_united,
        SourceLines::NoSuchFile | SourceLines::NotKept => false,
    };
    let notes = notes::notes(detail, &rows);
    let notes = (!notes.is_empty()).then(|| note(notes.join(" ")));
    let markup = (!rows.rows.is_empty()).then(|| {
        let class = match &detail.text {
            Some(_) => class_of(&rows.rows),
            None => "code",
        };
        let tested = detail.tests.as_ref().map_or("", |_| " tested");
        // Rows without text are few: a strip beside them would repeat them.
        let strip = detail.text.is_some().then(|| {
            view! { <div class="strip" inner_html=strip::strip(&rows.rows)></div> }
        });
        view! {
            <div class=format!("{class}{tested}")>
                <div class="rows" inner_html=markup(&rows, are_united, &links)></div>
                {strip}
            </div>
        }
    });
    // The bar stays when the heading and the parts of the page have scrolled away.
    let part = detail.query.part.as_ref();
    let part =
        part.map(|part| view! { <span class="muted">" part "<bdi>{part.to_string()}</bdi></span> });
    let name = path.rsplit('/').next().unwrap_or_default().to_owned();
    view! {
        <section class="card lines" aria-labelledby="lines">
            <div class="head steps">
                <h2 id="lines" title=path.clone()><span class="unseen">"Lines of "</span><bdi class="mono">{name}</bdi>{part}</h2>
                {steps::marks(detail)}
                <span class="grow"></span>
                {steps::steps(&rows.rows)}
            </div>
            {notes}
            {markup}
        </section>
    }
    .into_any()
}

#[cfg(test)]
mod tests;
