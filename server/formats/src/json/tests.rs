use std::io::{BufReader, Read};

use super::*;
use crate::error::ErrorKind;
use crate::format::Format;

/// Returns all tokens with their texts. The input is read in pieces.
fn tokens_of(input: &[u8], piece: usize, limits: &Limits) -> Result<Vec<String>, ReportError> {
    let mut reader = BufReader::with_capacity(piece, input);
    let mut json = Json::open(Input::open(&mut reader, limits).expect("text"), limits);
    let mut tokens = Vec::new();
    loop {
        match json.next()? {
            Token::End => return Ok(tokens),
            token @ (Token::Key | Token::String | Token::Number) => {
                tokens.push(format!("{token:?} {}", json.text));
            }
            token => tokens.push(format!("{token:?}")),
        }
    }
}

fn tokens(text: &str) -> Result<Vec<String>, ReportError> {
    tokens_of(text.as_bytes(), 4096, &Limits::default())
}

fn message(text: &str) -> String {
    match tokens(text) {
        Ok(tokens) => format!("accepted: {tokens:?}"),
        Err(error) => error.to_string(),
    }
}

/// Applies `read` to `text`.
fn read<T>(
    text: &str,
    read: impl FnOnce(&mut Json<'_>) -> Result<T, ReportError>,
) -> Result<T, ReportError> {
    let (mut bytes, limits) = (text.as_bytes(), Limits::default());
    let mut json = Json::open(Input::open(&mut bytes, &limits).expect("text"), &limits);
    read(&mut json)
}

const DOCUMENT: &str = r#"{"a b": [1, -2.5e+10, 0, true, false, null, {}, []],
  "caf\u00e9 \ud83d\ude00\n\\": "\"\/\b\f\t\r", "é": {"c": "😀"},"last":12345678901234567890123}"#;

#[test]
fn tokens_are_the_same_wherever_the_input_is_split() {
    let expected = [
        "Object",
        "Key a b",
        "Array",
        "Number 1",
        "Number -2.5e+10",
        "Number 0",
        "True",
        "False",
        "Null",
        "Object",
        "ObjectEnd",
        "Array",
        "ArrayEnd",
        "ArrayEnd",
        "Key caf\u{e9} \u{1F600}\n\\",
        "String \"/\u{8}\u{c}\t\r",
        "Key \u{e9}",
        "Object",
        "Key c",
        "String \u{1F600}",
        "ObjectEnd",
        "Key last",
        "Number 12345678901234567890123",
        "ObjectEnd",
    ];
    for piece in 1..=DOCUMENT.len() {
        let tokens = tokens_of(DOCUMENT.as_bytes(), piece, &Limits::default());
        assert_eq!(tokens.expect("JSON"), expected, "by {piece}");
    }
}

#[test]
fn tokens_are_the_same_wherever_a_window_ends() {
    // A window has 32 KiB. The document crosses its end at every possible position.
    for before in 32 * 1024 - DOCUMENT.len()..=32 * 1024 {
        let text = format!("[{}{DOCUMENT}]", " ".repeat(before - 1));
        let tokens = tokens(&text).expect("JSON");
        assert_eq!(tokens.len(), 26, "after {before}");
    }
}

#[test]
fn json_cut_off_at_any_byte_is_named_so() {
    for cut in 1..DOCUMENT.len() {
        for piece in [1, 4096] {
            let outcome = tokens_of(&DOCUMENT.as_bytes()[..cut], piece, &Limits::default());
            let error = outcome.expect_err("cut off");
            let is_cut_off = matches!(error.kind(), ErrorKind::CutOff { .. });
            // Part of a character is read as another character.
            let is_half = !DOCUMENT.is_char_boundary(cut);
            assert!(is_cut_off || is_half, "at {cut}: {error}");
        }
    }
    assert_eq!(
        message("{\"a\": [1,\n"),
        "line 2, byte 10: expected the end of the JSON, but the file ends"
    );
}

#[test]
fn invalid_json_is_refused_at_its_position() {
    for (text, expected) in [
        (
            "{\"a\": 1 x",
            "byte 8: expected JSON, found Unexpected char: 'x'",
        ),
        ("[1, nul]", "byte 4: expected JSON, found null expected"),
        ("[NaN]", "byte 1: expected JSON, found Unexpected char: 'N'"),
        (
            "[1,\n ]",
            "line 2, byte 5: expected JSON, found Trailing commas are not allowed",
        ),
        (
            "{\"a\" 1}",
            "byte 5: expected JSON, found Object keys must be strings",
        ),
        ("[01]", "byte 2: expected JSON"),
        ("[\"\\x\"]", "byte 1: expected JSON"),
        ("[\"a\nb\"]", "byte 1: expected JSON"),
        ("{\"a\": 1]", "byte 7: expected JSON"),
        ("{} x", "byte 3: expected JSON"),
        ("{}{}", "byte 2: expected JSON"),
        ("{}\n[]", "line 2, byte 3: expected JSON"),
        ("{}\0", "byte 2: expected JSON"),
    ] {
        assert!(
            message(text).contains(expected),
            "{text}: {}",
            message(text)
        );
    }
    assert!(tokens("{} \r\n\t ").is_ok());
}

