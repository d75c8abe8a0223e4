//! A report while it is written: its text so far, and what `xml` and `json` have to know of it.

use super::odd::{Odd, Oddity};

/// Where writers write to.
#[derive(Debug, Clone)]
pub struct Out {
    pub text: String,
    pub odd: Odd,
    /// The names of the elements that are open.
    pub(super) elements: Vec<&'static str>,
    /// The objects and arrays that are open: how they end, and whether anything is in them yet.
    pub(super) values: Vec<(char, bool)>,
    /// What every element's name begins with.
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

    /// Whether the report states totals of the whole.
    pub fn states_totals(&self) -> bool {
        !self.odd.has(Oddity::Unstated)
    }

    /// A line of a text format.
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
