//! Ranges of lines.

/// Lines that follow one another: the first one and the last one.
pub type LineRange = (u32, u32);

/// A range as people read it: `41–46`, or `50` for one line.
pub fn lines_in_words((first, last): LineRange) -> String {
    match first == last {
        true => first.to_string(),
        false => format!("{first}–{last}"),
    }
}
