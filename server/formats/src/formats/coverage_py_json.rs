//! coverage.py JSON: the output of `coverage json`, counts by file and in total.
//!
//! The total is `covered_lines` of `num_statements`: lines without branches, as in the tool's XML. With `--branch`, the tool
//! itself prints a total of lines and branches together.
//! The list of executed lines includes lines that do not count, such as docstrings, so the lists are read for hits only.
//!
//! Source: <https://coverage.readthedocs.io/en/latest/commands/cmd_json.html> and `coverage/jsonreport.py`.

use crate::count::Count;
use crate::counter::{Counter, Counters};
use crate::error::ReportError;
use crate::files::key;
use crate::findings::Findings;
use crate::json::Json;
use crate::number::integer;
use crate::report::{BranchName, Scheme};
use crate::warning::{Stated, Warnings};

pub(super) fn claims(keys: &[&str]) -> bool {
    matches!(
        keys,
        ["meta", "show_contexts"]
            | ["files", _, "executed_lines" | "missing_lines"]
            | ["totals", "num_statements"]
    )
}

pub(super) fn read(json: &mut Json<'_>, found: &mut Findings) -> Result<(), ReportError> {
    found.tool.name = Some("coverage.py".to_owned());
    json.members(|json| match json.key() {
        "meta" => json.member("version", |json| found.read_version(json)),
        "files" => json.members(|json| {
            found.files.enter(json.key());
            file(json, found)
        }),
        "totals" => {
            let totals = summary(json, &mut found.warnings)?;
            found.stated.add_all(&totals);
            Ok(())
        }
        _ => json.skip(),
    })
}

fn file(json: &mut Json<'_>, found: &mut Findings) -> Result<(), ReportError> {
    json.members(|json| match json.key() {
        "summary" => {
            let summary = summary(json, &mut found.warnings)?;
            found.files.add_all(&summary);
            Ok(())
        }
        "executed_lines" => hits(json, 1, found),
        "missing_lines" => hits(json, 0, found),
        "executed_branches" => branches(json, true, found),
        "missing_branches" => branches(json, false, found),
        "contexts" => contexts(json, found),
        "functions" => json.members(|json| function(json, found)),
        // `classes` repeats the lines of the file, as `functions` does.
        _ => json.skip(),
    })
}

fn hits(json: &mut Json<'_>, hits: u64, found: &mut Findings) -> Result<(), ReportError> {
    if !found.files.with_lines() {
        return json.skip();
    }
    json.items_if_any(|json, _| {
        if let Some(line) = json.integer()? {
            found.files.hits(line, hits);
        }
        Ok(())
    })
}

/// Reads `{"12": ["test_fee|run", …]}`, with `--show-contexts`: the tests that ran a line. A line that ran without a test has the
/// context without a name. Lines that do not count are listed too.
fn contexts(json: &mut Json<'_>, found: &mut Findings) -> Result<(), ReportError> {
    if !found.files.with_tests() || !json.is_object()? {
        return json.skip();
    }
    json.members(|json| {
        let line = integer(json.key().as_bytes());
        json.items_if_any(|json, _| {
            let test = json.string()?.and_then(|name| found.files.test(name));
            if let (Some(line), Some(test)) = (line, test) {
                found.files.tested(line, test);
            }
            Ok(())
        })
    })
}

/// Reads `[[3, 5], [7, -1]]`: a line, and the line to which a branch of it leads. A negative number is the exit of the function
/// or file that starts on that line.
fn branches(json: &mut Json<'_>, are_taken: bool, found: &mut Findings) -> Result<(), ReportError> {
    if !found.files.with_lines() {
        return json.skip();
    }
    json.items_if_any(|json, _| {
        let (mut line, mut destination) = (None, None);
        json.items_if_any(|json, at| {
            match at {
                0 => line = json.integer()?,
                1 => destination = Some(json.integer()?.unwrap_or(0)),
                _ => json.skip()?,
            }
            Ok(())
        })?;
        if let (Some(line), Some(destination)) = (line, destination) {
            let name = BranchName::new(Scheme::Destination, destination);
            found.files.branch_on(line, name, are_taken);
        }
        Ok(())
    })
}

/// A function is covered if any of its lines is. The function without a name is the code outside functions.
fn function(json: &mut Json<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let name = (!json.key().is_empty()).then(|| key(json.key()));
    let mut lines = None;
    json.member("summary", |json| {
        lines = summary(json, &mut found.warnings)?.get(Counter::Line);
        Ok(())
    })?;
    if let (Some(name), Some(lines)) = (name, lines.and_then(Count::non_empty)) {
        found.files.function(name, lines.covered() > 0);
    }
    Ok(())
}

/// Reads the counts of the whole report, a file or a function.
fn summary(json: &mut Json<'_>, warnings: &mut Warnings) -> Result<Counters, ReportError> {
    let stated = Stated::of([
        (Counter::Line, "covered_lines", "num_statements"),
        (Counter::Branch, "covered_branches", "num_branches"),
    ]);
    json.stated(stated, warnings)
}

#[cfg(test)]
mod tests;
