//! `/cold?repo=`, `/repos/{org}/{repo}/cold`: lines of the main branch that nothing has run for some time, by file, with their
//! owners.

#[cfg(test)]
mod tests;

use super::not_found::no_repository;
use crate::{
    SharedReadModel,
    address::Address,
    components::{
        answered::answered,
        card::{aside, card, message, note, number as cell},
        coverage::Percent,
        form::{choice, choices},
        line_links::line_links,
        measures::files_in_words,
        name::whole_name,
        page_head::PageHead,
        repository_head::{Tab, repository_head},
        sortable::{Column, RowFilter, Sortable, number, percentage, text},
    },
    links,
    numbers::{counted, covered_of, grouped},
};
use domain::{
    Cold, ColdDays, ColdFile, ColdList, ColdQuery, Count, Language, NotRunSince, Percentage,
    Repository,
};
use leptos::prelude::*;

/// How many ranges of lines of each file are named.
const NAMED_RANGES: usize = 8;

/// The lines that nothing runs. The parameter `repo` names the repository; the others hold the choices.
#[component]
pub(crate) fn ColdPage() -> impl IntoView {
    let address = Address::current();
    let name = address.get("repo");
    let query = ColdQuery::of(&|name| address.values(name));
    let model: SharedReadModel = expect_context();
    let answer = async move {
        let found = match name.parse::<Repository>() {
            Ok(repository) => model.cold(&repository, &query).await?,
            Err(_) => None,
        };
        match found {
            Some(list) => Ok((query, list)),
            None => Err(no_repository(&name, &*model).await),
        }
    };
    answered(answer, |(query, list)| content(&query, &list))
}

pub(super) fn content(query: &ColdQuery, list: &ColdList) -> impl IntoView + use<> {
    let repository = &list.repository;
    let link = |days: Option<ColdDays>, language: Option<&Language>| {
        let query = ColdQuery {
            language: language.cloned(),
            days,
            view: query.view.clone(),
        };
        links::cold(repository, &query)
    };
    let chosen = query.days.unwrap_or_default();
    let is_off = |days: ColdDays| {
        let cold = list.cold.as_ref();
        days != chosen && cold.is_some_and(|cold| cold.known_days < u64::from(days.days()))
    };
    let periods = ColdDays::ALL.iter().map(|&days| match is_off(days) {
        true => view! { <span class="off" aria-disabled="true">{days.label()}</span> }.into_any(),
        false => {
            let href = link(Some(days), query.language.as_ref());
            choice(href, days == chosen, days.label())
        }
    });
    let has_off = ColdDays::ALL.iter().any(|&days| is_off(days));
    let begins = list.cold.as_ref().filter(|_| has_off).map(|cold| {
        let day = cold.begins_at.day();
        aside(format!("The history of lines starts on {day}."))
    });
    let languages = (list.languages.len() > 1).then(|| {
        let languages = list.languages.iter().map(|language| {
            let is_current = list.language.as_ref() == Some(language);
            choice(
                link(query.days, Some(language)),
                is_current,
                language.to_string(),
            )
        });
        choices("Language", languages)
    });
    let shown = match &list.cold {
        Some(cold) => files(cold, list, chosen),
        None => message(
            "No history of lines",
            "The lines of the main branch have no history yet. A complete upload that sends its changes begins it.",
            None,
        ),
    };
    let about = view! {
        <p class="muted">"Lines of the main branch that no test has run for the chosen time."</p>
    };
    view! {
        <PageHead title=format!("Cold code · {repository}") description="Lines that nothing has run for some time."/>
        {repository_head(repository, Some(Tab::Cold), "Cold code", about)}
        <div class="controls">
            {choices("Not run for", periods)}
            {begins}
            {languages}
        </div>
        {shown}
    }
}

/// A file, and its owners with commas between them.
struct Row<'a> {
    file: &'a ColdFile,
    owners: String,
}

/// The first owners of a file, and how many more it has.
fn named((owners, more): &(Vec<String>, usize)) -> String {
    match more {
        0 => owners.join(", "),
        more => format!("{} and {} more", owners.join(", "), grouped(*more as u64)),
    }
}

