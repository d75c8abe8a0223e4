//! Writes JSON, optionally in unusual spellings.

use std::fmt::{Display, Write};

use super::odd::Oddity;
use super::out::Out;

impl Out {
    pub fn object(&mut self) {
        self.value("{");
        self.values.push(('}', false));
    }

    pub fn array(&mut self) {
        self.value("[");
        self.values.push((']', false));
    }

    /// Writes the end of the last opened object or array.
    pub fn end(&mut self) {
        let (end, _) = self.values.pop().expect("an open object or array");
        self.white_space();
        self.text.push(end);
    }

    /// Writes the key of a member that has a meaning.
    pub fn key(&mut self, key: &str) {
        if self.odd.here(Oddity::Unknown, 9) {
            self.name("unheard-of");
            self.value(r#"{"a": [1, "}", null, -2.5e+3, {"b": [[]]}], "c": true}"#);
        }
        if self.odd.here(Oddity::Long, 100) {
            self.name("long");
            let long = "x\\n\\u0041".repeat(self.odd.random().index(900));
            self.value(&format!("\"{long}\""));
        }
        self.name(key);
    }

    /// Writes the key of a member that is a name, such as a path.
    pub fn name(&mut self, name: &str) {
        self.next_item();
        self.quoted(name);
        self.white_space();
        self.text.push(':');
        if !self.odd.has(Oddity::Space) {
            self.text.push(' ');
        }
        // No comma before its value.
        self.values.push((' ', false));
    }

    pub fn string(&mut self, value: &str) {
        self.value("");
        self.quoted(value);
    }

    /// Writes a number, `true`, `false` or `null`.
    pub fn number(&mut self, value: impl Display) {
        self.value(&value.to_string());
    }

    pub fn member(&mut self, key: &str, value: impl Display) {
        self.key(key);
        self.number(value);
    }

    fn value(&mut self, value: &str) {
        self.next_item();
        self.text.push_str(value);
    }

    /// Writes the separator before an array item, a key or a value.
    fn next_item(&mut self) {
        match self.values.last_mut() {
            Some((' ', _)) => {
                self.values.pop();
            }
            Some((_, is_first @ false)) => *is_first = true,
            Some(_) => self.text.push(','),
            None => {}
        }
        self.white_space();
    }

    fn white_space(&mut self) {
        const SPACES: [&str; 5] = [" ", "  ", "\t", "\n", "\r\n"];
        if self.odd.here(Oddity::Space, 6) {
            let space = self.odd.random().choose(&SPACES);
            self.text.push_str(space);
        }
        if self.odd.here(Oddity::Long, 300) {
            let length = self.odd.random().index(3000);
            self.text.push_str(&" ".repeat(length));
        }
    }

    fn quoted(&mut self, text: &str) {
        self.text.push('"');
        for char in text.chars() {
            match char {
                '"' => self.text.push_str("\\\""),
                '\\' => self.text.push_str("\\\\"),
                '/' if self.odd.has(Oddity::Quotes) => self.text.push_str("\\/"),
                _ if self.odd.refers_to(char) => {
                    for unit in char.encode_utf16(&mut [0; 2]) {
                        let _ = write!(self.text, "\\u{unit:04x}");
                    }
                }
                _ => self.text.push(char),
            }
        }
        self.text.push('"');
    }
}
