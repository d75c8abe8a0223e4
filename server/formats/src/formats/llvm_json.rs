//! LLVM JSON: the output of `llvm-cov export`, also through cargo-llvm-cov and Swift, with or without `--summary-only`.
//!
//! The total is `data[].totals.lines`, the lines of `llvm-cov report`, whose first column is regions.
//! Instantiations count a function once for each set of type parameters and are ignored.
//! Hits of lines are not listed: they are computed from the segments by LLVM's own rule, see [`segments`].
//!
//! Source: <https://github.com/llvm/llvm-project/blob/main/llvm/tools/llvm-cov/CoverageExporterJson.cpp>.

mod segments;

use super::reader::Reader;
use crate::counter::{Counter, Counters};
use crate::error::ReportError;
use crate::files::FileId;
use crate::findings::Findings;
use crate::json::Json;
use crate::report::{BranchName, Scheme};
use crate::warning::Warnings;

pub(super) const READER: Reader = Reader::Json { claims, read };

fn claims(keys: &[&str]) -> bool {
    matches!(
        keys,
        ["data", "files", "filename" | "summary" | "segments"]
            | ["data", "totals", "lines" | "regions"]
            | ["cargo_llvm_cov"]
    )
}

fn read(json: &mut Json<'_>, found: &mut Findings) -> Result<(), ReportError> {
    json.members(|json| match json.key() {
        "data" => json.items(|json| {
            json.members(|json| match json.key() {
                "files" => json.items(|json| file(json, found)),
                "totals" => {
                    let totals = summary(json, &mut found.warnings)?;
                    found.stated.add_all(&totals);
                    Ok(())
                }
                _ => json.skip(),
            })
        }),
        // The version of the format, unless the tool states its own.
        "version" if found.tool.version.is_none() => {
            found.tool.version = json.string()?.map(str::to_owned);
            Ok(())
        }
        "cargo_llvm_cov" => {
            found.tool.name = Some("cargo-llvm-cov".to_owned());
            json.members(|json| match json.key() {
                "version" => {
                    found.tool.version = json.string()?.map(str::to_owned);
                    Ok(())
                }
                _ => json.skip(),
            })
        }
        _ => json.skip(),
    })
}

fn file(json: &mut Json<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let mut id = None;
    json.members(|json| {
        match json.key() {
            "filename" => {
                let path = json.string()?.unwrap_or_default();
                id = Some(match id {
                    None => found.files.enter(path),
                    Some(unnamed) => found.files.name(unnamed, path),
                });
            }
            "segments" if found.files.with_lines() => {
                enter(&mut id, found);
                segments::read(json, &mut found.files)?;
            }
            "branches" if found.files.with_lines() => {
                enter(&mut id, found);
                json.items_if_any(|json| branch(json, found))?;
            }
            "summary" => {
                enter(&mut id, found);
                let summary = summary(json, &mut found.warnings)?;
                found.files.add_all(&summary);
            }
            _ => json.skip()?,
        }
        Ok(())
    })
}

/// Reads `[line, column, last line, last column, times true, times false, …]`.
fn branch(json: &mut Json<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let mut numbers = [None; 6];
    let mut at = 0;
    json.items_if_any(|json| {
        match numbers.get_mut(at) {
            Some(number) => *number = json.hits()?,
            None => json.skip()?,
        }
        at += 1;
        Ok(())
    })?;
    let [line, column, _, _, outcomes @ ..] = numbers;
    let number = |number: Option<u64>| u32::try_from(number?).ok();
    if let (Some(line), Some(column)) = (number(line), number(column)) {
        for (outcome, times) in (0..).zip(outcomes) {
            let name = column.wrapping_mul(2) | outcome;
            let name = BranchName::new(Scheme::Outcome, name);
            found.files.branch_on(line, name, times > Some(0));
        }
    }
    Ok(())
}

/// Keys may come in any order, so a file can have contents before it has a name.
fn enter(id: &mut Option<FileId>, found: &mut Findings) {
    if id.is_none() {
        *id = Some(found.files.enter_unnamed());
    }
}

/// Reads `{"lines": {"count": 4, "covered": 3, …}, …}`.
fn summary(json: &mut Json<'_>, warnings: &mut Warnings) -> Result<Counters, ReportError> {
    let mut counters = Counters::default();
    json.members(|json| {
        let counter = match json.key() {
            "lines" => Counter::Line,
            "regions" => Counter::Region,
            "functions" => Counter::Function,
            "branches" => Counter::Branch,
            _ => return json.skip(),
        };
        counters.add(counter, json.count("covered", "count", warnings)?);
        Ok(())
    })?;
    Ok(counters)
}

#[cfg(test)]
mod tests;
