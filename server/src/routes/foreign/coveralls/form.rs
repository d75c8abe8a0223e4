//! Decodes a form body (`application/x-www-form-urlencoded`) while it arrives, and passes on the value of one field.

use std::io::{self, Write};

/// The most bytes of a field's name.
const MAX_NAME_BYTES: usize = 256;

/// Passes the value of the first field called `name` to `value`. Other fields are skipped.
pub(super) struct FormDecoder<W> {
    name: &'static [u8],
    value: W,
    /// The name of the current field; `None` within its value.
    field: Option<Vec<u8>>,
    /// Whether the value of the wanted field is being read, or has been.
    is_wanted: bool,
    pub(super) is_found: bool,
    /// The characters of an escape so far: `%`, `%4`.
    escape: Vec<u8>,
    decoded: Vec<u8>,
}

impl<W: Write> FormDecoder<W> {
    pub(super) fn new(name: &'static str, value: W) -> Self {
        Self {
            name: name.as_bytes(),
            value,
            field: Some(Vec::new()),
            is_wanted: false,
            is_found: false,
            escape: Vec::new(),
            decoded: Vec::new(),
        }
    }

    pub(super) fn get_ref(&self) -> &W {
        &self.value
    }

    /// Returns the receiver of the value. An escape that is cut off stands for itself.
    pub(super) fn finish(mut self) -> io::Result<W> {
        let rest = std::mem::take(&mut self.escape);
        for byte in rest {
            self.pass(byte);
        }
        self.send()?;
        Ok(self.value)
    }

    fn next(&mut self, byte: u8) {
        if !self.escape.is_empty() {
            self.escape.push(byte);
            match self.escape[..] {
                [_, digit] if digit.is_ascii_hexdigit() => return,
                [_, high, low] if low.is_ascii_hexdigit() => {
                    self.escape.clear();
                    self.pass(digit(high) << 4 | digit(low));
                    return;
                }
                _ => {}
            }
            // It is no escape: all but the last character stand for themselves.
            self.escape.pop();
            for byte in std::mem::take(&mut self.escape) {
                self.pass(byte);
            }
        }
        match byte {
            b'%' => self.escape.push(byte),
            b'+' => self.pass(b' '),
            b'&' => {
                self.is_wanted = false;
                self.field = Some(Vec::new());
            }
            b'=' if self.field.is_some() => {
                let field = self.field.take();
                self.is_wanted = field.as_deref() == Some(self.name) && !self.is_found;
                self.is_found |= self.is_wanted;
            }
            byte => self.pass(byte),
        }
    }

    /// Passes on a decoded byte.
    fn pass(&mut self, byte: u8) {
        match &mut self.field {
            Some(field) if field.len() < MAX_NAME_BYTES => field.push(byte),
            Some(_) => {}
            None if self.is_wanted => self.decoded.push(byte),
            None => {}
        }
    }

    fn send(&mut self) -> io::Result<()> {
        let sent = self.value.write_all(&self.decoded);
        self.decoded.clear();
        sent
    }
}

fn digit(character: u8) -> u8 {
    let digit = char::from(character).to_digit(16).unwrap_or_default();
    u8::try_from(digit).unwrap_or_default()
}

impl<W: Write> Write for FormDecoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            self.next(byte);
        }
        self.send()?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(body: &str, size: usize) -> (String, bool) {
        let mut decoder = FormDecoder::new("json", Vec::new());
        for piece in body.as_bytes().chunks(size) {
            decoder.write_all(piece).expect("memory");
        }
        let is_found = decoder.is_found;
        let value = decoder.finish().expect("memory");
        (String::from_utf8(value).expect("UTF-8"), is_found)
    }

    #[test]
    fn a_value_is_decoded_wherever_the_body_is_split() {
        let body = "a=1&js%6Fn=%7B%22a%22%3A+%22%C3%BC%2b%22%7d&json=2&b";
        for size in 1..=body.len() {
            let expected = ("{\"a\": \"ü+\"}".to_owned(), true);
            assert_eq!(decoded(body, size), expected, "by {size}");
        }
    }

    #[test]
    fn what_is_no_escape_stands_for_itself() {
        for (body, expected) in [
            ("json=100%&a=1", "100%"),
            ("json=%zz%4g%%41=b", "%zz%4g%A=b"),
            ("json=%", "%"),
            ("json=%4", "%4"),
            ("json=%+", "% "),
            ("json=", ""),
        ] {
            for size in [1, 100] {
                assert_eq!(decoded(body, size), (expected.to_owned(), true), "{body}");
            }
        }
        assert_eq!(decoded("jso=1&b=json", 100), (String::new(), false));
    }
}
