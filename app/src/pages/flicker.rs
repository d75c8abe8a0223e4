//! `/flicker?repo=`: lines of a repository's main branch whose state changes although their file does not.

use super::not_found::no_repository;
use crate::{
    SharedReadModel,
    address::Address,
    components::{
        answered::answered,
        crumbs::{Crumb, Crumbs},
        measures::files_in_words,
        name::Name,
        page_head::PageHead,
        time::Age,
    },
    links,
    numbers::grouped,
};
use domain::{
    FlickerList, FlickeringFile, FlickeringLanguage, Repository, Timestamp, lines_in_words,
};
use leptos::prelude::*;

/// How many ranges of lines of each file are named.
const NAMED_RANGES: usize = 20;

/// The lines that flicker; its address holds the repository.
#[component]
pub(crate) fn FlickerPage() -> impl IntoView {
    let name = Address::current().get("repo");
    let model: SharedReadModel = expect_context();
    let answer = async move {
        let found = match name.parse::<Repository>() {
            Ok(repository) => model.flicker(&repository).await?,
            Err(_) => None,
        };
        match found {
            Some(list) => Ok(list),
            None => Err(no_repository(&name, &*model).await),
        }
    };
    answered::<FlickerList, _>(answer, |list| content(&list))
}

fn content(list: &FlickerList) -> impl IntoView + use<> {
    let repository = &list.repository;
    let title = format!("Flickering lines · {repository}");
    let cards = list.languages.iter();
    let cards = cards
        .map(|language| card(language, list.now))
        .collect_view();
    let nothing = list.languages.is_empty().then(|| {
        view! {
            <section class="card message">
                <p>"No lines of the main branch are kept yet. Upload a coverage file with lines."</p>
            </section>
        }
    });
    let more = list.has_more_languages.then(|| {
        view! { <p class="note muted">"There are more languages, which are not listed."</p> }
    });
    view! {
        <PageHead title description="Lines whose coverage changes although their file does not."/>
        <div class="record-head">
            <Crumbs steps=Crumb::to_repository(repository)/>
            <h1>"Flickering lines"</h1>
            <p class="muted">
                "Lines of the main branch that changed between run and not run three times or more, or in two uploads of one part of a commit, although their file did not change. They are not counted as lost. Tests that depend on time, order or chance are the usual reason."
            </p>
        </div>
        {cards}
        {more}
        {nothing}
    }
}

fn card(language: &FlickeringLanguage, now: Timestamp) -> impl IntoView + use<> {
    let id = format!("flicker-{}", language.record_id);
    let heading = id.clone();
    let name = language.language.to_string();
    let record = links::record(language.record_id);
    let searched = match language.records {
        1 => "in 1 record, up to ".to_owned(),
        records => format!("in {records} records, up to "),
    };
    let found = match language.lines {
        0 => "No line flickers.".to_owned(),
        1 => "1 line flickers.".to_owned(),
        lines => format!(
            "{} lines in {} flicker.",
            grouped(lines),
            files_in_words(language.all_files)
        ),
    };
    let rows = language.files.iter();
    let rows = rows.map(|file| row(language.record_id, file));
    let rows = rows.collect_view();
    let table = (!language.files.is_empty()).then(|| {
        view! {
            <table class="stored stacked" aria-labelledby=id.clone()>
                <thead>
                    <tr>
                        <th scope="col">"File"</th>
                        <th scope="col">"Lines"</th>
                        <th scope="col">"Changed in"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        }
    });
    let others = language
        .all_files
        .saturating_sub(language.files.len() as u64);
    let others = (others > 0).then(|| {
        view! { <p class="note muted">{format!("and {} more", files_in_words(others))}</p> }
    });
    view! {
        <section class="card" aria-labelledby=id.clone()>
            <div class="head">
                <h2 id=heading>{name}</h2>
                <span class="muted small">
                    {searched}
                    <a class="link" href=record>"the newest one"</a>", uploaded "<Age at=language.updated_at now=now/>
                </span>
            </div>
            <p class="note">{found}</p>
            {table}
            {others}
        </section>
    }
}

fn row(record_id: i64, file: &FlickeringFile) -> impl IntoView + use<> {
    let href = links::source(record_id, &file.path);
    let lines = &file.lines;
    let more = if lines.len() > NAMED_RANGES {
        ", …"
    } else {
        ""
    };
    let lines = lines.iter().take(NAMED_RANGES).copied().map(lines_in_words);
    let lines = lines.collect::<Vec<_>>().join(", ") + more;
    let name = file.path.clone();
    let records = file.records.iter().enumerate();
    let records = records.map(|(place, &record)| {
        let separator = (place > 0).then_some(", ");
        view! { {separator}<a class="link" href=links::record(record)>{format!("record {record}")}</a> }
    });
    let records = records.collect_view();
    view! {
        <tr>
            <th scope="row"><a href=href><Name text=name class="mono"/></a></th>
            <td data-label="Lines">{lines}</td>
            <td data-label="Changed in">{records}</td>
        </tr>
    }
}

#[cfg(test)]
mod tests;
