//! Ranges of lines with both ends.

use std::ops::RangeInclusive;

/// Adds a line after all others, to the last range or as a new range.
pub(crate) fn add(ranges: &mut Vec<RangeInclusive<u32>>, line: u32) {
    match ranges.last_mut() {
        Some(last) if *last.end() + 1 == line => *last = *last.start()..=line,
        _ => ranges.push(line..=line),
    }
}
