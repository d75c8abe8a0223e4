//! The result of `diff`, for people and for programs.

use super::lines::ChangedFile;
use crate::service::Found;
use domain::{
    lines_in_words,
    text::{is_hidden, listed, printed},
};
use serde::Serialize;
use std::io::{self, Write};

/// The most ranges that are printed for each kind and file.
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
            .map(|(name, ranges)| {
                let ranges = ranges.iter().copied();
                format!("{name} {}", listed(ranges, NAMED, lines_in_words))
            })
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

/// The JSON of a value, safe to print in the log of a CI job: what [`printed`] replaces is escaped.
fn printed_json(value: &impl Serialize) -> serde_json::Result<String> {
    let json = serde_json::to_string(value)?;
    let mut printed = String::with_capacity(json.len());
    // These characters are only within strings, in which JSON allows any escape.
    for char in json.chars() {
        if char == '#' && printed.ends_with('#') || is_hidden(char) {
            printed.push_str(&format!("\\u{:04x}", u32::from(char)));
        } else {
            printed.push(char);
        }
    }
    Ok(printed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_json_is_no_command_of_a_ci_system() {
        let json = printed_json(&"###vso[\u{202e}a").expect("JSON");
        assert_eq!(json, r##""#\u0023#vso[\u202ea""##);
        let read: String = serde_json::from_str(&json).expect("JSON");
        assert_eq!(read, "###vso[\u{202e}a", "programs read the same");
    }
}
