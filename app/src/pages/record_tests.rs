//! `/records/{id}/tests`: what each test of a record ran, and the lines that it alone ran; with `test`, the lines of one test.

mod one;
#[cfg(test)]
mod tests;

use crate::{
    AppError, SharedReadModel,
    address::{self, Address, cut},
    components::{
        answered::answered,
        card::{card, message, note, number as cell},
        crumbs::{Crumb, Crumbs},
        line_links::line_links,
        name::{Name, whole_name},
        page_head::PageHead,
        repository_head::steps_to_record,
        sortable::{Column, Sortable, number, text},
    },
    links,
    numbers::{counted, grouped},
};
use domain::{
    Excerpt, PartName, RecordTestsDetail, ShownTests, TestFile, TestLines, TestList, TestsQuery,
    WantedLines,
};
use leptos::prelude::*;

/// The tests of the record that the address names.
#[component]
pub(crate) fn RecordTestsPage() -> impl IntoView {
    let id = address::part("id");
    let address = Address::current();
    let find = cut(address.get("find"));
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
    answered(answer, |(query, detail, code)| {
        content(&query, &detail, &code)
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
) -> impl IntoView + use<> {
    let id = detail.record_id;
    let mut steps = steps_to_record(&detail.repository, detail.pull_request.as_ref());
    steps.push(Crumb::named(
        format!("Commit {}", detail.commit.short()),
        links::record(id),
    ));
    let (heading, shown) = match &detail.shown {
        Some(ShownTests::One(Some(test))) => {
            steps.push(Crumb::fixed("Tests", links::tests(id)));
            let name = test.row.name.clone();
            let heading = view! { <h1 class="path"><Name text=name class="mono"/></h1> };
            (heading.into_any(), one::one(id, test, code))
        }
        Some(ShownTests::List(list)) => {
            let heading = view! {
                <h1>"Tests"</h1>
                {answer(list).map(|sentence| view! { <p>{sentence}</p> })}
            };
            (heading.into_any(), table(query, list))
        }
        Some(ShownTests::One(None)) | None => {
            let why = "The coverage files of this record do not say which tests ran which lines, or its lines are no longer kept.";
            let way_on = Some((links::record(id), "The record"));
            let heading = view! { <h1>"Tests"</h1> };
            (heading.into_any(), message("No tests", why, way_on))
        }
    };
    let title = format!("Tests · {} · {}", detail.commit.short(), detail.repository);
    view! {
        <PageHead title description="What each test runs, and what it alone runs."/>
        <div class="record-head">
            <Crumbs steps/>
            {heading}
        </div>
        {shown}
    }
}

fn table(query: &TestsQuery, list: &TestList) -> AnyView {
    let is_whole = list.found == list.tests.len() as u64;
    let more = (!is_whole).then(|| {
        let shown = grouped(list.tests.len() as u64);
        note(format!(
            "The first {shown} are shown. Search for a part of a name, or ask the API for all."
        ))
    });
    // The first test has the most.
    let has_only = list.tests.first().is_some_and(|test| test.row.only > 0);
    let sortable = Sortable::new("tests", columns(has_only))
        .given_in(if has_only { "only" } else { "lines" }, true)
        .only_if(is_whole);
    let shown = sortable.rows(&list.tests, |keys, test| {
        row(keys, query.id, test, has_only)
    });
    let found = match query.find.is_empty() {
        true => format!("{} ran lines", counted(list.of, "test", "tests")),
        false => format!(
            "{} of {} found",
            grouped(list.found),
            counted(list.of, "test", "tests")
        ),
    };
    let rows = match list.tests.is_empty() {
        true => view! { <p class="note">"No test has this in its name."</p> }.into_any(),
        false => view! {
            <table class="groups runs" aria-labelledby="tests" data-testid="tests" data-sortable="tests">
                {sortable.head()}
                <tbody>{shown}</tbody>
            </table>
        }
        .into_any(),
    };
    let find = query.find.clone();
    let beside = view! {
        <span class="muted small" role="status">{found}</span>
        <span class="grow"></span>
        <form class="controls" method="get" action=links::tests(query.id)>
            <input type="search" name="find" id="find-test" placeholder="Search tests" aria-label="Search tests" autocomplete="off" maxlength="512" value=find data-submit/>
            <button class="btn unscripted" type="submit">"Search"</button>
        </form>
    };
    let content = (rows, more, without(&list.parts_without));
    card("tests", "What each test ran", beside, content)
}

/// How many lines one of the tests runs alone; `None` if there is no test.
fn answer(list: &TestList) -> Option<String> {
    // The tests with the most such lines are first.
    let last = &list.tests.last()?.row;
    let only = list.tests.iter().map(|test| test.row.only).sum();
    let is_exact = list.found == list.tests.len() as u64 || last.only == 0;
    let lines = counted(only, "line is", "lines are");
    Some(match (only, is_exact) {
        (0, _) => "No line is run by one of these tests alone.".to_owned(),
        (_, true) => format!("{lines} run by one of these tests alone."),
        (_, false) => format!("At least {lines} run by one of these tests alone."),
    })
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

fn columns(has_only: bool) -> Vec<Column<TestLines>> {
    let mut columns = vec![
        Column::new("test", "Test", "", |test: &TestLines| text(&test.row.name)),
        Column::largest_first("lines", "Lines run", "num", |test: &TestLines| {
            number(Some(test.row.lines))
        }),
    ];
    columns.extend(has_only.then(|| {
        Column::largest_first("only", "Run by it alone", "num", |test: &TestLines| {
            number(Some(test.row.only))
        })
    }));
    columns.push(Column::fixed("Files and lines", ""));
    columns
}

fn row(keys: String, id: i64, test: &TestLines, has_only: bool) -> AnyView {
    let row = &test.row;
    view! {
        <tr data-keys=keys>
            <th scope="row">{name(id, &row.name)}</th>
            {cell("Lines run", grouped(row.lines))}
            {has_only.then(|| cell("Run by it alone", grouped(row.only)))}
            <td class="c-ranges small">{files(id, test)}</td>
        </tr>
    }
    .into_any()
}

/// A test as a link, and its file behind it. pytest-cov appends the phase `run` to each test.
fn name(id: i64, whole: &str) -> impl IntoView + use<> {
    let shown = whole.strip_suffix("|run").unwrap_or(whole);
    let (file, test) = match shown.split_once("::") {
        Some((file, test)) if !test.is_empty() => (Some(file), test),
        _ => (None, shown),
    };
    let file = file.map(|file| view! { " "<span class="muted small">{whole_name(file)}</span> });
    let href = links::test(id, whole);
    view! { <a class="name" href=href title=whole.to_owned()>{whole_name(test)}</a>{file} }
}

/// How many ranges of lines of each file are named.
const NAMED_RANGES: usize = 3;

/// The first files that a test ran. Of each file, only the lines that no other test ran are named, if there are any.
fn files(id: i64, test: &TestLines) -> AnyView {
    let href = links::test(id, &test.row.name);
    let file = |file: &TestFile| {
        let (ranges, rest) = match file.only {
            0 => (&file.ranges, None),
            only => (&file.only_ranges, Some(file.lines - only)),
        };
        let rest = rest.map(|rest| {
            let others = (rest > 0).then(|| {
                let others = counted(rest, "more line", "more lines");
                view! { ", and "<a class="link" href=href.clone()>{others}</a> }
            });
            view! { " alone"{others} }
        });
        let ranges = line_links(id, &file.path, ranges, NAMED_RANGES);
        view! { <div>{whole_name(&file.path)}" "{ranges}{rest}</div> }
    };
    let files: Vec<_> = test.files.iter().map(file).collect();
    let more = match (test.of, test.of - files.len() as u64) {
        (0, _) => Some("its lines".to_owned()),
        (_, 0) => None,
        (_, more) => Some(format!("and {}", counted(more, "more file", "more files"))),
    };
    let more = more.map(|more| view! { <a class="link" href=href.clone()>{more}</a> });
    view! { {files}{more} }.into_any()
}
