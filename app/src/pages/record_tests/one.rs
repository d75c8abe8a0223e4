//! The lines of one test, by file, with the code of the lines that no other test ran.

use crate::{
    components::{
        card::{aside, card, note, stacked},
        code::excerpts,
        line_links::line_links,
        measures::files_in_words,
        name::Name,
    },
    links,
    numbers::{counted, grouped},
};
use domain::{Excerpt, LineRange, TestFile, TestLines, WantedLines};
use leptos::prelude::*;

/// How many ranges of lines of a file are named.
const NAMED_RANGES: usize = 8;

/// The lines whose code is shown.
pub(super) fn wanted(id: i64, test: &TestLines) -> Vec<WantedLines> {
    let files = test.files.iter().filter(|file| file.only > 0);
    let wanted = files.take(Excerpt::MOST_FILES).map(|file| WantedLines {
        record_id: id,
        path: file.path.clone(),
        lines: file.only_ranges.clone(),
        ..WantedLines::default()
    });
    wanted.collect()
}

pub(super) fn one(id: i64, test: &TestLines, code: &[Excerpt]) -> AnyView {
    let has_only = test.row.only > 0;
    let rows = test.files.iter().map(|file| row(id, file, has_only));
    let rows = rows.collect_view();
    let (file, lines) = (("File", "c-name"), ("Lines run", ""));
    let table = match has_only {
        true => stacked("ran", "ran", [file, lines, ("Only this test", "")], rows),
        false => stacked("ran", "ran", [file, lines], rows),
    };
    let more = test.of.saturating_sub(test.files.len() as u64);
    let more =
        (more > 0).then(|| note(format!("And {}.", counted(more, "more file", "more files"))));
    let about = format!(
        "{} in {}, {} run by no other test",
        counted(test.row.lines, "line", "lines"),
        files_in_words(test.of),
        match test.row.only {
            0 => "none".to_owned(),
            only => grouped(only),
        }
    );
    let code = excerpts(code).map(|code| card("only", "Lines that only this test runs", (), code));
    view! {
        {card("ran", "What it ran", aside(about), (table, more))}
        {code}
    }
    .into_any()
}

fn row(id: i64, file: &TestFile, has_only: bool) -> impl IntoView + use<> {
    let href = links::source(id, &file.path);
    let lines = |count: u64, ranges: &[LineRange]| {
        let named = (count > 0).then(|| {
            let ranges = line_links(id, &file.path, ranges, NAMED_RANGES);
            view! { ": "<span class="mono">{ranges}</span> }
        });
        view! { {counted(count, "line", "lines")}{named} }
    };
    let only = has_only.then(|| {
        let only = lines(file.only, &file.only_ranges);
        view! { <td data-label="Only this test">{only}</td> }
    });
    view! {
        <tr>
            <th scope="row"><a class="name" href=href><Name text=file.path.clone() class="mono"/></a></th>
            <td data-label="Lines run">{lines(file.lines, &file.ranges)}</td>
            {only}
        </tr>
    }
}
