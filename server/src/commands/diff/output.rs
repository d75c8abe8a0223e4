//! The result of `diff`, for people and for programs.

use super::lines::{ChangedFile, Range};
use crate::{
    commands::client::Found,
    text::{printed, printed_json},
};
use serde::Serialize;
use std::io::{self, Write};

/// The ranges that are named of each kind and file.
const NAMED: usize = 20;

#[derive(Serialize)]
struct Answer<'a> {
    record: &'a Found,
    files: &'a [ChangedFile],
}

pub(super) fn json(out: &mut impl Write, record: &Found, files: &[ChangedFile]) -> io::Result<()> {
    writeln!(out, "{}", printed_json(&Answer { record, files })?)
}

pub(super) fn text(out: &mut impl Write, record: &Found, files: &[ChangedFile]) -> io::Result<()> {
    for file in files {
        let kinds = [
            ("not measured yet", &file.not_measured),
            ("missed", &file.missed),
        ];
        let kinds = kinds.into_iter().filter(|(_, ranges)| !ranges.is_empty());
        let kinds: Vec<_> = kinds
            .map(|(name, ranges)| format!("{name} {}", named(ranges)))
            .collect();
        let known = match kinds.as_slice() {
            [] => "no line is missed".to_owned(),
            kinds => kinds.join("; "),
        };
        writeln!(out, "{}: {known}", printed(&file.path))?;
    }
    let about = printed(record.about());
    match files.len() {
        0 => writeln!(out, "No source file has changed since {about}"),
        1 => writeln!(out, "1 file has changed since {about}"),
        files => writeln!(out, "{files} files have changed since {about}"),
    }
}

fn named(ranges: &[Range]) -> String {
    let first = ranges.iter().take(NAMED).map(|(first, last)| {
        if first == last {
            first.to_string()
        } else {
            format!("{first}–{last}")
        }
    });
    let named = first.collect::<Vec<_>>().join(", ");
    match ranges.len().saturating_sub(NAMED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}
