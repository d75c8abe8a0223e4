use std::io::{BufReader, Read};

use super::*;
use crate::limits::Limits;

fn lines_of(
    input: &[u8],
    piece: usize,
    limits: &Limits,
) -> Result<Vec<(String, bool)>, ReportError> {
    let mut reader = BufReader::with_capacity(piece, input);
    let mut text = Text::open(Input::open(&mut reader, limits).expect("text"))?;
    let mut lines = Vec::new();
    loop {
        let line = String::from_utf8_lossy(text.line()).into_owned();
        lines.push((line, text.is_terminated));
        if !text.advance()? {
            return Ok(lines);
        }
    }
}

fn lines(input: &str) -> Vec<(String, bool)> {
    lines_of(input.as_bytes(), 4096, &Limits::default()).expect("lines")
}

fn line(text: &str, is_terminated: bool) -> (String, bool) {
    (text.to_owned(), is_terminated)
}

#[test]
fn lines_are_trimmed() {
    let expected = [
        line("a", true),
        line("b c", true),
        line("", true),
        line("d", false),
    ];
    assert_eq!(lines("a\n  b c\t\n\nd"), expected);
    assert_eq!(lines("a\r\nb c\r\n\r\nd"), expected);
}

#[test]
fn the_last_line_tells_whether_it_has_an_end() {
    assert_eq!(lines("a\nb\n"), [line("a", true), line("b", true)]);
    assert_eq!(lines("a\nb"), [line("a", true), line("b", false)]);
    assert_eq!(lines("a\nb\r"), [line("a", true), line("b", false)]);
}

#[test]
fn lines_are_the_same_wherever_the_input_is_split() {
    let input = "é1\r\n22 \u{1F600}\n\n333\nlast";
    for piece in 1..=input.len() {
        let lines = lines_of(input.as_bytes(), piece, &Limits::default());
        assert_eq!(lines.expect("lines").len(), 5, "by {piece}");
    }
    for before in 32 * 1024 - input.len()..=32 * 1024 {
        let input = format!("{}\n{input}", " ".repeat(before));
        let lines = lines(&input);
        assert_eq!(lines.len(), 6, "after {before}");
        assert_eq!(lines[2], line("22 \u{1F600}", true));
    }
}

#[test]
fn utf_16_is_text() {
    let text = "\u{FEFF}TN:\r\nSF:é.js\r\n";
    let expected = [line("TN:", true), line("SF:é.js", true)];
    for text in [text, &text[3..]] {
        let units = || text.encode_utf16();
        let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
        for bytes in [little, big] {
            let lines = lines_of(&bytes, 3, &Limits::default());
            assert_eq!(lines.expect("lines"), expected);
        }
    }
}

#[test]
fn a_line_may_be_as_long_as_the_limit_and_no_longer() {
    let limits = Limits::for_testing();
    for filler in ["x", "é", " "] {
        for end in ["", "\n", "\nmore\n"] {
            for piece in [7, 4096] {
                let input = |len: usize| format!("a\n{}{end}", filler.repeat(len / filler.len()));
                let outcome = |len| lines_of(input(len).as_bytes(), piece, &limits);
                assert!(outcome(1024).is_ok());
                let error = outcome(1026).expect_err("too long");
                assert!(
                    matches!(error.kind(), ErrorKind::TokenTooLong(1024)),
                    "{error}"
                );
                assert_eq!(error.position().line, 2);
            }
        }
    }
}

#[test]
fn an_endless_line_is_refused_early() {
    let mut input = "TN:".as_bytes().chain(std::io::repeat(b'1').take(1 << 20));
    let limits = Limits::for_testing();
    let input = Input::open(&mut input, &limits).expect("text");
    let error = Text::open(input).err().expect("too long");
    assert!(
        matches!(error.kind(), ErrorKind::TokenTooLong(1024)),
        "{error}"
    );
}

#[test]
fn errors_name_the_line_and_the_record() {
    let mut input = "SF:a.c\nb\nc".as_bytes();
    let limits = Limits::default();
    let mut text = Text::open(Input::open(&mut input, &limits).expect("text")).expect("a line");
    text.record = Some(shown(text.line()));
    text.advance().expect("a line");
    assert_eq!(
        text.malformed("DA").to_string(),
        "line 2, byte 7, in SF:a.c: expected DA, found \"b\""
    );
    while text.advance().expect("a line") {}
    assert_eq!(
        text.cut_off("end_of_record").to_string(),
        "line 3, byte 10, in SF:a.c: expected end_of_record, but the file ends"
    );
    text.record = None;
    assert_eq!(
        text.cut_off("a line").to_string(),
        "line 3, byte 10: expected a line, but the file ends"
    );
}
