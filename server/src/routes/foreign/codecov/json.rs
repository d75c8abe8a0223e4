//! Reads JSON as it arrives: a text of any length is a stream.

use super::window::Window;
use std::io::{self, Read};

/// The deepest nesting of a value that is skipped.
const DEPTH: usize = 64;

/// JSON under way.
pub(super) struct Json<R>(Window<R>);

/// What begins next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Object,
    Array,
    Text,
    Other,
}

impl<R: Read> Json<R> {
    pub(super) fn new(window: Window<R>) -> Self {
        Self(window)
    }

    /// Returns what begins next.
    pub(super) fn next(&mut self) -> io::Result<Next> {
        Ok(match self.byte()? {
            b'{' => Next::Object,
            b'[' => Next::Array,
            b'"' => Next::Text,
            _ => Next::Other,
        })
    }

    /// Enters an object or an array: `open` is its bracket.
    pub(super) fn enter(&mut self, open: u8) -> io::Result<()> {
        self.expect(open)
    }

    /// Moves to the next member or item; `false` at the end, which is removed. `is_first` before the first.
    pub(super) fn has_more(&mut self, close: u8, is_first: bool) -> io::Result<bool> {
        let byte = self.byte()?;
        if byte == close {
            self.0.consume(1);
            return Ok(false);
        }
        if !is_first {
            self.expect(b',')?;
        }
        Ok(true)
    }

    /// Reads the name of a member, of at most `most` bytes, with its colon.
    pub(super) fn name(&mut self, most: usize) -> io::Result<String> {
        let name = self.short_text(most)?;
        self.expect(b':')?;
        Ok(name)
    }

    /// Reads a text of at most `most` bytes. A longer one is cut.
    pub(super) fn short_text(&mut self, most: usize) -> io::Result<String> {
        let mut text = self.text()?;
        let mut bytes = Vec::new();
        (&mut text).take(most as u64).read_to_end(&mut bytes)?;
        text.skip()?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Reads a text as a stream.
    pub(super) fn text(&mut self) -> io::Result<Text<'_, R>> {
        self.expect(b'"')?;
        Ok(Text {
            window: &mut self.0,
            rest: Vec::new(),
            is_over: false,
        })
    }

    /// Skips the next value.
    pub(super) fn skip(&mut self) -> io::Result<()> {
        let mut open = Vec::new();
        loop {
            match self.byte()? {
                bracket @ (b'{' | b'[') => {
                    if open.len() == DEPTH {
                        return Err(wrong("less nesting"));
                    }
                    self.0.consume(1);
                    open.push(bracket);
                }
                b'}' if open.last() == Some(&b'{') => self.close(&mut open),
                b']' if open.last() == Some(&b'[') => self.close(&mut open),
                b'"' => self.text()?.skip()?,
                b',' | b':' if !open.is_empty() => self.0.consume(1),
                byte if byte.is_ascii_alphanumeric() || b"+-.".contains(&byte) => self.word()?,
                _ => return Err(wrong("a value")),
            }
            if open.is_empty() {
                return Ok(());
            }
        }
    }

    fn close(&mut self, open: &mut Vec<u8>) {
        self.0.consume(1);
        open.pop();
    }

    /// Skips a number, `true`, `false` or `null`.
    fn word(&mut self) -> io::Result<()> {
        while let Some(&byte) = self.0.peek(1)?.first()
            && (byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
        {
            self.0.consume(1);
        }
        Ok(())
    }

    /// The next byte that is no white space. It is not removed.
    fn byte(&mut self) -> io::Result<u8> {
        loop {
            match self.0.peek(1)?.first() {
                Some(byte) if byte.is_ascii_whitespace() => self.0.consume(1),
                Some(byte) => return Ok(*byte),
                None => return Err(io::ErrorKind::UnexpectedEof.into()),
            }
        }
    }

    fn expect(&mut self, wanted: u8) -> io::Result<()> {
        if self.byte()? != wanted {
            return Err(wrong(&format!("`{}`", char::from(wanted))));
        }
        self.0.consume(1);
        Ok(())
    }
}

/// The content of a text, decoded.
pub(super) struct Text<'a, R> {
    window: &'a mut Window<R>,
    /// The bytes of a decoded escape that are not read yet, in reverse order.
    rest: Vec<u8>,
    is_over: bool,
}

