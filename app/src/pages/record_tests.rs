//! `/records/{id}/tests`: what each test of a record ran, and the lines that it alone ran.

#[cfg(test)]
mod tests;

use crate::{
    AppError, SharedReadModel, address,
    components::{
        answered::answered,
        card::{aside, card, message, note, number as cell},
        crumbs::{Crumb, Crumbs},
        name::Name,
        page_head::PageHead,
        repository_head::steps_to_record,
        sortable::{Column, RowFilter, Sortable, number, text},
    },
    links,
    numbers::{counted, grouped},
};
use domain::{PartName, RecordTestsDetail, TestList, TestRow};
use leptos::prelude::*;

/// The tests of the record that the address names.
#[component]
pub(crate) fn RecordTestsPage() -> impl IntoView {
    let id = address::part("id");
    let model: SharedReadModel = expect_context();
    let answer = async move {
        let missing = || AppError::NotFound(format!("There is no record {id}."));
        let id = id.parse().map_err(|_| missing())?;
        model.tests(id).await?.ok_or_else(missing)
    };
    answered(answer, |detail| content(&detail))
}

fn content(detail: &RecordTestsDetail) -> impl IntoView + use<> {
    let RecordTestsDetail {
        record_id,
        repository,
        commit,
        pull_request,
        list,
    } = detail;
    let mut steps = steps_to_record(repository, pull_request.as_ref());
    steps.push(Crumb::named(
        format!("Commit {}", commit.short()),
        links::record(*record_id),
    ));
    let title = format!("Tests · {} · {repository}", commit.short());
    let shown = match list {
        Some(list) => table(list),
        None => message(
            "No tests",
            "The coverage files of this record do not say which tests ran which lines, or its lines are no longer kept.",
            Some((links::record(*record_id), "The record")),
        ),
    };
    view! {
        <PageHead title description="What each test runs, and what it alone runs."/>
        <div class="record-head">
            <Crumbs steps/>
            <h1>"Tests"</h1>
            <p class="muted">"What each test ran, as the coverage files say. Lines that only one test ran are missed without it."</p>
        </div>
        {shown}
    }
}

fn table(list: &TestList) -> AnyView {
    let count = list.tests.len();
    let more = list.of.saturating_sub(count as u64);
    let sortable = Sortable::new("tests", columns()).only_if(more == 0);
    let shown = sortable.rows(&list.tests, row);
    let more = (more > 0).then(|| note(format!("{} more are in the API.", grouped(more))));
    let content = view! {
        <RowFilter table="tests" rows=count what="tests"/>
        <table class="groups" aria-labelledby="tests" data-testid="tests" data-sortable="tests">
            {sortable.head()}
            <tbody>{shown}</tbody>
        </table>
        {more}
        {without(&list.parts_without)}
    };
    let about = format!("{} ran lines", counted(list.of, "test", "tests"));
    card("tests", "What each test ran", aside(about), content)
}

/// Which parts may run further lines.
fn without(parts: &[PartName]) -> Option<AnyView> {
    let names: Vec<_> = parts.iter().map(ToString::to_string).collect();
    (!names.is_empty()).then(|| {
        note(format!(
            "These parts do not name their tests, which may run the same lines: {}.",
            names.join(", ")
        ))
    })
}

fn columns() -> Vec<Column<TestRow>> {
    vec![
        Column::new("test", "Test", "", |row: &TestRow| text(&row.name)),
        Column::largest_first("lines", "Lines", "num", |row: &TestRow| {
            number(Some(row.lines))
        }),
        Column::largest_first("only", "Only it runs", "num", |row: &TestRow| {
            number(Some(row.only))
        }),
    ]
}

fn row(keys: String, row: &TestRow) -> AnyView {
    view! {
        <tr data-keys=keys>
            <th scope="row"><Name text=row.name.clone() class="mono"/></th>
            {cell("Lines", grouped(row.lines))}
            {cell("Only it runs", grouped(row.only))}
        </tr>
    }
    .into_any()
}
