//! Asking the person at a terminal before something is done that cannot be undone.

use std::io::{self, BufRead, Write};

/// Asks a question, and whether the answer is yes. Nothing else is.
///
/// # Errors
///
/// When the terminal cannot be read or written.
pub fn confirm(
    question: &str,
    input: &mut impl BufRead,
    notes: &mut impl Write,
) -> io::Result<bool> {
    write!(notes, "{question} [y/N] ")?;
    notes.flush()?;
    let mut answer = String::new();
    input.read_line(&mut answer)?;
    Ok(matches!(
        answer.trim().to_ascii_lowercase().as_str(),
        "y" | "yes"
    ))
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
    }
}
