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
use crate::warning::Stated;
use maps::Maps;

pub(super) fn claims(keys: &[&str]) -> bool {
    const MAPS: [&str; 3] = ["statementMap", "fnMap", "branchMap"];
    match keys {
        [_, map] | [_, "data", map] => MAPS.contains(map),
        [_, counter, "pct"] => Counter::of_plural(counter).is_some(),
        _ => false,
    }
}

pub(super) fn read(json: &mut Json<'_>, found: &mut Findings) -> Result<(), ReportError> {
    json.members(|json| match json.key() {
        "total" => found.read_totals(json, "total"),
        _ => {
            found.files.enter(json.key());
            let mut maps = Maps::default();
            file(json, &mut maps, found)?;
            maps.finish(&mut found.files);
            Ok(())
        }
    })
}

/// Reads a file of a report or of a summary.
fn file(json: &mut Json<'_>, maps: &mut Maps, found: &mut Findings) -> Result<(), ReportError> {
    json.members(|json| match json.key() {
        // Old versions wrap every file once more.
        "data" => file(json, maps, found),
        "statementMap" => maps.read_statements(json, &mut found.files),
        "s" => maps.read_hits(json, &mut found.files),
        "f" => json.members(|json| {
            let function = id(json.key());
            let count = json.hits()?;
            found.files.function(function, count > Some(0));
            Ok(())
        }),
        "branchMap" if found.files.with_lines() => maps.read_conditions(json, &mut found.files),
        "b" => json.members(|json| {
            let branch = id(json.key());
            json.items(|json, way| {
                let is_taken = json.hits()? > Some(0);
                let files = &mut found.files;
                files.branch((branch << 16) ^ u64::from(way), is_taken);
                maps.add_branch(branch, is_taken, files);
                Ok(())
            })
        }),
        // `branchesTrue` repeats branches.
        other => match Counter::of_plural(other) {
            Some(counter) => {
                let stated = Stated::of([(counter, "covered", "total")]);
                let stated = json.stated(stated, &mut found.warnings)?;
                found.files.add_all(&stated);
                Ok(())
            }
            None => json.skip(),
        },
    })
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
