//! The same report in the encodings that tools write.

use std::fs;

use crate::{fixtures, message, read, read_in_pieces, read_with_lines};

const REPORT: &str =
    "<?xml version=\"1.0\" encoding=\"ENCODING\"?>\n<coverage line-rate=\"1\"><packages>
<class filename=\"bé.py\"><lines><line number=\"1\" hits=\"1\"/></lines></class>
<class filename=\"bè.py\"><lines><line number=\"1\" hits=\"0\"/></lines></class>
</packages></coverage>\n";

/// Checks two files whose paths differ in one accented letter: 50 % if the reader distinguishes them.
fn assert_reads(xml: &[u8], what: &str) {
    let report = read(xml).unwrap_or_else(|error| panic!("{what}: {error}"));
    let warning = report.warnings.first().map(ToString::to_string);
    let warning = warning.unwrap_or_else(|| panic!("{what}: the two files were treated as one"));
    assert!(warning.contains("1 covered of 2"), "{what}: {warning}");
}

fn declared(encoding: &str) -> String {
    REPORT.replace("ENCODING", encoding)
}

#[test]
fn utf_8_with_and_without_byte_order_mark() {
    assert_reads(declared("UTF-8").as_bytes(), "plain");
    assert_reads(
        format!("\u{FEFF}{}", declared("utf-8")).as_bytes(),
        "marked",
    );
}

#[test]
fn utf_16_of_either_byte_order_with_and_without_mark() {
    for text in [
        declared("UTF-16"),
        format!("\u{FEFF}{}", declared("UTF-16")),
    ] {
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_reads(&little, "little endian");
        assert_reads(&big, "big endian");
    }
}

#[test]
fn every_fixture_reads_the_same_with_any_line_ends_and_as_any_unicode() {
    for path in fixtures() {
        let bytes = fs::read(&path).expect("a fixture");
        let Ok(text) = String::from_utf8(bytes) else {
            continue;
        };
        let text = text.trim_start_matches('\u{FEFF}').replace("\r\n", "\n");
        let expected = read_with_lines(&text).expect("a report");
        for text in [text.clone(), text.replace('\n', "\r\n")] {
            let marked = format!("\u{FEFF}{text}");
            let little = marked.encode_utf16().flat_map(u16::to_le_bytes);
            let big = marked.encode_utf16().flat_map(u16::to_be_bytes);
            for bytes in [
                text.clone().into_bytes(),
                marked.clone().into_bytes(),
                little.clone().collect(),
                little.skip(2).collect(),
                big.clone().collect(),
                big.skip(2).collect::<Vec<u8>>(),
            ] {
                let found = read_with_lines(&bytes).unwrap_or_else(|error| {
                    panic!("{}: {error}: {:?}", path.display(), &bytes[..8])
                });
                assert_eq!(found, expected, "{}: {:?}", path.display(), &bytes[..8]);
            }
        }
    }
}

#[test]
fn the_bytes_override_the_declared_encoding() {
    assert_reads(
        declared("UTF-16").as_bytes(),
        "UTF-8 that says it is UTF-16",
    );
    let text = format!("\u{FEFF}{}", declared("UTF-8"));
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_reads(&little, "UTF-16 that says it is UTF-8");
}

#[test]
fn bytes_that_are_not_utf_8_are_still_read_as_characters() {
    for encoding in ["ISO-8859-1", "windows-1252", "UTF-8", "unheard-of"] {
        let text = declared(encoding);
        let latin1: Vec<u8> = text
            .chars()
            .map(|c| u8::try_from(c).expect("Latin-1"))
            .collect();
        assert_reads(&latin1, encoding);
    }
}

#[test]
fn a_declared_encoding_is_decoded() {
    for (encoding, name) in [
        ("windows-1251", "\u{43f}\u{440}\u{438}"),
        ("Shift_JIS", "\u{8868}\u{793a}"),
        ("GBK", "\u{4e2d}\u{6587}"),
        ("ISO-2022-JP", "\u{65e5}\u{672c}"),
        ("windows-1252", "\u{20ac}"),
    ] {
        let text = declared(encoding).replace(['\u{e9}', '\u{e8}'], name);
        let label = encoding_rs::Encoding::for_label(encoding.as_bytes()).expect("an encoding");
        let (bytes, _, is_lossy) = label.encode(&text);
        assert!(!is_lossy, "{encoding}");
        let report = read(&bytes).unwrap_or_else(|error| panic!("{encoding}: {error}"));
        assert_eq!(report.files[0].path, format!("b{name}.py"), "{encoding}");
    }
}

#[test]
fn a_declared_encoding_is_decoded_also_if_it_comes_in_pieces() {
    let name = "\u{43f}\u{440}\u{438}";
    let text = declared("windows-1251").replace(['\u{e9}', '\u{e8}'], name);
    let (bytes, _, _) = encoding_rs::WINDOWS_1251.encode(&text);
    for size in [1, 6, 40] {
        let report = read_in_pieces(&bytes, size).expect("a report");
        assert_eq!(report.files[0].path, format!("b{name}.py"), "by {size}");
    }
}

#[test]
fn an_encoding_declared_after_a_kilobyte_is_ignored() {
    let declaration = format!(
        "<?xml version='1.0' {} encoding='utf-7'?>",
        " ".repeat(2000)
    );
    let text = format!("{declaration}<coverage line-rate='1'/>");
    assert!(read(&text).is_ok());
    assert!(read_in_pieces(&text, 7).is_ok());
}

#[test]
fn characters_may_be_split_between_reads() {
    for text in [
        declared("UTF-8"),
        declared("UTF-8").replace('é', "\u{10348}"),
    ] {
        let report = read_in_pieces(&text, 1).expect("a report");
        assert_eq!(report.warnings.len(), 1);
    }
}

#[test]
fn encodings_that_do_not_extend_ascii_are_refused_by_name() {
    assert_eq!(
        message(declared("EBCDIC-US")),
        "line 1, byte 0: encoding EBCDIC-US is not supported; save the file as UTF-8"
    );
    let utf32: Vec<u8> = "<a/>"
        .chars()
        .flat_map(|c| u32::from(c).to_be_bytes())
        .collect();
    assert_eq!(
        message(utf32),
        "line 1, byte 0: encoding UTF-32 is not supported; save the file as UTF-8"
    );
}

#[test]
fn xml_1_1_is_read_as_xml() {
    assert!(read("<?xml version=\"1.1\"?><coverage line-rate=\"1\"/>").is_ok());
}

#[test]
fn control_characters_in_names_are_harmless() {
    let xml = "<coverage line-rate='1'><package name='\u{1}\u{1b}\u{FFFF} &#1; &nbsp;'>&foo; & \u{1}</package></coverage>";
    assert!(read(xml).is_ok(), "{}", message(xml));
}
