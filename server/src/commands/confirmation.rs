//! Asks the person at the terminal for confirmation.

use std::io::{self, BufRead, Write};

/// Asks a question. Returns true only if the answer is `y` or `yes`.
pub fn confirm(
    question: &str,
    input: &mut impl BufRead,
    notes: &mut impl Write,
) -> io::Result<bool> {
    let answer = answered(&format!("{question} [y/N] "), input, notes)?;
    Ok(matches!(answer.as_str(), "y" | "yes"))
}

/// Asks for confirmation of something that cannot be undone. Returns true only if the answer is `yes` in full.
pub fn confirm_in_full(input: &mut impl BufRead, notes: &mut impl Write) -> io::Result<bool> {
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
