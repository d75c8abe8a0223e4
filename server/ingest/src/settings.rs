//! Reads `coverage-dashboard.toml`, which an upload may send as the form field `settings`.

mod file;
#[cfg(test)]
mod tests;

use domain::{GateRules, PartList};
use file::File;
use store::RecordSettings;
use thiserror::Error;

/// The most bytes of the file.
pub const MAX_SETTINGS_BYTES: usize = 64 << 10;

/// The keys that a table may have.
const KEYS: [&str; 9] = [
    "parts",
    "carry",
    "partial",
    "gate",
    "owners_of",
    "views",
    "new_since",
    "ignore",
    "sources",
];
const SCOPE_KEYS: [&str; 3] = ["changed", "lost", "floor"];

const NAMED_KEYS: usize = 5;

/// The most characters of a listed key.
const KEY_CHARACTERS: usize = 80;

/// Why the file cannot be used: its line, and the expected text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct SettingsError {
    line: usize,
    problem: String,
}

/// The contents of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The parts that a commit has.
    pub(super) parts: PartList,
    /// What is stored with the record.
    pub stored: RecordSettings,
    /// Keys that this release does not know, one sentence each.
    pub notices: Vec<String>,
}

impl Settings {
    /// Reads the file. Fails if it is not TOML, or if a value has the wrong form.
    pub fn read(sent: &[u8]) -> Result<Self, SettingsError> {
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
            notices: about_unknown_keys(&table),
            ..file.into()
        })
    }
}

fn line_of(sent: &[u8], at: usize) -> usize {
    let before = &sent[..at.min(sent.len())];
    1 + before.iter().filter(|&&byte| byte == b'\n').count()
}

/// Returns one sentence for each unknown key.
fn about_unknown_keys(table: &toml::Table) -> Vec<String> {
    let unknown = unknown_keys(table);
    let more = unknown.len().saturating_sub(NAMED_KEYS);
    let mut notices: Vec<_> = unknown
        .iter()
        .take(NAMED_KEYS)
        .map(|key| format!("The settings have the unknown key {key}, which is ignored."))
        .collect();
    if more > 0 {
        notices.push(format!("The settings have {more} more unknown keys."));
    }
    notices
}

fn unknown_keys(table: &toml::Table) -> Vec<String> {
    let mut unknown = keys_beside(table, &KEYS, "");
    let Some(toml::Value::Table(gate)) = table.get("gate") else {
        return unknown;
    };
    unknown.extend(keys_beside(gate, &GateRules::KEYS, "gate."));
    for kind in ["paths", "parts", "views"] {
        let Some(toml::Value::Table(scopes)) = gate.get(kind) else {
            continue;
        };
        for (scope, limits) in scopes {
            if let toml::Value::Table(limits) = limits {
                let prefix = format!("gate.{kind}.{scope:?}.");
                unknown.extend(keys_beside(limits, &SCOPE_KEYS, &prefix));
            }
        }
    }
    unknown
}

fn keys_beside(table: &toml::Table, known: &[&str], prefix: &str) -> Vec<String> {
    let unknown = table.keys().filter(|key| !known.contains(&key.as_str()));
    unknown
        .map(|key| {
            let name = format!("{prefix}{}", key.escape_debug());
            name.chars().take(KEY_CHARACTERS).collect()
        })
        .collect()
}
