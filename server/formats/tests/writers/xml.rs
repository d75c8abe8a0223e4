//! Writes XML, optionally in unusual spellings.

use std::fmt::{Display, Write};

use super::odd::Oddity;
use super::out::Out;

/// Attributes of an element, in the order in which the tool writes them.
pub type Attributes<'a> = &'a [(&'static str, &'a dyn Display)];

/// Attributes whose values are free text. Numbers and keywords are never written as references to characters.
const NAMES: [&str; 8] = [
    "name", "filename", "path", "fullPath", "Name", "document", "location", "fullname",
];

impl Out {
    /// Writes the text before the root element.
    pub fn prologue(&mut self, root: &str, doctype: &str) {
        if !self.odd.has(Oddity::Undeclared) {
            self.text.push_str("<?xml version=\"1.0\" ?>");
            self.line_end();
        }
        self.between();
        if self.odd.has(Oddity::Doctype) {
            let long = " <!-- ' > -->".repeat(self.odd.random().index(9));
            let _ = write!(self.text, "<!DOCTYPE {root} [<!ELEMENT {root} ANY>{long}]>");
        } else {
            self.text.push_str(doctype);
        }
        self.line_end();
    }

    /// Writes a start tag.
    pub fn open(&mut self, name: &'static str, attributes: Attributes<'_>) {
        self.between();
        self.tag(name, attributes);
        self.text.push('>');
        self.elements.push(name);
        // In the root, the first attributes identify the format.
        if self.elements.len() > 1 && self.odd.here(Oddity::Unknown, 8) {
            let _ = write!(self.text, "<{}unheard-of x=\"1\"/>", self.prefix);
        }
    }

    /// Writes the end tag of the last opened element.
    pub fn close(&mut self) {
        self.between();
        self.end_tag();
    }

    /// Writes an empty element.
    pub fn empty(&mut self, name: &'static str, attributes: Attributes<'_>) {
        self.between();
        self.tag(name, attributes);
        if self.odd.here(Oddity::Pairs, 2) {
            self.text.push('>');
            self.elements.push(name);
            if self.odd.here(Oddity::Between, 4) {
                self.between();
            }
            self.end_tag();
        } else {
            self.text.push_str("/>");
        }
    }

    /// Writes an element with text.
    pub fn element(&mut self, name: &'static str, text: &str) {
        self.between();
        self.tag(name, &[]);
        self.text.push('>');
        self.elements.push(name);
        self.escaped(text, true);
        self.end_tag();
    }

    fn tag(&mut self, name: &'static str, attributes: Attributes<'_>) {
        let _ = write!(self.text, "<{}{name}", self.prefix);
        let mut attributes = attributes.to_vec();
        let namespace = format!("urn:{name}");
        if self.elements.is_empty() && !self.prefix.is_empty() {
            attributes.push(("xmlns:c", &namespace));
        }
        let long;
        if self.odd.here(Oddity::Long, 300) {
            long = "x ".repeat(self.odd.random().index(4000));
            attributes.push(("long", &long));
        }
        if self.odd.here(Oddity::Unknown, 6) {
            attributes.push(("unheard-of", &"a > 'b'"));
        }
        if self.odd.has(Oddity::Order) {
            self.odd.random().shuffle(&mut attributes);
        }
        for (attribute, value) in attributes {
            // The measure of CTC++ is a keyword.
            let is_name = NAMES.contains(&attribute) && name != "measure";
            self.attribute(attribute, &value.to_string(), is_name);
        }
        self.space("");
    }

    fn attribute(&mut self, name: &str, value: &str, is_name: bool) {
        self.space(" ");
        self.text.push_str(name);
        if self.odd.here(Oddity::Space, 12) {
            self.text.push_str(" =\n");
        } else {
            self.text.push('=');
        }
        let quote = if self.odd.here(Oddity::Quotes, 2) {
            '\''
        } else {
            '"'
        };
        self.text.push(quote);
        self.escaped(value, is_name);
        self.text.push(quote);
    }

    fn end_tag(&mut self) {
        let name = self.elements.pop().expect("an open element");
        let _ = write!(self.text, "</{}{name}", self.prefix);
        self.space("");
        self.text.push('>');
    }

    /// Escapes text. The same text is escaped in the same way throughout a report, as in every tool.
    fn escaped(&mut self, text: &str, is_name: bool) {
        for char in text.chars() {
            match char {
                '&' => self.text.push_str("&amp;"),
                '<' => self.text.push_str("&lt;"),
                '>' if !self.odd.has(Oddity::Quotes) => self.text.push_str("&gt;"),
                '"' => self.text.push_str("&quot;"),
                '\'' => self.text.push_str("&#39;"),
                _ if is_name && self.odd.refers_to(char) => {
                    let _ = write!(self.text, "&#x{:X};", u32::from(char));
                }
                _ => self.text.push(char),
            }
        }
    }

    /// Writes white space inside a tag.
    fn space(&mut self, usual: &str) {
        const SPACES: [&str; 5] = [" ", "  ", "\n", "\t", "\r\n"];
        if self.odd.here(Oddity::Space, 10) {
            let space = self.odd.random().choose(&SPACES);
            self.text.push_str(space);
        } else {
            self.text.push_str(usual);
        }
    }

    /// Writes text between elements.
    fn between(&mut self) {
        const NOTES: [&str; 4] = [
            "<!-- a > b, <tag> & \"quote -->",
            "<!---->",
            "<?instruction a > b ?>",
            "<?xml-stylesheet href='a'?>",
        ];
        if self.odd.here(Oddity::Between, 15) {
            let note = self.odd.random().choose(&NOTES);
            self.text.push_str(note);
        }
        if self.odd.here(Oddity::Between, 30) && !self.elements.is_empty() {
            self.text.push_str("<![CDATA[ </not-a-tag> ]] > ]]>");
        }
        if self.odd.here(Oddity::Long, 300) {
            let long = "<long> -- ".repeat(self.odd.random().index(900));
            let _ = write!(self.text, "<!--{long}-->", long = long.replace("--", "- "));
        }
        let is_indented = !self.odd.here(Oddity::Space, 3);
        if is_indented && !self.text.is_empty() && !self.text.ends_with('\n') {
            self.line_end();
            self.text.extend(self.elements.iter().map(|_| '\t'));
        }
    }
}
