//! The tool `uncovered_in_change`: the changed lines of a record that did not run.

use super::{
    answer::Refusal,
    arguments::Arguments,
    names::{name, quoted},
    neighbours::Sorted,
    record::Found,
};
use crate::routes::readable::Readable;
use domain::{ChangedFile, ChangedLines, RecordChanges, UnknownFiles, text::listed};
use lines::Lines;
use std::cmp::Reverse;
use store::RecordLines;

/// The files that share the room of an answer.
const FILES: usize = 4;

/// The most files that are named without their lines.
const UNMEASURED: usize = 3;

pub(super) async fn call(state: &Readable, arguments: &Arguments) -> Result<String, Refusal> {
    let found = Found::of(state, &arguments.record()?).await?;
    let id = found.record.id;
    let changes = state.reader.record_changes(id, None).await?;
    let changed = match changes.ok_or_else(|| found.gone())? {
        RecordChanges::Known(changed) => changed,
        RecordChanges::NoLines => return Err(found.without_lines()),
        RecordChanges::NotSent => {
            return Err(found.refusal(&format!(
                "The changed lines of record {id} are not known, since its upload did not send them; ask for the record of a pull request, or use file_lines for a file."
            )));
        }
        unknown @ RecordChanges::Unknown(_) => {
            let why = quoted(&unknown.unknown().unwrap_or_default());
            return Err(found.refusal(&format!("{why} Use file_lines for a file.")));
        }
    };
    let lines = match state.reader.record_lines(id).await? {
        Some(RecordLines::Kept { lines, .. }) => Some(lines),
        Some(RecordLines::NotKept) | None => None,
    };
    Ok(text(&found, &changed, lines.as_deref()))
}

fn text(found: &Found, changed: &ChangedLines, lines: Option<&Lines>) -> String {
    let mut answer = found.answer();
    answer.line(&total(changed));
    if let Some(unknown) = changed.unknown.as_ref().map(UnknownFiles::sentence) {
        answer.line(&quoted(&unknown));
    }
    if !changed.unmeasured.is_empty() {
        answer.line(&unmeasured(&changed.unmeasured));
    }
    let files = ordered(changed, lines);
    let share = answer.room() / files.len().clamp(1, FILES);
    let items = files.iter().map(|file| of_file(file, lines, share));
    answer.items(files.len(), items, |more| match more {
        1 => "And 1 more file: the page has it.".to_owned(),
        more => format!("And {more} more files: the page has all of them."),
    });
    answer.finish()
}

fn total(changed: &ChangedLines) -> String {
    match (changed.coverable, changed.percentage()) {
        (coverable, Some(percentage)) => format!(
            "{} of {coverable} coverable changed lines are covered ({percentage} %).",
            changed.covered
        ),
        (_, None) => "No changed line is coverable.".to_owned(),
    }
}

fn unmeasured(paths: &[String]) -> String {
    let named = listed(paths, UNMEASURED, |path| name(path));
    format!("Changed, but no test loaded them: {named}.")
}

/// The files with missed or partial lines. Files with the most missed lines come first, files in which nothing ran last.
fn ordered<'a>(changed: &'a ChangedLines, lines: Option<&Lines>) -> Vec<&'a ChangedFile> {
    let files = changed.files.iter();
    let mut files: Vec<_> = files
        .filter(|file| !file.missed.is_empty() || !file.partial.is_empty())
        .collect();
    let is_untested = |file: &ChangedFile| {
        let file = lines.and_then(|lines| lines.get(&file.path));
        file.is_some_and(|file| file.counts().covered() == 0)
    };
    files.sort_by_cached_key(|file| (is_untested(file), Reverse(file.missed_lines()), &file.path));
    files
}

fn of_file(file: &ChangedFile, lines: Option<&Lines>, share: usize) -> String {
    let known = lines.and_then(|lines| lines.get(&file.path));
    let start = format!(
        "- {}: {} of {} covered.",
        name(&file.path),
        file.covered,
        file.coverable
    );
    let room = share.saturating_sub(start.len() + 4);
    let sentences = Sorted::of(known, &file.missed, &file.partial).sentences(room);
    format!("{start} {}", sentences.join(" "))
}
