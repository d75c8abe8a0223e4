//! Reads the arguments of a tool, which may be any JSON.

use super::answer::Refusal;
use domain::RecordRef;
use rmcp::model::JsonObject;
use serde_json::Value;
use std::ops::RangeInclusive;

/// The most bytes of a path.
const MAX_PATH: usize = 4_096;

/// The arguments of a call, by name. Unknown ones are ignored.
pub(super) struct Arguments(pub(super) JsonObject);

impl Arguments {
    pub(super) fn record(&self) -> Result<RecordRef, Refusal> {
        let named = match self.0.get("record") {
            Some(Value::Number(number)) => number.as_i64().map(RecordRef::Id),
            Some(Value::String(text)) => text.parse().ok(),
            _ => None,
        };
        named.ok_or_else(|| {
            let sentence = "Set `record` to the number of a record, such as 17, or to org/repo@branch for the newest record of a branch, such as acme/payments@main.";
            Refusal(sentence.to_owned())
        })
    }

    pub(super) fn path(&self) -> Result<&str, Refusal> {
        let path = self.0.get("path").and_then(Value::as_str);
        let path = path.filter(|path| (1..=MAX_PATH).contains(&path.len()));
        path.ok_or_else(|| {
            Refusal(format!(
                "Set `path` to the path of a source file from the root of the repository, such as src/fee.rs, of at most {MAX_PATH} bytes."
            ))
        })
    }

    /// The lines from `from` to `to`; from 0 if neither is set.
    pub(super) fn window(&self) -> Result<RangeInclusive<u32>, Refusal> {
        let (from, to) = (self.line("from")?, self.line("to")?);
        let first = u32::from(to.is_some());
        let window = from.unwrap_or(first)..=to.unwrap_or(u32::MAX);
        if window.is_empty() {
            let sentence = "Set `from` to a line that is not after `to`.";
            return Err(Refusal(sentence.to_owned()));
        }
        Ok(window)
    }

    /// The line `line`.
    pub(super) fn one_line(&self) -> Result<u32, Refusal> {
        let missing = || Refusal("Set `line` to the number of a line, from 1.".to_owned());
        self.line("line")?.ok_or_else(missing)
    }

    fn line(&self, name: &str) -> Result<Option<u32>, Refusal> {
        let line = match self.0.get(name) {
            None | Some(Value::Null) => return Ok(None),
            Some(value) => value.as_u64().and_then(|line| u32::try_from(line).ok()),
        };
        match line {
            Some(line) if line > 0 => Ok(Some(line)),
            _ => Err(Refusal(format!(
                "Set `{name}` to the number of a line, from 1, or leave it out."
            ))),
        }
    }
}
