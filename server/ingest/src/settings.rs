//! Reads `coverage-dashboard.toml`, which an upload may send as the part `settings`.

mod file;
#[cfg(test)]
mod tests;
mod unknown;

use domain::{GateRules, PartList};
use file::File;
use thiserror::Error;

/// The most bytes of the file.
pub const MAX_SETTINGS_BYTES: usize = 64 << 10;

/// Why the file cannot be used: its line, and the expected text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct SettingsError {
    line: usize,
    problem: String,
}

/// The contents of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Settings {
    /// The parts that a commit has.
    pub(super) parts: PartList,
    /// The parts that are carried forward.
    pub(super) carry: PartList,
    /// The gate.
    pub(super) rules: GateRules,
    /// Keys that this release does not know, one sentence each.
    pub(super) notices: Vec<String>,
}

impl Settings {
    /// Reads the file. Fails if it is not TOML, or if a value has the wrong form.
    pub(super) fn read(sent: &[u8]) -> Result<Self, SettingsError> {
        let text = std::str::from_utf8(sent).map_err(|error| SettingsError {
            line: line_of(sent, error.valid_up_to()),
            problem: "expected UTF-8".to_owned(),
        })?;
        let wrong = |error: toml::de::Error| {
            let at = error.span().map_or(0, |span| span.start);
            SettingsError {
                line: line_of(sent, at),
                problem: error.message().replace('\n', " "),
            }
        };
        let file: File = toml::from_str(text).map_err(wrong)?;
        let table: toml::Table = toml::from_str(text).map_err(wrong)?;
        Ok(Self {
            notices: unknown::notices(&table),
            ..file.into()
        })
    }
}

fn line_of(sent: &[u8], at: usize) -> usize {
    let before = &sent[..at.min(sent.len())];
    1 + before.iter().filter(|&&byte| byte == b'\n').count()
}
