//! SimpleCov: `.resultset.json`, the results of each command; and `coverage.json`, as SimpleCov itself writes it (`meta`,
//! `coverage`, from 1.0 on `total`) and as the gem simplecov-json does (`files`, `metrics`).
//!
//! The total is in lines, of all commands together. A line is listed as its hits, as `null` if it cannot run, or as `"ignored"`.
//! It counts if any command has a number for it, even 0. SimpleCov does the same since 1.0; before, a line that was 0 in one
//! command and `null` in another did not count.
//!
//! Source: `lib/simplecov/combine` and `lib/simplecov/formatter/json_formatter` of
//! <https://github.com/simplecov-ruby/simplecov>, and <https://github.com/vicentllongo/simplecov-json>.

use crate::counter::Counter;
use crate::error::ReportError;
use crate::files::key;
use crate::findings::Findings;
use crate::json::Json;
use crate::number::integer;
use crate::report::{BranchName, Scheme};
use crate::warning::Stated;

pub(super) fn claims(keys: &[&str]) -> bool {
    match keys {
        ["command_name"] | ["meta", "simplecov_version"] => true,
        ["coverage", _, "lines"] | ["files", "covered_percent"] => true,
        ["metrics", "covered_percent" | "total_lines"] => true,
        // The command may have any name. It contains paths, which SimpleCov writes in full.
        [_, "coverage", path] => path.contains(['/', '\\']),
        _ => false,
    }
}

pub(super) fn read(json: &mut Json<'_>, found: &mut Findings) -> Result<(), ReportError> {
    json.members(|json| match json.key() {
        "meta" => {
            found.tool.name = Some("SimpleCov".to_owned());
            json.member("simplecov_version", |json| found.read_version(json))
        }
        "total" => found.read_totals(json, "total"),
        "coverage" => files(json, found),
        "files" => json.items(|json, _| named_file(json, found)),
        "metrics" => {
            let lines = Stated::of([(Counter::Line, "covered_lines", "total_lines")]);
            let lines = json.stated(lines, &mut found.warnings)?;
            found.stated.add_all(&lines);
            Ok(())
        }
        "groups" | "errors" => json.skip(),
        _ => command(json, found),
    })
}

/// Reads the value as the results of a command, if it has that form.
fn command(json: &mut Json<'_>, found: &mut Findings) -> Result<(), ReportError> {
    if !json.is_object()? {
        return json.skip();
    }
    json.member("coverage", |json| files(json, found))
}

/// Reads an object of files by path.
fn files(json: &mut Json<'_>, found: &mut Findings) -> Result<(), ReportError> {
    json.members(|json| {
        found.files.enter(json.key());
        file(json, found)
    })
}

/// Reads a file of simplecov-json, which contains its path.
fn named_file(json: &mut Json<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let mut id = None;
    json.members(|json| match json.key() {
        "filename" => {
            found.files.name_current(&mut id, json.string()?);
            Ok(())
        }
        "coverage" => {
            found.files.enter_new(&mut id);
            file(json, found)
        }
        _ => json.skip(),
    })
}

/// Reads the data of the current file: only its lines up to SimpleCov 0.17.
fn file(json: &mut Json<'_>, found: &mut Findings) -> Result<(), ReportError> {
    if json.is_array()? {
        return lines(json, found);
    }
    json.members(|json| match json.key() {
        "lines" => lines(json, found),
        "branches" => branches(json, found),
        "methods" => methods(json, found),
        _ => json.skip(),
    })
}

/// Reads branches: in a result set by condition and branch, each with its full description; otherwise in an array.
fn branches(json: &mut Json<'_>, found: &mut Findings) -> Result<(), ReportError> {
    if json.is_array()? {
        return places(json, |index, hits| found.files.branch(index, hits > 0));
    }
    json.members(|json| {
        let condition = key(json.key());
        let line = line_of(json.key());
        json.members(|json| {
            let branch = key((condition, json.key()));
            let name = BranchName::of_text(Scheme::Description, json.key().as_bytes());
            let is_taken = json.hits()? > Some(0);
            found.files.branch(branch, is_taken);
            if let Some(line) = line {
                found.files.branch_on(line, name, is_taken);
            }
            Ok(())
        })
    })
}

/// Returns the line of a condition: `[:if, 0, 3, 6, 3, 21]` starts on line 3.
fn line_of(condition: &str) -> Option<u32> {
    let line = condition.split(',').nth(2)?;
    integer(line.trim().as_bytes())
}

/// Reads methods, in the same two forms.
fn methods(json: &mut Json<'_>, found: &mut Findings) -> Result<(), ReportError> {
    if json.is_array()? {
        return places(json, |index, hits| found.files.function(index, hits > 0));
    }
    json.members(|json| {
        let method = key(json.key());
        let hits = json.hits()?;
        found.files.function(method, hits > Some(0));
        Ok(())
    })
}

/// Reads hits by line, from line 1.
fn lines(json: &mut Json<'_>, found: &mut Findings) -> Result<(), ReportError> {
    json.items(|json, index| {
        if let Some(hits) = json.hits()? {
            found.files.line(index.saturating_add(1), hits);
        }
        Ok(())
    })
}

/// Reads `[{"coverage": 1, …}, …]`, branches or methods that are not ignored.
fn places(json: &mut Json<'_>, mut each: impl FnMut(u64, u64)) -> Result<(), ReportError> {
    json.items(|json, index| {
        json.member("coverage", |json| {
            if let Some(hits) = json.hits()? {
                each(index.into(), hits);
            }
            Ok(())
        })
    })
}

#[cfg(test)]
mod tests;