impl<R: Read> Text<'_, R> {
    /// Reads to the end of the text.
    pub(super) fn skip(mut self) -> io::Result<()> {
        io::copy(&mut self, &mut io::sink()).map(drop)
    }

    /// Reads the rest of an escape, after its backslash.
    fn escape(&mut self) -> io::Result<()> {
        let byte = self.window.next()?;
        let char = match byte.ok_or(io::ErrorKind::UnexpectedEof)? {
            char @ (b'"' | b'\\' | b'/') => char.into(),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => self.unicode()?,
            _ => return Err(wrong("an escape")),
        };
        let mut bytes = [0; 4];
        self.rest.extend(char.encode_utf8(&mut bytes).bytes().rev());
        Ok(())
    }

    fn unicode(&mut self) -> io::Result<char> {
        let first = self.unit()?;
        let code = match first {
            0xd800..0xdc00 if self.window.peek(2)?.starts_with(b"\\u") => {
                self.window.consume(2);
                let second = self.unit()?;
                0x1_0000 + ((first - 0xd800) << 10) + (second.wrapping_sub(0xdc00) & 0x3ff)
            }
            code => code,
        };
        Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn unit(&mut self) -> io::Result<u32> {
        let digits = self.window.peek(4)?.get(..4);
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        let unit = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let unit = unit.ok_or_else(|| wrong("four hexadecimal digits"))?;
        self.window.consume(4);
        Ok(unit)
    }
}

impl<R: Read> Read for Text<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if let Some(byte) = self.rest.pop() {
                buffer[0] = byte;
                return Ok(1);
            }
            if self.is_over {
                return Ok(0);
            }
            // No further than is read: a decoder reads small pieces of a long text.
            let ahead = self.window.peek(1)?;
            let ahead = &ahead[..ahead.len().min(buffer.len())];
            let plain = ahead.iter().position(|byte| matches!(byte, b'"' | b'\\'));
            let plain = plain.unwrap_or(ahead.len());
            if plain > 0 {
                buffer[..plain].copy_from_slice(&ahead[..plain]);
                self.window.consume(plain);
                return Ok(plain);
            }
            match self.window.next()? {
                Some(b'"') => self.is_over = true,
                Some(_) => self.escape()?,
                None => return Err(io::ErrorKind::UnexpectedEof.into()),
            }
        }
    }
}

fn wrong(expected: &str) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("expected {expected} in the JSON"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Json<&[u8]> {
        Json::new(Window::new(text.as_bytes()))
    }

    #[test]
    fn escapes_of_a_text_are_decoded() {
        let mut json = json(r#" "a\"\\\/\n\u00fc\ud83d\ude00\ud800b" "#);
        let text = json.short_text(100).expect("a text");
        assert_eq!(text, "a\"\\/\nü😀\u{fffd}b");
    }

    #[test]
    fn values_of_any_kind_are_skipped() {
        let mut json = json(r#"[{"a": [1, -2.5e3, {"b": "}]"}], "c": null}, true, "x"]"#);
        json.enter(b'[').expect("an array");
        let mut items = 0;
        while json.has_more(b']', items == 0).expect("an item") {
            json.skip().expect("a value");
            items += 1;
        }
        assert_eq!(items, 3);
    }

    #[test]
    fn broken_json_is_refused() {
        for text in ["{", "[1", "\"a", "\"\\u12\"", "}", "{\"a\" ]", ""] {
            assert!(json(text).skip().is_err(), "{text}");
        }
        let deep = "[".repeat(1_000);
        assert!(json(&deep).skip().is_err());
    }

    #[test]
    fn a_long_text_is_cut_but_read_to_its_end() {
        let mut json = json(r#"["abcdef", 7]"#);
        json.enter(b'[').expect("an array");
        assert!(json.has_more(b']', true).expect("an item"));
        assert_eq!(json.short_text(3).expect("a text"), "abc");
        assert!(json.has_more(b']', false).expect("an item"));
    }
}
