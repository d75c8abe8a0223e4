//! Ranges of lines.

/// Consecutive lines: the first and the last line.
pub type LineRange = (u32, u32);

/// The number of lines.
pub(crate) fn length((first, last): LineRange) -> u64 {
    u64::from(last.saturating_sub(first)) + 1
}

/// Reads a range from an address: `41`, or `41-46`.
pub fn range_in_address(text: &str) -> Option<LineRange> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let range = (first.parse().ok()?, last.parse().ok()?);
    (range.0 > 0 && range.0 <= range.1).then_some(range)
}

/// A range as people read it: `41–46`, or `50` for one line.
pub fn lines_in_words((first, last): LineRange) -> String {
    match first == last {
        true => first.to_string(),
        false => format!("{first}–{last}"),
    }
}

/// The ranges of lines in ascending order.
pub fn ranges_of(lines: impl IntoIterator<Item = u32>) -> Vec<LineRange> {
    let mut ranges: Vec<LineRange> = Vec::new();
    for line in lines {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => ranges.push((line, line)),
        }
    }
    ranges
}
