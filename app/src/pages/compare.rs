//! `/compare?base=&head=`: two records side by side, and the per-file changes from base to head.

mod chooser;
mod counted;
#[cfg(test)]
mod tests;

use crate::{
    AppError, SharedReadModel,
    address::Address,
    components::{
        answered::answered,
        card::{aside, card},
        change::Change,
        code::excerpts,
        coverage::{Bar, Percent, level},
        name::Name,
        on_forge::{forge_pages, on_forge, out},
        page_head::PageHead,
        repository_head::repository_head,
        time::Age,
        what_moved::{WHY, what_moved},
    },
    links::{self, ReportLinks},
    numbers::covered_of,
};
use chooser::chooser;
use domain::{
    Change as Points, ChangeCause, Compare, CompareQuery, ComparedRecord, Count, CountedTwice,
    Excerpt, Metric, RecordRef, RecordRefError, Timestamp, ViewName, WantedLines, heading, no_view,
};
use leptos::prelude::*;

/// Compares two records, which its address names.
#[component]
pub(crate) fn ComparePage() -> impl IntoView {
    let address = Address::current();
    let model: SharedReadModel = expect_context();
    let names_others = !address.get(links::OTHERS).is_empty();
    let answer = async move {
        let query = query_of(&address)?;
        let compare = model.compare(&query).await?;
        missing(query.base.as_ref(), compare.base.as_ref())?;
        missing(query.head.as_ref(), compare.head.as_ref())?;
        let has_side = compare.base.is_some() || compare.head.is_some();
        match &query.view {
            Some(view) if has_side && compare.view.is_none() => {
                Err(AppError::NotFound(format!("{}.", no_view(view))))
            }
            _ => {
                let code = model.excerpts(wanted(&compare)).await?;
                Ok((query, compare, code))
            }
        }
    };
    answered(answer, move |(query, compare, code)| {
        content(&query, &compare, &code, names_others)
    })
}

/// Reads the query. An invalid language is ignored; an invalid record is an error.
fn query_of(address: &Address) -> Result<CompareQuery, AppError> {
    let side = |name| match address.get(name) {
        text if text.is_empty() => Ok(None),
        text => text
            .parse()
            .map(Some)
            .map_err(|error: RecordRefError| AppError::NotFound(format!("{error}."))),
    };
    let query = CompareQuery::of(&|name| address.values(name));
    Ok(CompareQuery {
        base: side("base")?,
        head: side("head")?,
        // New lines are counted from a position in the history, not between two records.
        metric: match query.metric {
            Metric::New => Metric::Lines,
            metric => metric,
        },
        ..query
    })
}

/// Fails if a requested record was not found.
fn missing(requested: Option<&RecordRef>, found: Option<&ComparedRecord>) -> Result<(), AppError> {
    match (requested, found) {
        (Some(RecordRef::Id(id)), None) => {
            Err(AppError::NotFound(format!("There is no record {id}.")))
        }
        (Some(RecordRef::CurrentOf(repository, branch)), None) => Err(AppError::NotFound(format!(
            "The branch {branch} of {repository} has no current record, or no current record in the requested language."
        ))),
        _ => Ok(()),
    }
}

/// The gained and lost lines, and the new lines that did not run, of the files with the largest effects.
fn wanted(compare: &Compare) -> Vec<WantedLines> {
    let (Some(head), Some(explained)) = (&compare.head, &compare.explained) else {
        return Vec::new();
    };
    let mut wanted: Vec<WantedLines> = Vec::new();
    for group in &explained.explanation.groups {
        let Some(path) = group.path.as_ref().filter(|_| !group.lines.is_empty()) else {
            continue;
        };
        let place = wanted.iter().position(|wanted| wanted.path == *path);
        if place.is_none() && wanted.len() == Excerpt::MOST_FILES {
            continue;
        }
        let place = place.unwrap_or_else(|| {
            wanted.push(WantedLines {
                record_id: head.id,
                path: path.clone(),
                ..WantedLines::default()
            });
            wanted.len() - 1
        });
        let of_file = &mut wanted[place];
        of_file.lines.extend(&group.lines);
        of_file.lines.sort_unstable();
        match group.cause {
            ChangeCause::Lost => of_file.lost.clone_from(&group.lines),
            ChangeCause::Gained => of_file.gained.clone_from(&group.lines),
            _ => {}
        }
    }
    wanted
}