#[test]
fn utf_8_with_a_mark_and_utf_16_are_json() {
    let expected = tokens(DOCUMENT).expect("JSON");
    let with_mark = format!("\u{FEFF}{DOCUMENT}");
    assert_eq!(tokens(&with_mark).expect("JSON"), expected);
    for text in [DOCUMENT, &with_mark] {
        let units = || text.encode_utf16();
        let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
        for bytes in [little, big] {
            for piece in [1, 3, 4096] {
                let tokens = tokens_of(&bytes, piece, &Limits::default());
                assert_eq!(tokens.expect("JSON"), expected);
            }
        }
    }
}

#[test]
fn white_space_of_any_length_takes_no_memory() {
    let limits = Limits::for_testing();
    for blank in [" ", "\n", "\r\n", "\r", "\t"] {
        let blank = blank.repeat(100_000);
        let text = format!("{{{blank}\"a\"{blank}:{blank}1{blank},{blank}\"b\":2{blank}}}{blank}");
        let mut reader = text.as_bytes();
        let mut json = Json::open(Input::open(&mut reader, &limits).expect("text"), &limits);
        let mut most = 0;
        while json.next().expect("JSON") != Token::End {
            most = most.max(json.input.rest().len());
        }
        assert!(most <= 64 * 1024, "{most} bytes kept");
    }
}

#[test]
fn a_token_may_be_as_long_as_the_limit_and_no_longer() {
    let limits = Limits::for_testing();
    for (before, after) in [("[\"", "\"]"), ("{\"", "\":0}"), ("[1", "]"), ("[1.", "]")] {
        let text = |len| format!("{before}{}{after}", "1".repeat(len));
        for piece in [7, 100_000] {
            let outcome = |len| tokens_of(text(len).as_bytes(), piece, &limits);
            assert!(outcome(1000).is_ok(), "{before}");
            let error = outcome(1100).expect_err(before);
            assert!(
                matches!(error.kind(), ErrorKind::TokenTooLong(1024)),
                "{error}"
            );
        }
    }
}

#[test]
fn an_endless_token_is_refused_early() {
    for start in ["[\"", "{\"", "[1", "[-0."] {
        let mut input = start.as_bytes().chain(std::io::repeat(b'1').take(1 << 20));
        let limits = Limits::for_testing();
        let mut json = Json::open(Input::open(&mut input, &limits).expect("text"), &limits);
        let error = loop {
            if let Err(error) = json.next() {
                break error;
            }
        };
        assert!(
            matches!(error.kind(), ErrorKind::TokenTooLong(1024)),
            "{error}"
        );
    }
}

#[test]
fn keys_around_keys_are_bounded_together() {
    let key = "k".repeat(300);
    let nested = |depth: usize| {
        let open = format!("{{\"{key}\":").repeat(depth);
        format!("{open}1{}", "}".repeat(depth))
    };
    fn descend(json: &mut Json<'_>) -> Result<(), ReportError> {
        if json.is_object()? {
            json.members(descend)
        } else {
            json.skip()
        }
    }
    let limits = Limits::for_testing();
    for (depth, is_accepted) in [(3, true), (4, false)] {
        let text = nested(depth);
        let mut bytes = text.as_bytes();
        let mut json = Json::open(Input::open(&mut bytes, &limits).expect("text"), &limits);
        assert_eq!(descend(&mut json).is_ok(), is_accepted);
    }
}

#[test]
fn objects_and_arrays_nest_to_the_limit_and_no_deeper() {
    let limits = Limits::for_testing();
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let nested = |depth: usize| format!("{}1{}", open.repeat(depth), close.repeat(depth));
        assert!(tokens_of(nested(16).as_bytes(), 4096, &limits).is_ok());
        let error = tokens_of(nested(17).as_bytes(), 4096, &limits).expect_err("too deep");
        assert!(matches!(error.kind(), ErrorKind::TooDeep(16)), "{error}");
        let offset = (open.len() * 16) as u64;
        assert_eq!(error.position().offset, offset, "{error}");
    }
    assert!(tokens(&"[".repeat(1_000_000)).is_err());
}

