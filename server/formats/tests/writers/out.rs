//! A report while it is written: its text so far, and the state that `xml` and `json` need.

use super::odd::{Odd, Oddity};

/// The output of writers.
#[derive(Debug, Clone)]
pub struct Out {
    pub text: String,
    pub odd: Odd,
    /// The names of the open elements.
    pub(super) elements: Vec<&'static str>,
    /// The open objects and arrays: their end, and whether they already have members.
    pub(super) values: Vec<(char, bool)>,
    /// The prefix of every element's name.
    pub(super) prefix: &'static str,
}

impl Out {
    pub fn new(odd: Odd) -> Self {
        let prefix = if odd.has(Oddity::Prefix) { "c:" } else { "" };
        Self {
            text: String::new(),
            odd,
            elements: Vec::new(),
            values: Vec::new(),
            prefix,
        }
    }

    /// Whether the report states totals.
    pub fn states_totals(&self) -> bool {
        !self.odd.has(Oddity::Unstated)
    }

    /// Writes a line of a text format.
    pub fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.line_end();
    }

    pub fn line_end(&mut self) {
        let end = if self.odd.has(Oddity::CrLf) {
            "\r\n"
        } else {
            "\n"
        };
        self.text.push_str(end);
    }
}
