//! `translate`: writes `coverage-dashboard.toml` from a `codecov.yml`. Each key becomes a setting, or is named with the reason.

mod flags;
mod pattern;
mod reasons;
mod statuses;
#[cfg(test)]
mod tests;
mod tree;

use crate::check::start_of;
use clap::Args;
use ingest::{Settings, SettingsError};
use serde_json::Value;
use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
};
use thiserror::Error;
use tree::Tree;

/// The most bytes of a `codecov.yml`; large ones have some kilobytes.
const MAX_BYTES: usize = 1 << 20;

/// The arguments of `translate`.
#[derive(Clone, Debug, Args)]
pub struct TranslateArguments {
    /// The file to read, such as codecov.yml.
    pub file: PathBuf,

    /// The file to write. It must not exist. - prints the settings, and the keys without an equal to standard error.
    #[arg(long, short, default_value = "coverage-dashboard.toml")]
    pub output: PathBuf,
}

/// Why a file is not translated.
#[derive(Debug, Error)]
pub(crate) enum TranslateError {
    /// The file cannot be read.
    #[error("cannot read {}", .0.display())]
    Read(PathBuf, #[source] io::Error),
    /// The file is too long.
    #[error("{} has more than 1 MiB", .0.display())]
    TooLarge(PathBuf),
    /// The file is not YAML.
    #[error("{} is not YAML", .0.display())]
    Yaml(PathBuf, #[source] Box<dyn std::error::Error + Send + Sync>),
    /// The file is not a mapping.
    #[error("{} has no keys", .0.display())]
    NoKeys(PathBuf),
    /// The settings break a limit of the service.
    #[error("the settings would be refused; shorten the lists in {}", .0.display())]
    Refused(PathBuf, #[source] SettingsError),
    /// The settings cannot be written as TOML.
    #[error("the settings cannot be written as TOML")]
    Toml(#[from] toml::ser::Error),
    /// The result exists, or cannot be written.
    #[error("cannot write {}", .0.display())]
    Write(PathBuf, #[source] io::Error),
    /// The output cannot be written.
    #[error("cannot print the result")]
    Print(#[from] io::Error),
}

/// Settings, and the keys that have no equal.
#[derive(Debug, Default)]
struct Translation {
    /// The contents of `coverage-dashboard.toml`.
    settings: toml::Table,
    /// Each key without an equal, and what to do instead.
    named: Vec<(String, String)>,
    /// Whether there is a rule about changed lines.
    has_changed: bool,
}

/// Runs the command.
///
/// # Errors
///
/// Any [`TranslateError`]. Nothing is written then, unless only the result cannot be printed.
pub(crate) fn run(
    arguments: &TranslateArguments,
    mut out: impl Write,
    mut err: impl Write,
) -> Result<(), TranslateError> {
    let TranslateArguments { file, output } = arguments;
    let translation = Translation::of(read(file)?);
    let text = translation.text()?;
    Settings::read(text.as_bytes())
        .map_err(|source| TranslateError::Refused(file.clone(), source))?;
    if output == Path::new("-") {
        out.write_all(text.as_bytes())?;
        return Ok(translation.name_keys(&mut err)?);
    }
    let written = File::create_new(output).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|source| TranslateError::Write(output.clone(), source))?;
    writeln!(out, "Wrote {}.", output.display())?;
    Ok(translation.name_keys(&mut out)?)
}

fn read(file: &Path) -> Result<Tree, TranslateError> {
    let content = start_of(file, MAX_BYTES);
    let content = content.map_err(|source| TranslateError::Read(file.to_owned(), source))?;
    if content.len() > MAX_BYTES {
        return Err(TranslateError::TooLarge(file.to_owned()));
    }
    // Codecov reads YAML with PyYAML, in which the last of equal keys counts.
    let options =
        serde_saphyr::options! { duplicate_keys: serde_saphyr::DuplicateKeyPolicy::LastWins };
    let value = serde_saphyr::from_slice_with_options(&content, options);
    match value.map_err(|source| TranslateError::Yaml(file.to_owned(), source.into()))? {
        Value::Object(keys) => Ok(Tree::of(keys)),
        _ => Err(TranslateError::NoKeys(file.to_owned())),
    }
}

impl Translation {
    fn of(mut tree: Tree) -> Self {
        let mut translation = Self::default();
        translation.move_up(&mut tree);
        translation.take_ignored(&mut tree);
        let mut statuses = flags::take(&mut translation, &mut tree);
        statuses.extend(statuses::take(&mut translation, &mut tree));
        statuses::set(&mut translation, statuses);
        translation.take_partial(&mut tree);
        translation.name_rest("", tree);
        translation.named.sort();
        translation
    }

    /// Moves keys to their place: in old files it is below `coverage`, and Codecov reads them there if both are stated.
    fn move_up(&mut self, tree: &mut Tree) {
        for key in ["fixes", "flags", "ignore", "parsers"] {
            let Some(value) = tree.take(&format!("coverage.{key}"), tree::any) else {
                continue;
            };
            if tree.take(key, tree::any).is_some() {
                self.name(key, format!("Codecov reads `coverage.{key}` instead."));
            }
            tree.default(key, &value);
        }
    }

    /// Takes the ignored files.
    fn take_ignored(&mut self, tree: &mut Tree) {
        let ignored = tree.take("ignore", tree::texts).unwrap_or_default();
        let (kept, ignored) = ignored.into_iter().partition(|text| text.starts_with('!'));
        let kept: Vec<String> = kept;
        for text in kept {
            self.name(
                format!("ignore: {text}"),
                "Codecov ignores all other files; list the files to ignore.",
            );
        }
        let all = self.patterns("ignore", ignored);
        if !all.is_empty() {
            self.settings.insert("ignore".to_owned(), all.into());
        }
    }

    /// Codecov counts partial changed lines as not covered, unless a parser is told otherwise.
    fn take_partial(&mut self, tree: &mut Tree) {
        let parsers = ["cobertura", "go", "jacoco"]
            .map(|parser| format!("parsers.{parser}.partials_as_hits"));
        let are_hits = parsers
            .iter()
            .filter_map(|key| tree.take(key, tree::switch));
        let are_hits: Vec<_> = are_hits.collect();
        if self.has_changed && !are_hits.contains(&true) {
            self.settings.insert("partial".to_owned(), "miss".into());
        }
    }

    /// The patterns in a list or a text: first those that select files, then those that take files out, because at Codecov these
    /// always count. A pattern that cannot be written as ours is named.
    fn patterns(&mut self, key: &str, texts: Vec<String>) -> Vec<String> {
        let mut patterns = Vec::new();
        for text in texts {
            match pattern::of(&text) {
                Some(all) => patterns.extend(all),
                None => self.name(
                    format!("{key}: {text}"),
                    "No pattern matches the same files; write one such as `**/generated/**`.",
                ),
            }
        }
        patterns.sort_by_key(|pattern| pattern.starts_with('!'));
        patterns
    }

    fn name(&mut self, key: impl Into<String>, reason: impl Into<String>) {
        self.named.push((key.into(), reason.into()));
    }

    /// Names the keys that are left below `key`, and those whose values were not understood.
    fn name_rest(&mut self, key: &str, rest: Tree) {
        let whole = |inner: &String| {
            let keys = [key, inner].into_iter().filter(|key| !key.is_empty());
            keys.collect::<Vec<_>>().join(".")
        };
        let (left, strange) = rest.rest();
        for key in left.iter().map(whole) {
            let reason = reasons::of(&key);
            self.name(key, reason);
        }
        for key in strange.iter().map(whole) {
            self.name(key, reasons::STRANGE);
        }
    }

    /// The table at a path of keys, which is created if it is missing.
    fn table(&mut self, path: &[&str]) -> Option<&mut toml::Table> {
        path.iter().try_fold(&mut self.settings, |table, key| {
            let inner = table.entry(*key);
            inner
                .or_insert_with(|| toml::Table::new().into())
                .as_table_mut()
        })
    }

    /// Adds an entry to a table. If the table has `most` other entries, the key of Codecov is named instead.
    fn add(&mut self, key: &str, (path, entry, most): (&[&str], &str, usize), value: toml::Value) {
        let Some(table) = self.table(path) else {
            return;
        };
        if table.len() >= most && !table.contains_key(entry) {
            return self.name(key, too_many(most));
        }
        match table.insert(entry.to_owned(), value.clone()) {
            Some(former) if former != value => self.name(
                key,
                format!("It replaces another `{entry}` of the same name."),
            ),
            _ => {}
        }
    }

    fn text(&self) -> Result<String, toml::ser::Error> {
        toml::to_string_pretty(&self.settings)
    }

    fn name_keys(&self, out: &mut impl Write) -> io::Result<()> {
        if !self.named.is_empty() {
            writeln!(
                out,
                "These keys have no equal, or another one than expected:"
            )?;
        }
        for (key, reason) in &self.named {
            writeln!(out, "  {key}\n      {reason}")?;
        }
        Ok(())
    }
}

fn too_many(most: usize) -> String {
    format!("The service takes at most {most}, so this one is left out.")
}
