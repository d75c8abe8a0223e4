//! The tests of a record by the file of each test, with the lines that have only one test.

use crate::{
    components::{
        card::{card, head, note, number},
        line_links::line_links,
        name::whole_name,
    },
    links,
    numbers::{counted, grouped},
};
use domain::{PartName, TestFile, TestLines, TestList, TestsQuery};
use leptos::prelude::*;
use std::{cmp::Reverse, collections::BTreeMap};

/// How many ranges of lines of each file are named.
const NAMED_RANGES: usize = 3;

/// So many files of tests are unfolded.
const UNFOLDED: usize = 3;

/// The tests of one file, in the order of the list.
struct Group<'a> {
    file: Option<&'a str>,
    tests: Vec<&'a TestLines>,
}

impl Group<'_> {
    fn only(&self) -> u64 {
        self.tests.iter().map(|test| test.row.only).sum()
    }
}

/// A group for each file. The first one has the most lines that only one test runs.
fn groups<'a>(tests: &[&'a TestLines]) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for &test in tests {
        let (file, _) = file_and_test(&test.row.name);
        match groups.iter_mut().find(|group| group.file == file) {
            Some(group) => group.tests.push(test),
            None => groups.push(Group {
                file,
                tests: vec![test],
            }),
        }
    }
    groups.sort_by_key(|group| Reverse(group.only()));
    groups
}

/// pytest-cov appends the phase `run` to each test.
fn file_and_test(whole: &str) -> (Option<&str>, &str) {
    let shown = whole.strip_suffix("|run").unwrap_or(whole);
    match shown.split_once("::") {
        Some((file, test)) if !test.is_empty() => (Some(file), test),
        _ => (None, shown),
    }
}

fn is_idle(test: &&TestLines) -> bool {
    test.row.only == 0
}

/// How many tests run no line alone, with a link to them, and how many lines only one test runs; `None` if there is no test.
pub(super) fn answer(id: i64, list: &TestList) -> Option<AnyView> {
    // The tests with the most such lines are first.
    let last = &list.tests.last()?.row;
    let only = list.tests.iter().map(|test| test.row.only).sum();
    let is_whole = is_whole(list);
    let lines = counted(only, "line depends", "lines depend");
    let at_least = if is_whole || last.only == 0 {
        ""
    } else {
        "At least "
    };
    let idle = list.tests.iter().filter(is_idle).count() as u64;
    let idle = (is_whole && only > 0 && idle > 0).then(|| {
        let tests = counted(list.found, "test", "tests");
        let (add, they) = match idle {
            1 => ("adds", "it runs"),
            _ => ("add", "they run"),
        };
        let tests = format!("{} of {tests} {add} nothing", grouped(idle));
        view! {
            <a class="link" href=links::idle_tests(id)>{tests}</a>
            {format!(": every line that {they} is run by another test too. ")}
        }
    });
    Some(match only {
        0 => "No line depends on one of these tests alone.".into_any(),
        _ => view! { {idle}{format!("{at_least}{lines} on a single test.")} }.into_any(),
    })
}

fn is_whole(list: &TestList) -> bool {
    list.found == list.tests.len() as u64
}

