//! istanbul JSON: `coverage-final.json` of nyc, c8, jest and vitest, an object of files by path; and `coverage-summary.json`,
//! the counts of each file and of the whole report.
//!
//! The total is in lines, which are not listed directly: the hits of a line are the highest of the statements that start on
//! it. `statementMap` (the position of a statement) and `s` (how often it ran) appear in either order and are combined for
//! each file. The map `l` of lines that other tools add is ignored, as istanbul does.
//!
//! Source: `getLineCoverage` of
//! <https://github.com/istanbuljs/istanbuljs/blob/main/packages/istanbul-lib-coverage/lib/file-coverage.js>.

mod maps;

use crate::counter::Counter;
use crate::error::ReportError;
use crate::files::key;
use crate::findings::Findings;
use crate::json::Json;
use crate::number::integer;
use maps::{Branches, Statements};

pub(super) fn claims(keys: &[&str]) -> bool {
    const MAPS: [&str; 3] = ["statementMap", "fnMap", "branchMap"];
    match keys {
        [_, map] | [_, "data", map] => MAPS.contains(map),
        [_, counter, "pct"] => summarised(counter).is_some(),
        _ => false,
    }
}

pub(super) fn read(json: &mut Json<'_>, found: &mut Findings) -> Result<(), ReportError> {
    json.members(|json| match json.key() {
        "total" => {
            let totals = json.counters(summarised, "total", &mut found.warnings)?;
            found.stated.add_all(&totals);
            Ok(())
        }
        _ => {
            found.files.enter(json.key());
            let mut parts = Parts::default();
            file(json, &mut parts, found)?;
            parts.statements.finish(&mut found.files);
            parts.branches.finish(&mut found.files);
            Ok(())
        }
    })
}

/// The data of a file that is spread over two maps.
#[derive(Default)]
struct Parts {
    statements: Statements,
    branches: Branches,
}

/// Reads a file of a report or of a summary.
fn file(json: &mut Json<'_>, parts: &mut Parts, found: &mut Findings) -> Result<(), ReportError> {
    json.members(|json| match json.key() {
        // Old versions wrap every file once more.
        "data" => file(json, parts, found),
        "statementMap" => parts.statements.read_map(json, &mut found.files),
        "s" => parts.statements.read_hits(json, &mut found.files),
        "f" => json.members(|json| {
            let function = id(json.key());
            let count = json.hits()?;
            found.files.function(function, count > Some(0));
            Ok(())
        }),
        "branchMap" if found.files.with_lines() => parts.branches.read_map(json, &mut found.files),
        "b" => json.members(|json| {
            let branch = id(json.key());
            json.items(|json, way| {
                let is_taken = json.hits()? > Some(0);
                let files = &mut found.files;
                files.branch((branch << 16) ^ u64::from(way), is_taken);
                parts.branches.add(branch, is_taken, files);
                Ok(())
            })
        }),
        other => match summarised(other) {
            Some(counter) => {
                let count = json.count("covered", "total", &mut found.warnings)?;
                found.files.add(counter, count);
                Ok(())
            }
            None => json.skip(),
        },
    })
}

/// `branchesTrue` repeats branches.
fn summarised(key: &str) -> Option<Counter> {
    match key {
        "lines" => Some(Counter::Line),
        "statements" => Some(Counter::Statement),
        "functions" => Some(Counter::Function),
        "branches" => Some(Counter::Branch),
        _ => None,
    }
}

/// The id of a statement, function or branch: a number in all known reports.
fn id(text: &str) -> u64 {
    match integer::<u32>(text.as_bytes()) {
        Some(id) => u64::from(id),
        None => key(text),
    }
}

#[cfg(test)]
mod tests;
