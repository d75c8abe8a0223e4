//! The tool `line_tests`: the tests that ran a line.

use super::{answer::Refusal, arguments::Arguments, names::name, record::Found};
use crate::routes::readable::Readable;
use lines::State;
use store::{LineTests, RecordLines};

pub(super) async fn call(state: &Readable, arguments: &Arguments) -> Result<String, Refusal> {
    let (wanted, path, line) = (
        arguments.record()?,
        arguments.path()?,
        arguments.one_line()?,
    );
    let found = Found::of(state, &wanted).await?;
    let id = found.record.id;
    let Some(of) = state.reader.line_tests(id, path, line).await? else {
        return Err(found.refusal(&format!(
            "Record {id} does not say which tests ran its lines: its coverage file names no tests, or its lines are not kept."
        )));
    };
    let known = state.reader.record_lines(id).await?;
    let line_state = match known.ok_or_else(|| found.gone())? {
        RecordLines::Kept { lines, .. } => match lines.get(path) {
            Some(file) => file.state(line),
            None => return Err(found.refusal(&super::file_lines::no_such_file(&lines, path))),
        },
        RecordLines::NotKept => return Err(found.without_lines()),
    };
    Ok(text(&found, (path, line), line_state, of))
}

fn text(found: &Found, (path, line): (&str, u32), state: Option<State>, of: LineTests) -> String {
    let mut answer = found.answer();
    let place = format!("{}, line {line}", name(path));
    let without: Vec<_> = of
        .parts_without
        .iter()
        .map(|part| name(&part.to_string()))
        .collect();
    let tests = of.tests.len();
    answer.line(&match (tests, state) {
        (0, Some(State::Missed)) => format!("{place}: missed, so no test ran it."),
        (0, None) => format!("{place}: not coverable."),
        (0, Some(_)) => format!(
            "{place}: it ran, but no known test ran it, for example when a module was loaded."
        ),
        _ => format!("{place}: {tests} of {} tests ran it.", of.of),
    });
    if !without.is_empty() {
        answer.line(&format!(
            "These parts do not name their tests: {}.",
            without.join(", ")
        ));
    }
    let tests = match of.former {
        Some(former) => {
            answer.line(&format!(
                "At the base record {}, these tests ran it:",
                former.record_id
            ));
            former.tests
        }
        None => of.tests,
    };
    let total = tests.len();
    let items = tests.iter().map(|test| format!("- {}", name(test)));
    let id = found.record.id;
    answer.items(total, items, |left| {
        format!("{left} more: /coverages-api/records/{id}/tests with `path` and `line`.")
    });
    answer.finish()
}
