//! Bytes of any encoding made into UTF-8.

use std::io::{self, ErrorKind::Interrupted, Read};

use encoding_rs::{CoderResult, Decoder, Encoding};

use crate::error::{ErrorKind, shown};

/// Decodes the input as it comes.
///
/// The bytes tell the encoding before the XML declaration does: a byte order mark, or the zeros of UTF-16. Then a
/// declared encoding is believed. What is UTF-8, or says nothing of itself, is taken as UTF-8, and bytes that are not,
/// each for the Latin-1 character they would be: right for markup and digits, and different names stay different.
pub(super) struct Source<'a> {
    input: &'a mut dyn Read,
    decoder: Option<Decoder>,
    /// Bytes read and not decoded yet: the start of the input, later the start of a character.
    pending: Vec<u8>,
}

/// An XML declaration is looked for in so many bytes.
const SNIFFED: usize = 1024;

impl<'a> Source<'a> {
    pub(super) fn open(input: &'a mut dyn Read) -> Result<Self, ErrorKind> {
        let mut start = Vec::new();
        while start.len() < SNIFFED && !start.ends_with(b"?>") {
            let room = if is_declaration(&start) {
                SNIFFED - start.len()
            } else {
                SNIFFED
            };
            match read(input, room, &mut start) {
                Ok(0) => break,
                Ok(_) if start.len() >= 6 && !is_declaration(&start) => break,
                Ok(_) => {}
                Err(error) => return Err(ErrorKind::Read(error.into())),
            }
        }
        let (encoding, mark) = encoding_of(&start)?;
        start.drain(..mark);
        Ok(Self {
            input,
            decoder: encoding.map(Encoding::new_decoder_without_bom_handling),
            pending: start,
        })
    }

    /// Appends about `len` bytes of text, sometimes none; `false` at the end.
    pub(super) fn read(&mut self, len: usize, text: &mut Vec<u8>) -> io::Result<bool> {
        let is_end = read(self.input, len, &mut self.pending)? == 0;
        match &mut self.decoder {
            Some(decoder) => {
                decode(decoder, &self.pending, is_end, text);
                self.pending.clear();
            }
            None => self.append_utf8(is_end, text),
        }
        Ok(!is_end)
    }

    fn append_utf8(&mut self, is_end: bool, text: &mut Vec<u8>) {
        let mut rest = self.pending.as_slice();
        loop {
            let Err(error) = std::str::from_utf8(rest) else {
                text.extend_from_slice(rest);
                rest = &[];
                break;
            };
            let (valid, after) = rest.split_at(error.valid_up_to());
            text.extend_from_slice(valid);
            rest = after;
            let invalid = match error.error_len() {
                Some(len) => len,
                None if is_end => after.len(),
                None => break,
            };
            let (invalid, after) = after.split_at(invalid);
            for &byte in invalid {
                let character = char::from(byte);
                text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            rest = after;
        }
        let done = self.pending.len() - rest.len();
        self.pending.drain(..done);
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

/// Appends up to `len` bytes; none at the end.
fn read(input: &mut dyn Read, len: usize, bytes: &mut Vec<u8>) -> io::Result<usize> {
    let start = bytes.len();
    bytes.resize(start + len, 0);
    let read = loop {
        match input.read(&mut bytes[start..]) {
            Err(error) if error.kind() == Interrupted => {}
            result => break result,
        }
    };
    bytes.truncate(start + read.as_ref().copied().unwrap_or(0).min(len));
    read
}

/// What to decode from, if not UTF-8, and the length of a byte order mark.
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
    // The zeros that UTF-16 would have are not there, so it is something else, most likely UTF-8.
    let believed = encoding.filter(|encoding| {
        ![
            encoding_rs::UTF_8,
            encoding_rs::UTF_16LE,
            encoding_rs::UTF_16BE,
        ]
        .contains(encoding)
    });
    Ok((believed, 0))
}

/// Whether a report may begin with this character.
fn is_text(character: u8) -> bool {
    character.is_ascii_graphic() || character.is_ascii_whitespace()
}

/// The encoding that an XML declaration names.
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

/// Whether `start` is, or may become, an XML declaration.
fn is_declaration(start: &[u8]) -> bool {
    const MARK: &[u8] = b"<?xml";
    let len = start.len().min(MARK.len());
    start[..len] == MARK[..len] && memchr::memmem::find(start, b"?>").is_none()
}

/// Whether an encoding that is not known writes ASCII as ASCII, as most do. Then its markup reads the same.
fn writes_ascii(label: &[u8]) -> bool {
    const EXCEPTIONS: [&[u8]; 6] = [b"utf-7", b"utf-32", b"ucs-4", b"ebcdic", b"ibm", b"cp037"];
    let label = label.to_ascii_lowercase();
    let is_in = |family: &&[u8]| memchr::memmem::find(&label, family).is_some();
    !EXCEPTIONS.iter().any(is_in)
}