fn content(
    query: &CompareQuery,
    compare: &Compare,
    code: &[Excerpt],
    names_others: bool,
) -> impl IntoView + use<> {
    let repository = compare.head.as_ref().or(compare.base.as_ref());
    let repository = repository.map(|side| side.repository.clone());
    let title = match (compare.sides(), &repository) {
        (Some((base, head)), Some(of)) => {
            format!("{} to {} · {of}", base.commit.short(), head.commit.short())
        }
        _ => "Compare".to_owned(),
    };
    let both = compare
        .sides()
        .map(|(base, head)| both(query, compare, code, base, head));
    let one = |name, side: Option<&ComparedRecord>| {
        let record = side.filter(|_| both.is_none());
        record.map(|record| side_card(name, record, query.view.as_ref(), compare.now))
    };
    let one = (
        one("Base", compare.base.as_ref()),
        one("Head", compare.head.as_ref()),
    );
    view! {
        <PageHead title description="Code coverage of two records side by side."/>
        {match repository {
            Some(repository) => repository_head(&repository, None, "Compare", ()),
            None => view! { <div class="record-head"><h1>"Compare"</h1></div> }.into_any(),
        }}
        {chooser(query, compare, names_others)}
        {one}
        {both}
    }
}

fn both(
    query: &CompareQuery,
    compare: &Compare,
    code: &[Excerpt],
    base: &ComparedRecord,
    head: &ComparedRecord,
) -> impl IntoView + use<> {
    let moved = compare.change().map(|change| {
        let (explained, moved) = (compare.explained.as_ref(), compare.moved.as_ref());
        let moved = what_moved(head.id, change, explained, moved);
        card(
            "moved",
            WHY,
            None::<()>,
            (moved, counted::dashes(query.metric), excerpts(code)),
        )
    });
    let reservations = reservations(base, head).into_iter();
    let reservations = reservations.map(|sentence| view! { <p class="note card">{sentence}</p> });
    let view = query.view.as_ref();
    let are_alike = base.repository == head.repository && base.language == head.language;
    let side = |name: &'static str, record: &ComparedRecord| {
        let whole = format!("; all lines {}\u{202f}%", record.percentage);
        let whole = compare.counted.is_some().then_some(whole);
        let about = about(record, view, compare.now, !are_alike);
        view! { <li class="muted small">{name}": "{about}{whole}</li> }
    };
    let sides = (side("Base", base), side("Head", head));
    view! {
        {counted::choice_of(query, compare, head)}
        {counted::headline(query, compare, sides)}
        {on_its_forge(base, head)}
        {reservations.collect_view()}
        {counts(base, head, view)}
        {moved}
    }
}

/// A card about a record without another to compare it with. `name` is `Base` or `Head`.
fn side_card(
    name: &'static str,
    record: &ComparedRecord,
    view: Option<&ViewName>,
    now: Timestamp,
) -> impl IntoView + use<> {
    let percentage = record.percentage;
    view! {
        <section class=format!("card known {}", level(percentage)) aria-label=name>
            <h2>{name}</h2>
            <p class="number">{percentage.to_string()}<Percent/></p>
            <Bar percentage/>
            <p class="muted">{about(record, view, now, true)}</p>
        </section>
    }
}

