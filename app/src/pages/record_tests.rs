//! `/records/{id}/tests`: what each test of a record ran, and the lines that only it ran; with `test`, the lines of one test.

mod list;
mod one;
#[cfg(test)]
mod tests;

use crate::{
    AppError, SharedReadModel,
    address::{self, Address, cut},
    components::{
        answered::answered,
        card::message,
        crumbs::{Crumb, Crumbs},
        name::Name,
        page_head::PageHead,
        repository_head::steps_to_record,
    },
    links,
};
use domain::{Excerpt, RecordTestsDetail, ShownTests, TestsQuery, WantedLines};
use leptos::prelude::*;

/// The tests of the record that the address names.
#[component]
pub(crate) fn RecordTestsPage() -> impl IntoView {
    let id = address::part("id");
    let address = Address::current();
    let find = cut(address.get("find"));
    let only_idle = !address.get(links::IDLE).is_empty();
    let test = address.values("test").pop().map(cut);
    let model: SharedReadModel = expect_context();
    let answer = async move {
        let missing = || AppError::NotFound(format!("There is no record {id}."));
        let id = id.parse().map_err(|_| missing())?;
        let query = TestsQuery { id, find, test };
        let detail = model.tests(&query).await?.ok_or_else(missing)?;
        if let (Some(name), Some(ShownTests::One(None))) = (&query.test, &detail.shown) {
            let sentence = format!("No line of this record ran in a test called “{name}”.");
            return Err(AppError::NotFound(sentence));
        }
        let code = model.excerpts(wanted(&detail)).await?;
        Ok((query, detail, code))
    };
    answered(answer, move |(query, detail, code)| {
        content(&query, &detail, &code, only_idle)
    })
}

/// The lines whose code is shown: those that only the shown test ran.
fn wanted(detail: &RecordTestsDetail) -> Vec<WantedLines> {
    match &detail.shown {
        Some(ShownTests::One(Some(test))) => one::wanted(detail.record_id, test),
        _ => Vec::new(),
    }
}

fn content(
    query: &TestsQuery,
    detail: &RecordTestsDetail,
    code: &[Excerpt],
    only_idle: bool,
) -> impl IntoView + use<> {
    let id = detail.record_id;
    let mut steps = steps_to_record(&detail.repository, detail.pull_request.as_ref());
    steps.push(Crumb::named(
        format!("Commit {}", detail.commit.short()),
        links::record(id),
    ));
    let commit = detail.commit.short().to_owned();
    let title = view! { <h1>"Tests of commit "<span class="commit">{commit}</span></h1> };
    let (heading, shown) = match &detail.shown {
        Some(ShownTests::One(Some(test))) => {
            steps.push(Crumb::fixed("Tests", links::tests(id)));
            let name = test.row.name.clone();
            let heading = view! { <h1 class="path"><Name text=name class="mono"/></h1> };
            (heading.into_any(), one::one(id, test, code))
        }
        Some(ShownTests::List(list)) => {
            let heading = view! {
                {title}
                {list::answer(id, list).map(|sentence| view! { <p>{sentence}</p> })}
            };
            (heading.into_any(), list::list(query, list, only_idle))
        }
        Some(ShownTests::One(None)) | None => {
            let why = "The coverage files of this record do not say which tests ran which lines, or its lines are no longer kept.";
            let way_on = Some((links::record(id), "The record"));
            (title.into_any(), message("No tests", why, way_on))
        }
    };
    let title = format!("Tests · {} · {}", detail.commit.short(), detail.repository);
    view! {
        <PageHead title description="What each test runs, and what only it runs."/>
        <div class="record-head">
            <Crumbs steps/>
            {heading}
        </div>
        {shown}
    }
}
