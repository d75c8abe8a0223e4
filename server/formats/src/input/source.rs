//! Decodes bytes of any encoding to UTF-8.

use std::io::{self, ErrorKind::Interrupted, Read};

use encoding_rs::{CoderResult, Decoder, Encoding};

use crate::error::{ErrorKind, shown};

/// Decodes the input while reading it.
///
/// The encoding is decided by a byte order mark or the zeros of UTF-16, then by the XML declaration. Without these, the input is
/// read as UTF-8. Each invalid byte becomes its Latin-1 character: markup and digits stay right, and different names stay
/// different.
pub(super) struct Source<'a> {
    input: &'a mut dyn Read,
    decoder: Option<Decoder>,
    /// Bytes as read. The first `filled` bytes are not decoded yet: the start of the input, later the start of a character.
    bytes: Box<[u8]>,
    filled: usize,
}

/// The bytes read at a time: enough to make the cost of calls negligible, few enough for the processor's cache.
const CHUNK: usize = 32 * 1024;

/// The number of bytes searched for an XML declaration.
const SNIFFED: usize = 1024;

impl<'a> Source<'a> {
    pub(super) fn open(input: &'a mut dyn Read) -> Result<Self, ErrorKind> {
        let mut source = Self {
            input,
            decoder: None,
            bytes: vec![0; CHUNK].into_boxed_slice(),
            filled: 0,
        };
        while source.filled < SNIFFED && !is_telling(&source.bytes[..source.filled]) {
            let read = source.fill();
            if read.map_err(|error| ErrorKind::Read(error.into()))? == 0 {
                break;
            }
        }
        // Never search more, so that the result does not depend on the size of the pieces.
        let (encoding, mark) = encoding_of(&source.bytes[..source.filled.min(SNIFFED)])?;
        source.decoder = encoding.map(Encoding::new_decoder_without_bom_handling);
        source.drop_first(mark);
        Ok(source)
    }

    /// Appends more text, sometimes none. `false` at the end.
    pub(super) fn read(&mut self, text: &mut Vec<u8>) -> io::Result<bool> {
        let is_full = self.filled == self.bytes.len();
        let is_end = !is_full && self.fill()? == 0;
        let bytes = &self.bytes[..self.filled];
        let decoded = match &mut self.decoder {
            Some(decoder) => {
                decode(decoder, bytes, is_end, text);
                bytes.len()
            }
            None => append_utf8(bytes, is_end, text),
        };
        self.drop_first(decoded);
        Ok(!is_end)
    }

    /// Reads as many bytes as fit. 0 at the end.
    fn fill(&mut self) -> io::Result<usize> {
        loop {
            match self.input.read(&mut self.bytes[self.filled..]) {
                Err(error) if error.kind() == Interrupted => {}
                Err(error) => return Err(error),
                Ok(read) => {
                    self.filled = (self.filled + read).min(self.bytes.len());
                    return Ok(read);
                }
            }
        }
    }

    fn drop_first(&mut self, len: usize) {
        self.bytes.copy_within(len..self.filled, 0);
        self.filled -= len;
    }
}

/// Appends the complete characters of `bytes`, and returns their number of bytes.
fn append_utf8(bytes: &[u8], is_end: bool, text: &mut Vec<u8>) -> usize {
    let mut rest = bytes;
    loop {
        let Err(error) = std::str::from_utf8(rest) else {
            text.extend_from_slice(rest);
            return bytes.len();
        };
        let (valid, after) = rest.split_at(error.valid_up_to());
        text.extend_from_slice(valid);
        let invalid = match error.error_len() {
            Some(len) => len,
            None if is_end => after.len(),
            None => return bytes.len() - after.len(),
        };
        let (invalid, after) = after.split_at(invalid);
        for &byte in invalid {
            let character = char::from(byte);
            text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
        rest = after;
    }
}

fn decode(decoder: &mut Decoder, mut bytes: &[u8], is_end: bool, text: &mut Vec<u8>) {
    let mut room = [0; 4096];
    loop {
        let (result, read, written, _) = decoder.decode_to_utf8(bytes, &mut room, is_end);
        text.extend_from_slice(&room[..written]);
        bytes = &bytes[read..];
        if result == CoderResult::InputEmpty {
            return;
        }
    }
}

/// Returns the encoding, if it is not UTF-8, and the length of a byte order mark.
fn encoding_of(start: &[u8]) -> Result<(Option<&'static Encoding>, usize), ErrorKind> {
    match start {
        [0, 0, 0xFE, 0xFF, ..]
        | [0xFF, 0xFE, 0, 0, ..]
        | [0, 0, 0, b'<' | b'{', ..]
        | [b'<' | b'{', 0, 0, 0, ..] => {
            return Err(ErrorKind::Encoding("UTF-32".to_owned()));
        }
        [0xEF, 0xBB, 0xBF, ..] => return Ok((None, 3)),
        [0xFE, 0xFF, ..] => return Ok((Some(encoding_rs::UTF_16BE), 2)),
        [0xFF, 0xFE, ..] => return Ok((Some(encoding_rs::UTF_16LE), 2)),
        [0, first, ..] if is_text(*first) => return Ok((Some(encoding_rs::UTF_16BE), 0)),
        [first, 0, ..] if is_text(*first) => return Ok((Some(encoding_rs::UTF_16LE), 0)),
        _ => {}
    }
    let Some(label) = declared(start) else {
        return Ok((None, 0));
    };
    let encoding = Encoding::for_label(label);
    if encoding == Some(encoding_rs::REPLACEMENT) || (encoding.is_none() && !writes_ascii(label)) {
        return Err(ErrorKind::Encoding(shown(label)));
    }
    // Without the zeros of UTF-16, the encoding is another one, most likely UTF-8.
    let believed = encoding.filter(|encoding| encoding.output_encoding() != encoding_rs::UTF_8);
    Ok((believed, 0))
}

/// Whether a report may start with this character.
fn is_text(character: u8) -> bool {
    character.is_ascii_graphic() || character.is_ascii_whitespace()
}

/// The encoding in the XML declaration.
fn declared(start: &[u8]) -> Option<&[u8]> {
    let end = memchr::memmem::find(start, b"?>")?;
    let declaration = start[..end].strip_prefix(b"<?xml")?;
    let at = memchr::memmem::find(declaration, b"encoding")?;
    let value = declaration[at + b"encoding".len()..].trim_ascii_start();
    let quoted = value.strip_prefix(b"=")?.trim_ascii_start();
    let (quote, value) = quoted.split_first()?;
    let len = value.iter().position(|byte| byte == quote)?;
    Some(&value[..len])
}

/// Whether the start is long enough to determine the encoding: it contains the whole XML declaration, if there is one.
fn is_telling(start: &[u8]) -> bool {
    const MARK: &[u8] = b"<?xml";
    let len = start.len().min(MARK.len());
    let may_be_declaration = start[..len] == MARK[..len];
    start.len() > MARK.len()
        && (!may_be_declaration || memchr::memmem::find(start, b"?>").is_some())
}

/// Whether an unknown encoding is compatible with ASCII, like most encodings. Then its markup can be read.
fn writes_ascii(label: &[u8]) -> bool {
    const EXCEPTIONS: [&[u8]; 6] = [b"utf-7", b"utf-32", b"ucs-4", b"ebcdic", b"ibm", b"cp037"];
    let label = label.to_ascii_lowercase();
    let is_in = |family: &&[u8]| memchr::memmem::find(&label, family).is_some();
    !EXCEPTIONS.iter().any(is_in)
}
