//! Codecov's own JSON, which converters and tools without a format of their own write. `coverage` has the lines of each file by
//! its path, as a list whose index is the line (index 0 is no line), or as an object by line number.
//!
//! A line is its number of hits; `null` or -1 if it does not count; `"1/3"` if it ran with one of its three branches; `true` if
//! it ran in part; `false` if it did not run. The total is in lines.
//!
//! Source: <https://docs.codecov.com/docs/codecov-custom-coverage-format>, and the writers of cloverage, Devel::Cover and
//! cargo-llvm-cov.

use crate::count::Count;
use crate::error::ReportError;
use crate::files::Files;
use crate::findings::Findings;
use crate::json::{Json, Value};
use crate::number::{hits, integer};

/// The possible values of a line, for errors.
const LINE: &str = "a number, a text such as \"1/2\", true, false or null";

/// SimpleCov has the same outermost key, but its files contain `lines`. One file with a list, a line or nothing decides.
pub(super) fn claims(keys: &[&str]) -> bool {
    match keys {
        ["coverage", path, inside] => {
            let is_line = integer::<u64>(inside.as_bytes()).is_some();
            path.contains(['/', '\\', '.']) && (is_line || matches!(*inside, "[" | "{}"))
        }
        _ => false,
    }
}

pub(super) fn read(json: &mut Json<'_>, found: &mut Findings) -> Result<(), ReportError> {
    json.member("coverage", |json| {
        json.members(|json| {
            found.files.enter(json.key());
            file(json, &mut found.files)
        })
    })
}

fn file(json: &mut Json<'_>, files: &mut Files) -> Result<(), ReportError> {
    if json.is_array()? {
        return json.items(|json, number| line(json, files, number));
    }
    json.members(|json| match integer(json.key().as_bytes()) {
        Some(number) => line(json, files, number),
        None => Err(json.refuse("the number of a line")),
    })
}

fn line(json: &mut Json<'_>, files: &mut Files, number: u32) -> Result<(), ReportError> {
    let value = json.value(LINE)?;
    if number == 0 {
        return Ok(());
    }
    match value {
        Value::Null | Value::Number("-1") => {}
        Value::Number(text) => files.line(number, hits(text.as_bytes())),
        Value::Flag(ran) => {
            files.line(number, u64::from(ran));
            if ran {
                files.partly(number);
            }
        }
        Value::Text(text) => match (integer(text.as_bytes()), Count::parse(text.as_bytes())) {
            (Some(hits), _) => files.line(number, hits),
            (None, Some(branches)) => {
                files.line(number, u64::from(branches.covered() > 0));
                files.branches(number, branches);
            }
            (None, None) => return Err(json.refuse(LINE)),
        },
    }
    Ok(())
}

#[cfg(test)]
mod tests;
