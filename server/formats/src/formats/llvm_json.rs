//! LLVM JSON: the output of `llvm-cov export`, also through cargo-llvm-cov and Swift, with or without `--summary-only`.
//!
//! The total is `data[].totals.lines`, the lines of `llvm-cov report`, whose first column is regions.
//! Instantiations count a function once for each set of type parameters and are ignored.
//! Hits of lines are not listed: they are computed from the segments by LLVM's own rule, see [`segments`].
//!
//! Source: <https://github.com/llvm/llvm-project/blob/main/llvm/tools/llvm-cov/CoverageExporterJson.cpp>.

mod segments;

use crate::error::ReportError;
use crate::findings::Findings;
use crate::json::Json;
use crate::report::{BranchName, Scheme};

pub(super) fn claims(keys: &[&str]) -> bool {
    matches!(
        keys,
        ["data", "files", "filename" | "summary" | "segments"]
            | ["data", "totals", "lines" | "regions"]
            | ["cargo_llvm_cov"]
    )
}

pub(super) fn read(json: &mut Json<'_>, found: &mut Findings) -> Result<(), ReportError> {
    json.members(|json| match json.key() {
        "data" => json.items(|json, _| {
            json.members(|json| match json.key() {
                "files" => json.items(|json, _| file(json, found)),
                "totals" => found.read_totals(json, "count"),
                _ => json.skip(),
            })
        }),
        // The version of the format, unless the tool states its own.
        "version" if found.tool.version.is_none() => found.read_version(json),
        "cargo_llvm_cov" => {
            found.tool.name = Some("cargo-llvm-cov".to_owned());
            json.member("version", |json| found.read_version(json))
        }
        _ => json.skip(),
    })
}

fn file(json: &mut Json<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let mut id = None;
    json.members(|json| {
        match json.key() {
            "filename" => found.files.name_current(&mut id, json.string()?),
            "segments" if found.files.with_lines() => {
                found.files.enter_new(&mut id);
                segments::read(json, &mut found.files)?;
            }
            "branches" if found.files.with_lines() => {
                found.files.enter_new(&mut id);
                json.items_if_any(|json, _| branch(json, found))?;
            }
            "summary" => {
                found.files.enter_new(&mut id);
                let summary = json.counters("count", &mut found.warnings)?;
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
    json.items_if_any(|json, at| {
        match numbers.get_mut(at as usize) {
            Some(number) => *number = json.hits()?,
            None => json.skip()?,
        }
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

#[cfg(test)]
mod tests;
