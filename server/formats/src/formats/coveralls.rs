//! Coveralls' JSON, the body of an upload to Coveralls: `source_files`, each with its `name`, its `coverage` and its `branches`.
//!
//! `coverage` is a list of hits by line, from line 1; `null` is no line. Some clients add a `null` after the last line.
//! `branches` is a flat list of groups of four numbers: line, block, branch, hits. The total is in lines.
//!
//! The members of a file may come in any order. The text in `source` may be longer than any other token; it is not read.
//!
//! Source: <https://docs.coveralls.io/api-reference>, and the bodies that coveralls-python, node-coveralls and coveralls-next send.

use super::lcov;
use crate::error::ReportError;
use crate::files::Files;
use crate::findings::Findings;
use crate::json::Json;
use crate::number::{hits, integer};

/// The numbers of a branch: line, block, branch, hits.
const OF_A_BRANCH: u32 = 4;

pub(super) fn claims(keys: &[&str]) -> bool {
    matches!(keys, ["source_files", "["])
}

pub(super) fn read(json: &mut Json<'_>, found: &mut Findings) -> Result<(), ReportError> {
    json.member("source_files", |json| {
        json.items(|json, _| file(json, &mut found.files))
    })
}

fn file(json: &mut Json<'_>, files: &mut Files) -> Result<(), ReportError> {
    let mut id = None;
    json.members(|json| match json.key() {
        "name" => {
            files.name_current(&mut id, json.string()?);
            Ok(())
        }
        "coverage" => {
            files.enter_new(&mut id);
            json.items(|json, index| {
                if let Some(hits) = json.hits_or_null()? {
                    files.line(index.saturating_add(1), hits);
                }
                Ok(())
            })
        }
        "branches" => {
            files.enter_new(&mut id);
            branches(json, files)
        }
        "source" => json.skip_long_text(),
        _ => json.skip(),
    })
}

/// Reads `[5, 0, 7, 1, …]`. Branches have the same names as in the LCOV report of the same tool.
fn branches(json: &mut Json<'_>, files: &mut Files) -> Result<(), ReportError> {
    let (mut line, mut place, mut read) = (None, String::new(), 0);
    json.items(|json, index| {
        let number = json.number()?;
        match index % OF_A_BRANCH {
            0 => line = integer::<u32>(number.as_bytes()),
            1 => {
                place.clear();
                place.push_str(number);
                place.push(',');
            }
            2 => place.push_str(number),
            _ => {
                let is_taken = hits(number.as_bytes()) > 0;
                let named = line.and_then(|line| lcov::named(line, place.as_bytes()));
                if let (Some(line), Some((key, name))) = (line, named) {
                    files.branch(key, is_taken);
                    files.branch_on(line, name, is_taken);
                }
            }
        }
        read = index + 1;
        Ok(())
    })?;
    if read % OF_A_BRANCH > 0 {
        return Err(json.refuse("groups of four numbers"));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
