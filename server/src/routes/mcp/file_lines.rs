//! The tool `file_lines`: the lines of a source file that did not run.

use super::{
    answer::Refusal, arguments::Arguments, names::name, neighbours::Sorted, record::Found,
};
use crate::routes::readable::Readable;
use domain::{Count, LineRange, MissedSince, Percentage, lines_in_words};
use lines::{FileLines, Lines, State};
use std::ops::RangeInclusive;
use store::RecordLines;

/// The most paths that are suggested.
const SIMILAR: usize = 3;

/// The maximum number of missed ranges whose history is read: the answer has no room for more.
const MAX_RANGES: usize = 200;

pub(super) async fn call(state: &Readable, arguments: &Arguments) -> Result<String, Refusal> {
    let (wanted, path, window) = (arguments.record()?, arguments.path()?, arguments.window()?);
    let found = Found::of(state, &wanted).await?;
    let lines = state.reader.record_lines(found.record.id).await?;
    let lines = match lines.ok_or_else(|| found.gone())? {
        RecordLines::Kept { lines, .. } => lines,
        RecordLines::NotKept => return Err(found.without_lines()),
    };
    match lines.get(path) {
        Some(file) => {
            let since =
                state
                    .reader
                    .missed_since(found.record.id, path, window.clone(), MAX_RANGES);
            Ok(text(&found, path, (file, &since.await?), &window))
        }
        None => Err(found.refusal(&no_such_file(&lines, path))),
    }
}

fn text(
    found: &Found,
    path: &str,
    (file, since): (&FileLines, &[MissedSince]),
    window: &RangeInclusive<u32>,
) -> String {
    let mut answer = found.answer();
    let ranges = |state| -> Vec<LineRange> {
        let ranges = file.ranges(state).into_iter();
        ranges.map(|range| (*range.start(), *range.end())).collect()
    };
    let sorted = Sorted::of(Some(file), &ranges(State::Missed), &ranges(State::Partial));
    let (sorted, count) = (sorted.within(window), count(file, window));
    let path = name(path);
    let place = match (*window.start(), *window.end()) {
        (0, _) => path,
        (start, u32::MAX) => format!("{path} from line {start}"),
        (start, end) => format!("{path} from line {start} to {end}"),
    };
    let percentage = Percentage::of(count);
    let percentage = percentage
        .map(|percentage| format!(" ({percentage} %)"))
        .unwrap_or_default();
    answer.line(&format!(
        "{place}: {} of {} coverable lines are covered{percentage}.",
        count.covered, count.total
    ));
    if sorted.is_empty() {
        answer.line("No line is missed or partial.");
    }
    let hint = "Set `from` and `to` to see the others.";
    let sentences = sorted.sentences(answer.room().saturating_sub(hint.len() + 4));
    let is_cut = sentences
        .iter()
        .any(|sentence| sentence.ends_with(" more."));
    for sentence in sentences {
        answer.line(&sentence);
    }
    if is_cut {
        answer.line(hint);
    }
    for MissedSince { lines, since } in since {
        let Some(since) = since else { continue };
        let line = format!("{}: {}.", lines_in_words(*lines), since.phrase());
        if !answer.line(&line) {
            break;
        }
    }
    answer.finish()
}

fn count(file: &FileLines, window: &RangeInclusive<u32>) -> Count {
    let lines = file.lines().iter();
    let lines = lines.filter(|line| window.contains(&line.number()));
    let (mut covered, mut total) = (0, 0);
    for line in lines {
        total += 1;
        covered += u64::from(line.state() != State::Missed);
    }
    Count { covered, total }
}

/// Names the files with the same last segment.
pub(super) fn no_such_file(lines: &Lines, path: &str) -> String {
    let last = |path: &str| {
        path.rsplit(['/', '\\'])
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let wanted = last(path);
    let similar = lines
        .files()
        .map(|(path, _)| path)
        .filter(|path| last(path) == wanted);
    let similar: Vec<_> = similar.take(SIMILAR).map(name).collect();
    let advice = match similar.is_empty() {
        true => "its page lists its files".to_owned(),
        false => format!("did you mean {}?", similar.join(" or ")),
    };
    format!("The record has no lines of {}; {advice}", name(path))
}
