//! `/flicker?repo=`: lines of a repository's main branch whose state changes although their file does not.

use super::not_found::no_repository;
use crate::{
    SharedReadModel,
    address::Address,
    components::{
        answered::answered,
        card::{aside, card, head},
        code::excerpts,
        line_links::line_links,
        measures::files_in_words,
        name::Name,
        page_head::PageHead,
        repository_head::{Tab, repository_head},
        time::Age,
    },
    links,
    numbers::grouped,
};
use domain::{
    Day, Excerpt, FlickerList, FlickeringFile, FlickeringLanguage, Repository, Timestamp,
    WantedLines,
};
use leptos::prelude::*;

/// How many ranges of lines of each file are named.
const NAMED_RANGES: usize = 20;

/// The page of the lines that flicker. Its parameter `repo` names the repository.
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
            Some(list) => {
                let code = model.excerpts(wanted(&list)).await?;
                Ok((list, code))
            }
            None => Err(no_repository(&name, &*model).await),
        }
    };
    answered(answer, |(list, code)| content(&list, &code))
}

/// The lines of the first files.
fn wanted(list: &FlickerList) -> Vec<WantedLines> {
    let files = list.languages.iter().flat_map(|language| {
        let files = language.files.iter();
        files.map(|file| WantedLines {
            record_id: language.record_id,
            path: file.path.clone(),
            lines: file.lines.clone(),
            flicker: true,
            ..WantedLines::default()
        })
    });
    files.take(Excerpt::MOST_FILES).collect()
}

fn content(list: &FlickerList, code: &[Excerpt]) -> impl IntoView + use<> {
    let repository = &list.repository;
    let title = format!("Flickering lines · {repository}");
    let cards = list.languages.iter();
    let cards = cards.map(|language| {
        let code = code.iter();
        let code = code.filter(|excerpt| excerpt.wanted.record_id == language.record_id);
        of_language(language, excerpts(code), list.now)
    });
    let nothing = list.languages.is_empty().then(|| {
        view! {
            <section class="card message">
                <p>"There is no line data of the main branch yet. Upload a coverage file that lists lines."</p>
            </section>
        }
    });
    let more = list.has_more_languages.then(|| {
        view! { <p class="note muted">"There are more languages, which are not listed."</p> }
    });
    let about = view! {
        <p class="muted small todo">
            "A line flickers if it changed at least three times between run and not run while its file stayed the same, or if two uploads of a part of a commit disagree. Flickering lines never count as lost. The usual causes are tests that depend on time, order or chance."
        </p>
    };
    view! {
        <PageHead title description="Lines whose coverage changes although their file does not."/>
        {repository_head(repository, Some(Tab::Flicker), "Flickering lines", ())}
        {cards.collect_view()}
        {more}
        {nothing}
        {about}
    }
}

fn of_language(language: &FlickeringLanguage, code: Option<AnyView>, now: Timestamp) -> AnyView {
    let id = format!("flicker-{}", language.record_id);
    let name = language.language.to_string();
    let record = links::record(language.record_id);
    let searched = match language.records {
        1 => "searched 1 record; ".to_owned(),
        records => format!("searched {records} records of the main branch; "),
    };
    let found = match language.lines {
        0 => format!("No line flickers in {name}"),
        1 => format!("1 line flickers in {name}"),
        lines => {
            let (lines, files) = (grouped(lines), files_in_words(language.all_files));
            format!("{lines} lines in {files} flicker in {name}")
        }
    };
    let rows = language.files.iter();
    let rows = rows.map(|file| row(language, file)).collect_view();
    let table = (!language.files.is_empty()).then(|| {
        view! {
            <table class="stored stacked" aria-labelledby=id.clone()>
                {head([("File", ""), ("Lines", ""), ("Changed in", "")])}
                <tbody>{rows}</tbody>
            </table>
        }
    });
    let shown = language.files.len() as u64;
    let others = language.all_files.saturating_sub(shown);
    let others = (others > 0).then(|| {
        view! { <p class="note muted">{format!("and {} more", files_in_words(others))}</p> }
    });
    let about = aside(view! {
        {searched}
        <a class="link" href=record>"the newest"</a>" was uploaded "<Age at=language.updated_at now=now/>
    });
    let content = view! {
        {table}
        {others}
        {code}
    };
    let class = (language.lines == 0).then_some("verdict passed");
    card(
        id,
        view! { <span class=class>{found}</span> },
        about,
        content,
    )
}

fn row(language: &FlickeringLanguage, file: &FlickeringFile) -> impl IntoView + use<> {
    let record_id = language.record_id;
    let href = links::source(record_id, &file.path);
    let name = file.path.clone();
    let records = file.records.iter().map(|&id| {
        let named = language.named.iter().find(|named| named.id == id);
        let (commit, day) = match named {
            Some(named) => (
                named.commit.short().to_owned(),
                Day::of(named.created_at).long(),
            ),
            None => (format!("record {id}"), String::new()),
        };
        view! {
            <li>
                <a class="link mono" href=links::record(id)>{commit}</a>
                " "
                <span class="muted small">{day}</span>
            </li>
        }
    });
    let records = records.collect_view();
    view! {
        <tr>
            <th scope="row"><a class="link" href=href><Name text=name class="mono"/></a></th>
            <td data-label="Lines">{line_links(record_id, &file.path, &file.lines, NAMED_RANGES)}</td>
            <td data-label="Changed in"><ul class="changes">{records}</ul></td>
        </tr>
    }
}

#[cfg(test)]
mod tests;