#[test]
fn members_and_items_are_read_one_at_a_time() {
    let mut seen = Vec::new();
    let text = r#"{"a": {"b": 1, "c": [2, "x", {"d": 3}]}, "e": null, "f": 4}"#;
    let outcome = read(text, |json| {
        json.members(|json| {
            seen.push(json.key().to_owned());
            match json.key() {
                "a" => json.members(|json| {
                    seen.push(json.key().to_owned());
                    json.skip()
                }),
                "e" => json.items(|json, _| json.skip()),
                _ => json.integer::<u64>().map(|number| {
                    seen.push(format!("{number:?}"));
                }),
            }?;
            seen.push(format!("/{}", json.key()));
            Ok(())
        })?;
        json.finish()
    });
    outcome.expect("JSON");
    assert_eq!(seen, ["a", "b", "c", "/a", "e", "/e", "f", "Some(4)", "/f"]);
}

#[test]
fn values_of_another_type_are_none() {
    let mut numbers = Vec::new();
    let text = r#"[1, -1, 1.5, "2", null, {"a": [1]}, [], true, 99999999999999999999]"#;
    let outcome = read(text, |json| {
        json.items(|json, _| {
            numbers.push(json.integer::<u32>()?);
            Ok(())
        })
    });
    outcome.expect("JSON");
    let mut expected = [None; 9];
    expected[0] = Some(1);
    assert_eq!(numbers, expected);
    let text = read("[1]", |json| Ok(json.string()?.is_none()));
    assert!(text.expect("JSON"));
}

#[test]
fn hits_and_flags_are_read_however_tools_write_them() {
    for (text, expected) in [
        ("3", Some(3)),
        ("1.8446744073709552e+19", Some(1)),
        ("18446744073709551616", Some(u64::MAX)),
        ("-1", Some(0)),
        ("null", None),
        ("\"ignored\"", None),
    ] {
        assert_eq!(
            read(text, |json| json.hits()).expect("JSON"),
            expected,
            "{text}"
        );
    }
    for (text, expected) in [("true", true), ("1", true), ("false", false), ("0", false)] {
        assert_eq!(
            read(text, |json| json.is_so()).expect("JSON"),
            expected,
            "{text}"
        );
    }
}

#[test]
fn errors_name_the_innermost_member_and_the_place_of_the_token() {
    let text = "{\"files\": {\n  \"a.c\" :\n [7]}}";
    let outcome = read(text, |json| {
        json.members(|json| json.members(|json| json.members(|json| json.skip())))
    });
    assert_eq!(
        outcome.expect_err("an array").to_string(),
        "line 3, byte 23, in \"a.c\": expected an object, found an array"
    );
    let outcome = read("{\"a\": {}, \"b\": {}}", |json| {
        json.members(|json| json.items(|json, _| json.skip()))
    });
    assert_eq!(
        outcome.expect_err("an object").to_string(),
        "line 1, byte 6, in \"a\": expected an array, found an object"
    );
}

#[test]
fn a_preview_sees_the_first_keys_and_takes_nothing() {
    let text = r#"[{"a": [{"b": {"c": {"d": 1}}}], "e": {}, "f": 2}]"#;
    let mut seen = Vec::new();
    let again = read(text, |json| {
        let seen = std::cell::RefCell::new(&mut seen);
        let format = json.preview(|keys| {
            seen.borrow_mut().push(keys.join("."));
            None
        })?;
        assert_eq!(format, None);
        let mut again = Vec::new();
        loop {
            match json.next()? {
                Token::End => return Ok(again),
                token => again.push(format!("{token:?}")),
            }
        }
    });
    assert_eq!(seen, ["a", "a.[", "a.b", "a.b.c", "e", "e.{}", "f"]);
    let tokens = tokens(text).expect("JSON");
    assert_eq!(again.expect("JSON").len(), tokens.len());
}

#[test]
fn a_preview_ends_with_the_first_claim_and_is_bounded() {
    let text = "{\"a\": 1, \"b\": oops";
    let format = read(text, |json| {
        json.preview(|keys| (keys == ["a"]).then_some(Format::ALL[0]))
    });
    assert_eq!(format.expect("recognised"), Some(Format::ALL[0]));
    let text = format!("[{}\"\"]", "\"text\", ".repeat(1 << 20));
    let most = read(&text, |json| {
        json.preview(|_| None)?;
        Ok(json.input.rest().len())
    });
    assert!(most.expect("JSON") < 2 << 20);
}

#[test]
fn previewed_input_is_read_again_over_many_windows() {
    let numbers = "1, ".repeat(100_000);
    let text = format!("{{\"a\": [{numbers}2],\n\"b\": [{numbers}2],\n \"c\": oops}}");
    let outcome = read(&text, |json| {
        let format = json.preview(|keys| (keys == ["b"]).then_some(Format::ALL[0]))?;
        assert_eq!(format, Some(Format::ALL[0]));
        let mut items = 0;
        let outcome = json.members(|json| {
            json.items(|json, _| {
                items += 1;
                json.skip()
            })
        });
        assert_eq!(items, 200_002);
        outcome
    });
    let error = outcome.expect_err("oops");
    let offset = text.find("oops").expect("oops") as u64;
    assert_eq!(
        (error.position().line, error.position().offset),
        (3, offset)
    );
}