/// The tests by file; with `only_idle`, only those that run no line alone.
pub(super) fn list(query: &TestsQuery, list: &TestList, only_idle: bool) -> AnyView {
    let more = (!is_whole(list)).then(|| {
        let shown = grouped(list.tests.len() as u64);
        note(format!(
            "The first {shown} are shown. Search for a part of a name, or ask the API for all."
        ))
    });
    let tests = list.tests.iter();
    let tests: Vec<_> = tests.filter(|test| !only_idle || is_idle(test)).collect();
    let found = tests.len() as u64;
    let groups = groups(&tests);
    let has_only = groups.first().is_some_and(|group| group.only() > 0);
    let is_open = groups.len() <= UNFOLDED || !query.find.is_empty() || only_idle;
    let shown = groups.iter().enumerate();
    let shown = shown.map(|(place, group)| {
        let table = table(query.id, group, has_only);
        match group.file {
            None if groups.len() == 1 => table,
            file => {
                let summary = summary(file, group, has_only);
                let open = is_open || place == 0;
                view! { <details open=open>{summary}{table}</details> }.into_any()
            }
        }
    });
    let shown = match groups.is_empty() {
        true => view! { <p class="note">"No test has this in its name."</p> }.into_any(),
        false => {
            // The groups are sorted by the last column.
            let columns = ["Test file", "Tested files", "Tests", "Lines only here ↓"];
            let columns = columns.map(|column| view! { <b>{column}</b> });
            // Each value also has its unit for people who do not see the columns.
            let head = (groups.len() > 1)
                .then(|| view! { <div class="head-of" aria-hidden="true">{columns}</div> });
            view! { <div class="by-file" data-testid="tests">{head}{shown.collect_view()}</div> }
                .into_any()
        }
    };
    let files = match groups.len() as u64 {
        0 | 1 => String::new(),
        files => format!(", in {files} files"),
    };
    let of = counted(list.of, "test", "tests");
    let described = match (only_idle, query.find.is_empty()) {
        (true, _) => format!("{} of {of} that add nothing", grouped(found)),
        (false, true) => format!("{of} ran lines{files}"),
        (false, false) => format!("{} of {of} found", grouped(list.found)),
    };
    let all = only_idle
        .then(|| view! { <a class="link small" href=links::tests(query.id)>"All tests"</a> });
    let find = query.find.clone();
    let beside = view! {
        <span class="muted small" role="status">{described}</span>
        {all}
        <span class="grow"></span>
        <form class="controls" method="get" action=links::tests(query.id)>
            <input type="search" name="find" id="find-test" placeholder="Search tests" aria-label="Search tests" autocomplete="off" maxlength="512" value=find data-submit/>
            <button class="btn unscripted" type="submit">"Search"</button>
        </form>
    };
    let content = (shown, more, without(&list.parts_without));
    card("tests", "What each test ran", beside, content)
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

fn summary(file: Option<&str>, group: &Group<'_>, has_only: bool) -> AnyView {
    let name = match file {
        Some(file) => whole_name(file),
        None => "Tests without a file".into_any(),
    };
    let count = |count: u64, one: &'static str, many: &'static str| {
        let unit = if count == 1 { one } else { many };
        view! { {grouped(count)}<span class="unit">{unit}</span> }
    };
    let tests = count(group.tests.len() as u64, " test", " tests");
    let only = count(group.only(), " line only here", " lines only here");
    let sources = sources(group, has_only);
    view! { <summary><b class="name">{name}</b><span class="muted">{sources}</span><span class="muted num">{tests}</span><b class="num">{only}</b></summary> }
        .into_any()
}

/// The source file that the tests of a group run most; with `has_only`, of which they run the most lines that no other test runs.
fn sources(group: &Group<'_>, has_only: bool) -> Option<AnyView> {
    let files = group.tests.iter().flat_map(|test| &test.files);
    let mut lines: BTreeMap<&str, u64> = BTreeMap::new();
    for file in files {
        let count = match has_only {
            true => file.only,
            false => file.lines,
        };
        if count > 0 {
            *lines.entry(&file.path).or_default() += count;
        }
    }
    let (most, _) = lines.iter().max_by_key(|(_, count)| **count)?;
    // Each test names its first files only.
    let are_all = group
        .tests
        .iter()
        .all(|test| test.of as usize == test.files.len());
    let more = (lines.len() > 1).then(|| match are_all {
        true => format!(" and {} more", lines.len() - 1),
        false => " and others".to_owned(),
    });
    Some(view! { {whole_name(most)}{more} }.into_any())
}

fn table(id: i64, group: &Group<'_>, has_only: bool) -> AnyView {
    let rows = group.tests.iter().map(|test| row(id, test, has_only));
    let rows = rows.collect_view();
    let head = match has_only {
        true => head([
            ("Test", ""),
            ("Lines that no other test runs", "c-ranges"),
            ("Lines run", "num"),
            ("Lines only here", "num"),
        ]),
        false => head([
            ("Test", ""),
            ("Files and lines", "c-ranges"),
            ("Lines run", "num"),
        ]),
    };
    let label = group.file.unwrap_or("Tests").to_owned();
    view! { <table class="groups runs" aria-label=label>{head}<tbody>{rows}</tbody></table> }
        .into_any()
}

fn row(id: i64, test: &TestLines, has_only: bool) -> AnyView {
    let row = &test.row;
    let href = links::test(id, &row.name);
    let (_, name) = file_and_test(&row.name);
    let lines = format!("{}: the lines of {name}", grouped(row.lines));
    view! {
        <tr>
            <th scope="row"><a href=href title=row.name.clone()>{whole_name(name)}</a></th>
            <td class="c-ranges small">{files(id, test, has_only)}</td>
            {number("Lines run", view! { <a class="link" href=links::test(id, &row.name) aria-label=lines>{grouped(row.lines)}</a> })}
            {has_only.then(|| number("Lines only here", grouped(row.only)))}
        </tr>
    }
    .into_any()
}

/// The first files that a test ran. With `has_only`, only the files with lines that no other test ran, and these lines.
fn files(id: i64, test: &TestLines, has_only: bool) -> AnyView {
    let href = links::test(id, &test.row.name);
    if has_only && test.row.only == 0 {
        return view! { <span class="muted">"none"</span> }.into_any();
    }
    let wanted = |file: &&TestFile| !has_only || file.only > 0;
    let file = |file: &TestFile| {
        let ranges = match has_only {
            true => &file.only_ranges,
            false => &file.ranges,
        };
        let ranges = line_links(id, &file.path, ranges, NAMED_RANGES);
        view! { <div>{whole_name(&file.path)}" "{ranges}</div> }
    };
    let listed = test.files.iter().filter(wanted);
    let named: u64 = listed.clone().map(|file| file.only).sum();
    let files: Vec<_> = listed.map(file).collect();
    let more = match (has_only, test.of - test.files.len() as u64) {
        _ if files.is_empty() => Some("its lines".to_owned()),
        (false, more) if more > 0 => {
            Some(format!("and {}", counted(more, "more file", "more files")))
        }
        (true, _) if named < test.row.only => {
            let more = test.row.only - named;
            Some(format!("and {}", counted(more, "more line", "more lines")))
        }
        _ => None,
    };
    let more = more.map(|more| view! { <a class="link" href=href>{more}</a> });
    view! { {files}{more} }.into_any()
}