fn files(cold: &Cold, list: &ColdList, days: ColdDays) -> AnyView {
    let known = (cold.known_days < u64::from(days.days())).then(|| {
        let known = counted(cold.known_days, "day", "days");
        let missing = counted(u64::from(days.days()) - cold.known_days, "day", "days");
        note(format!(
            "The history of lines begins with its first record, {known} ago. The first answer for {} comes in {missing}.",
            days.label()
        ))
    });
    if cold.files.is_empty() {
        let nothing = match known {
            Some(known) => {
                view! { <p class="note">"No line can be called cold yet."</p>{known} }.into_any()
            }
            None => view! { <p class="note">"No line is cold."</p> }.into_any(),
        };
        return card("cold", "Cold code", None::<()>, nothing);
    }
    let lines: u64 = cold.files.iter().map(|file| file.cold).sum();
    let all = cold.files.len();
    let about = format!(
        "{} cold lines in {}",
        grouped(lines),
        files_in_words(all as u64)
    );
    let files = cold.files.iter().take(ColdList::MAX_FILES).enumerate();
    let rows = files.map(|(place, file)| Row {
        file,
        owners: list.owners.get(place).map(named).unwrap_or_default(),
    });
    let rows: Vec<_> = rows.collect();
    let has_owners = rows.iter().any(|row| !row.owners.is_empty());
    let count = rows.len();
    let sortable = Sortable::new("cold", columns(has_owners))
        .given_in("cold", true)
        .only_if(count == all);
    let shown = sortable.rows(&rows, |keys, own| {
        row(keys, own, cold.record_id, has_owners)
    });
    let more = (all > count).then(|| {
        note(format!(
            "{} more are in the API.",
            grouped((all - count) as u64)
        ))
    });
    let content = view! {
        <RowFilter table="cold" rows=count what="files"/>
        <table class="groups of-cold" aria-labelledby="cold" data-testid="cold" data-sortable="cold">
            {sortable.head()}
            <tbody>{shown}</tbody>
        </table>
        {more}
        {known}
    };
    card("cold", "Cold code", aside(about), content)
}

fn columns<'a>(has_owners: bool) -> Vec<Column<Row<'a>>> {
    let mut columns = vec![Column::new("path", "File", "", |row: &Row<'a>| {
        text(&row.file.path)
    })];
    if has_owners {
        columns.push(Column::new("owner", "Owner", "c-owner", |row: &Row<'a>| {
            text(&row.owners)
        }));
    }
    columns.extend([
        Column::largest_first("cold", "Cold lines", "num", |row: &Row<'a>| {
            number(Some(row.file.cold))
        }),
        Column::largest_first("share", "Share", "num", |row: &Row<'a>| {
            percentage(share(row.file))
        }),
        Column::new("run", "Last run", "c-run", |row: &Row<'a>| {
            let since = row.file.since.as_ref();
            number(since.map(|since| since.record().created_at.0))
        }),
        Column::fixed("Lines", "c-lines"),
    ]);
    columns
}

fn of_all(file: &ColdFile) -> Count {
    Count {
        covered: file.cold,
        total: file.coverable,
    }
}

/// The share of cold lines; `None` if the file has no lines.
fn share(file: &ColdFile) -> Option<Percentage> {
    Percentage::of(of_all(file))
}

fn row(keys: String, row: &Row<'_>, record_id: i64, has_owners: bool) -> AnyView {
    let file = row.file;
    let href = links::source(record_id, &file.path);
    let last_run = match &file.since {
        Some(since) => {
            let (before, after) = match since {
                NotRunSince::LastRun(..) => ("", ""),
                NotRunSince::Came(_) => ("never, added ", ""),
                NotRunSince::HistoryBegins(_) => ("before ", ""),
            };
            let record = since.record();
            let href = links::record(record.id);
            view! { {before}<a class="link whole" href=href>{record.created_at.day()}</a>{after} }
                .into_any()
        }
        None => view! { <span class="muted">"unknown"</span> }.into_any(),
    };
    let owners = row.owners.clone();
    let owners = has_owners
        .then(|| view! { <td class="c-owner" data-label="Owner"><bdi>{owners}</bdi></td> });
    view! {
        <tr data-keys=keys>
            <th scope="row"><a class="name" href=href>{whole_name(&file.path)}</a></th>
            {owners}
            {cell("Cold lines", covered_of(of_all(file)))}
            {cell("Share", share(file).map(|share| view! { {share.to_string()}<Percent/> }))}
            <td class="c-ranges c-run" data-label="Last run">{last_run}</td>
            <td class="c-ranges c-lines" data-label="Lines">{line_links(record_id, &file.path, &file.ranges, NAMED_RANGES)}</td>
        </tr>
    }
    .into_any()
}