/// The commit, branch, author and time of a record, with links to its page and its HTML report; `names_all` adds repository and
/// language.
fn about(
    record: &ComparedRecord,
    view: Option<&ViewName>,
    now: Timestamp,
    names_all: bool,
) -> impl IntoView + use<> {
    let reports: ReportLinks = expect_context();
    let href = links::record_view(record.id, view);
    let of = format!("commit {}, {}", record.commit, record.language);
    let report = record.has_report.then(|| {
        let label = format!("HTML report of {of}");
        view! { ", "<a class="link" rel="external" href=reports.report(record.id) aria-label=label>"HTML report ↗"</a> }
    });
    let place = names_all.then(|| {
        view! {
            " of "
            <a class="link" href=links::repository(&record.repository)><Name text=record.repository.to_string()/></a>
            {format!(", {}", record.language)}
        }
    });
    view! {
        <a class="link mono" href=href title=record.commit.to_string()>{record.commit.short().to_owned()}</a>
        " on "
        <Name text=record.branch.to_string() class="mono"/>
        {place}
        ", by "<bdi>{record.author.to_string()}</bdi>
        ", "
        <Age at=record.updated_at now/>
        {report}
    }
}

fn counts(
    base: &ComparedRecord,
    head: &ComparedRecord,
    view: Option<&ViewName>,
) -> Option<AnyView> {
    let rows: Vec<_> = base.counts_of_both(head).iter().map(row).collect();
    if rows.is_empty() {
        return None;
    }
    let table = view! {
        <table class="counts stored stacked" aria-labelledby="counts">
            <thead>
                <tr>
                    <th scope="col"><span class="unseen">"What"</span></th>
                    <th scope="col" class="num">"Base"</th>
                    <th scope="col" class="num">"Head"</th>
                    <th scope="col" class="num">"Points"</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    };
    let of = view.map(|view| aside(format!("in {view}")));
    Some(card("counts", "What was counted", of, table))
}

fn row(counted: &CountedTwice) -> impl IntoView + use<> {
    let change = counted
        .base
        .zip(counted.head)
        .map(|(base, head)| Points::between(base.percentage(), head.percentage()));
    view! {
        <tr>
            <th scope="row">{heading(&counted.counter)}</th>
            <td class="num" data-label="Base">{of(counted.base)}</td>
            <td class="num" data-label="Head">{of(counted.head)}</td>
            <td class="num" data-label="Points"><Change change/></td>
        </tr>
    }
}

fn of(count: Option<Count>) -> impl IntoView + use<> {
    match count {
        None => view! { <span class="muted" title="not counted">"–"</span> }.into_any(),
        Some(count) => view! { {count.percentage().to_string()}<Percent/><span class="of muted small">{covered_of(count)}</span> }
            .into_any(),
    }
}

/// A link to the changes between the two commits on their forge.
fn on_its_forge(base: &ComparedRecord, head: &ComparedRecord) -> Option<impl IntoView + use<>> {
    let is_one = base.repository == head.repository && base.commit != head.commit;
    let pages = forge_pages(&head.repository, head.forge.as_deref(), None).filter(|_| is_one)?;
    let href = pages.changes(&base.commit, &head.commit)?;
    on_forge(pages.name(), vec![out(href, "changes from base to head")])
}

/// Reasons why the comparison may be of little use.
fn reservations(base: &ComparedRecord, head: &ComparedRecord) -> Vec<String> {
    if base.id == head.id {
        return vec!["Base and head are the same record.".to_owned()];
    }
    let mut sentences = Vec::new();
    if base.repository != head.repository {
        sentences.push(format!(
            "The records are of two repositories, {} and {}: files with the same path are compared.",
            base.repository, head.repository
        ));
    }
    if base.language != head.language {
        sentences.push(format!(
            "The records are of two languages, {} and {}.",
            base.language, head.language
        ));
    }
    if base.report_format != head.report_format {
        sentences.push(format!(
            "Their coverage files have different formats, {} and {}, which may count differently.",
            base.report_format, head.report_format
        ));
    }
    sentences
}
