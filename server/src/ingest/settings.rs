//! Reads `.coverage.toml`, which an upload may send as the part `settings`.

use domain::{PartName, PartSet};
use serde::{Deserialize, Deserializer, de};
use std::{collections::BTreeMap, fmt};
use thiserror::Error;

/// The most bytes of the file.
pub const MAX_SETTINGS_BYTES: usize = 64 << 10;

/// The keys that a table may have.
const KEYS: [&str; 4] = ["parts", "carry", "partial", "gate"];
const GATE_KEYS: [&str; 6] = [
    "changed",
    "changed_min",
    "lost",
    "floor",
    "evaluate",
    "paths",
];
const PATH_KEYS: [&str; 1] = ["changed"];

/// Why the file cannot be used: its line, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct SettingsError {
    line: usize,
    problem: String,
}

/// What the file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Settings {
    /// The parts that a commit has.
    pub(super) parts: PartSet,
    /// Keys that this release does not know, one sentence each.
    pub(super) notices: Vec<String>,
}

#[derive(Deserialize)]
struct File {
    #[serde(default, deserialize_with = "parts")]
    parts: PartSet,
    #[serde(default, rename = "carry", deserialize_with = "parts")]
    _carry: PartSet,
    #[serde(rename = "partial")]
    _partial: Option<Partial>,
    #[serde(rename = "gate")]
    _gate: Option<Gate>,
}

/// What a partial line among the changed ones is.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Partial {
    Hit,
    Miss,
}

/// The gate. It is checked here, and not used yet.
#[derive(Deserialize)]
struct Gate {
    #[serde(rename = "changed")]
    _changed: Option<Percent>,
    #[serde(rename = "changed_min")]
    _changed_min: Option<Lines>,
    #[serde(rename = "lost")]
    _lost: Option<Lines>,
    #[serde(rename = "floor")]
    _floor: Option<Percent>,
    #[serde(rename = "evaluate")]
    _evaluate: Option<bool>,
    #[serde(default, rename = "paths")]
    _paths: BTreeMap<String, PathGate>,
}

#[derive(Deserialize)]
struct PathGate {
    #[serde(rename = "changed")]
    _changed: Option<Percent>,
}

/// A whole number from 0 on.
struct Whole<const MOST: i64>;

type Percent = Whole<100>;
type Lines = Whole<{ i64::MAX }>;

impl<'de, const MOST: i64> Deserialize<'de> for Whole<MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_i64(WholeVisitor)
    }
}

struct WholeVisitor<const MOST: i64>;

impl<const MOST: i64> de::Visitor<'_> for WholeVisitor<MOST> {
    type Value = Whole<MOST>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match MOST {
            i64::MAX => f.write_str("a whole number from 0 on"),
            most => write!(f, "a whole number from 0 to {most}"),
        }
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Self::Value, E> {
        if (0..=MOST).contains(&number) {
            Ok(Whole)
        } else {
            Err(E::invalid_value(de::Unexpected::Signed(number), &self))
        }
    }
}

fn parts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PartSet, D::Error> {
    let names = Vec::<String>::deserialize(deserializer)?;
    let parse = |name: &String| {
        let wrong = |error| de::Error::custom(format!("the part {name:?} {error}"));
        name.parse::<PartName>().map_err(wrong)
    };
    let set: PartSet = names.iter().map(parse).collect::<Result<_, _>>()?;
    if set.are_too_many() {
        let most = PartSet::MAX;
        return Err(de::Error::custom(format!("expected at most {most} parts")));
    }
    Ok(set)
}

impl Settings {
    /// Reads the file.
    ///
    /// # Errors
    ///
    /// If it is not TOML, or if a value is not what its key expects.
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
            parts: file.parts,
            notices: unknown_keys(&table),
        })
    }
}

fn line_of(sent: &[u8], at: usize) -> usize {
    let before = &sent[..at.min(sent.len())];
    1 + before.iter().filter(|&&byte| byte == b'\n').count()
}

fn unknown_keys(table: &toml::Table) -> Vec<String> {
    let mut unknown = keys_beside(table, &KEYS, "");
    if let Some(toml::Value::Table(gate)) = table.get("gate") {
        unknown.extend(keys_beside(gate, &GATE_KEYS, "gate."));
        if let Some(toml::Value::Table(paths)) = gate.get("paths") {
            for (path, rules) in paths {
                if let toml::Value::Table(rules) = rules {
                    unknown.extend(keys_beside(
                        rules,
                        &PATH_KEYS,
                        &format!("gate.paths.{path:?}."),
                    ));
                }
            }
        }
    }
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

/// How many unknown keys are named.
const NAMED_KEYS: usize = 5;

/// The most characters of a named key.
const KEY_CHARACTERS: usize = 80;

fn keys_beside(table: &toml::Table, known: &[&str], prefix: &str) -> Vec<String> {
    let unknown = table.keys().filter(|key| !known.contains(&key.as_str()));
    unknown
        .map(|key| {
            let name = format!("{prefix}{}", key.escape_debug());
            name.chars().take(KEY_CHARACTERS).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_and_unknown_keys_are_noticed() {
        let settings = Settings::read(
            b"parts = [\"unit\", \"web\"]\npartial = \"miss\"\nflags = 1\n[gate]\nchanged = 80\nmin = 3\n\
              [gate.paths.\"billing/**\"]\nchanged = 95\nfloor = 1\n",
        )
        .expect("settings");
        assert_eq!(settings.parts, "unit,web".parse().expect("parts"));
        let named = ["flags", "gate.min", "gate.paths.\"billing/**\".floor"];
        let notice = |key| format!("The settings have the unknown key {key}, which is ignored.");
        assert_eq!(settings.notices, named.map(notice));
    }

    #[test]
    fn an_error_names_the_line_and_what_was_expected() {
        for (sent, line, part) in [
            (
                &b"parts = [\"unit\"]\n[gate]\nchanged = 80.5\n"[..],
                3,
                "a whole number from 0 to 100",
            ),
            (b"[gate]\nfloor = 101\n", 2, "from 0 to 100"),
            (b"[gate]\nlost = -1\n", 2, "from 0 on"),
            (b"\n\nparts = [\"../x\"]", 3, "\"../x\" must be"),
            (b"partial = \"maybe\"", 1, "hit"),
            (b"parts = [\n\"unit\"\n", 2, "unclosed array"),
            (b"a = 1\n\xff", 2, "UTF-8"),
        ] {
            let error = Settings::read(sent).expect_err("no settings");
            assert_eq!(error.line, line, "{error}");
            assert!(error.problem.contains(part), "{error}");
        }
    }

    #[test]
    fn an_empty_file_says_nothing() {
        assert_eq!(Settings::read(b""), Ok(Settings::default()));
    }
}
