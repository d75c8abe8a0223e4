//! Sizes, durations, numbers of files and ranges of lines as text; integers only.

use crate::numbers::{counted, covered_of};
use domain::{NewTotals, Percentage};

/// Bytes in decimal units with one decimal: `412 kB`, `1.2 MB`.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    match UNITS.into_iter().find(|(unit, _)| bytes >= *unit) {
        None => format!("{bytes} bytes"),
        Some((unit, name)) => one_decimal(bytes, unit, name),
    }
}

/// A number of files: `1 file`, `12,000 files`.
pub(crate) fn files_in_words(count: u64) -> String {
    counted(count, "file", "files")
}

/// The coverage of new lines; `None` if no line is new.
pub(crate) fn new_code_in_words(new: &NewTotals) -> Option<String> {
    let percentage = Percentage::of(new.new.lines)?;
    let unknown = match new.new.unknown {
        0 => String::new(),
        lines => format!(", {} may be new", counted(lines, "more line", "more lines")),
    };
    Some(format!(
        "New code since {}: {} lines covered ({percentage} %){unknown}",
        new.since.day(),
        covered_of(new.new.lines),
    ))
}

/// A duration: `under 1 ms`, `240 ms`, `2.4 s`, `3 min`.
pub(crate) fn duration(milliseconds: u64) -> String {
    match milliseconds {
        0 => "under 1 ms".to_owned(),
        1..1_000 => format!("{milliseconds} ms"),
        1_000..120_000 => one_decimal(milliseconds, 1_000, "s"),
        _ => format!("{} min", milliseconds / 60_000),
    }
}

fn one_decimal(number: u64, unit: u64, name: &str) -> String {
    let (whole, tenth) = (number / unit, number % unit * 10 / unit);
    match whole {
        0..10 => format!("{whole}.{tenth} {name}"),
        _ => format!("{whole} {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_two_digits_or_more() {
        assert_eq!(
            [0, 999, 1_000, 9_999, 412_345, 1_250_000, u64::MAX].map(size),
            [
                "0 bytes",
                "999 bytes",
                "1.0 kB",
                "9.9 kB",
                "412 kB",
                "1.2 MB",
                "18446744073 GB"
            ]
        );
    }

    #[test]
    fn durations_have_the_unit_that_fits_them() {
        assert_eq!(
            [0, 240, 2_450, 61_000, 119_999, 185_000].map(duration),
            ["under 1 ms", "240 ms", "2.4 s", "61 s", "119 s", "3 min"]
        );
    }
}
