//! The person at the terminal: asks for confirmation, and prints tables.

use domain::text::printed;
use std::{
    io::{self, BufRead, Write},
    iter::once,
};

/// Asks a question. Returns true only if the answer is `y` or `yes`.
pub(crate) fn confirm(
    question: &str,
    input: &mut impl BufRead,
    notes: &mut impl Write,
) -> io::Result<bool> {
    let answer = answered(&format!("{question} [y/N] "), input, notes)?;
    Ok(matches!(answer.as_str(), "y" | "yes"))
}

/// Asks for confirmation of something that cannot be undone. Returns true only if the answer is `yes` in full.
pub(crate) fn confirm_in_full(
    input: &mut impl BufRead,
    notes: &mut impl Write,
) -> io::Result<bool> {
    Ok(answered("Type yes to continue: ", input, notes)? == "yes")
}

/// The answer is trimmed and in lower case.
fn answered(
    question: &str,
    input: &mut impl BufRead,
    notes: &mut impl Write,
) -> io::Result<String> {
    write!(notes, "{question}")?;
    notes.flush()?;
    let mut answer = String::new();
    input.read_line(&mut answer)?;
    Ok(answer.trim().to_ascii_lowercase())
}

/// Prints a table with columns as wide as their longest text.
pub(super) fn table<const N: usize>(
    out: &mut impl Write,
    titles: [&str; N],
    rows: &[[String; N]],
) -> io::Result<()> {
    let rows = rows.iter().map(|row| row.each_ref().map(printed));
    let all: Vec<_> = once(titles.map(str::to_owned)).chain(rows).collect();
    let widths: [usize; N] = std::array::from_fn(|column| {
        let widths = all.iter().map(|row| row[column].chars().count());
        widths.max().unwrap_or(0)
    });
    for row in &all {
        let cells = row.iter().zip(widths);
        let line: String = cells
            .map(|(cell, width)| format!("{cell:width$}  "))
            .collect();
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_yes_is_yes() {
        let answered = |text: &str| confirm("Go on?", &mut text.as_bytes(), &mut Vec::new()).ok();
        for yes in ["y\n", "YES\n", " yes \n"] {
            assert_eq!(answered(yes), Some(true), "{yes:?}");
        }
        for no in ["", "\n", "n\n", "yess\n", "yes please\n"] {
            assert_eq!(answered(no), Some(false), "{no:?}");
        }
        let in_full = |text: &str| confirm_in_full(&mut text.as_bytes(), &mut Vec::new()).ok();
        assert_eq!(in_full("y\n"), Some(false));
        assert_eq!(in_full("Yes\n"), Some(true));
    }
}
