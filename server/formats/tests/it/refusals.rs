//! Input that is not a coverage report, and its error messages.

use std::io::{self, BufReader, Read};

use formats::{ErrorKind, Format, Limits};

use crate::{fixture, message, read};

/// The end of every message about an unknown format.
fn accepted() -> String {
    let titles: Vec<_> = Format::ALL.iter().map(|format| format.title()).collect();
    let (last, others) = titles.split_last().expect("a format");
    format!("accepted are {} and {last}", others.join(", "))
}

#[test]
fn an_unknown_root_is_named_with_the_accepted_formats() {
    assert_eq!(
        message("<?xml version='1.0'?>\n<hello/>"),
        format!(
            "line 2, byte 22: root element <hello> is not a coverage report of a known format; {}",
            accepted()
        )
    );
}

#[test]
fn an_unknown_root_is_named_also_if_it_has_children() {
    for xml in ["<hello><world/></hello>", "<hello></hello>"] {
        let message = message(xml);
        assert!(
            message.starts_with("line 1, byte 0: root element <hello> is not"),
            "{message}"
        );
    }
}

#[test]
fn well_known_kinds_of_xml_are_named() {
    assert_eq!(
        message("<testsuites><testsuite/></testsuites>"),
        format!(
            "line 1, byte 0: root element <testsuites> is a JUnit test result; {}",
            accepted()
        )
    );
    for (xml, what) in [
        ("<mutations/>", "PIT"),
        ("<plist/>", "Xcode"),
        ("<phpunit bootstrap='a.php'/>", "a configuration of PHPUnit"),
        ("<PartCoverReport/>", "PartCover"),
        ("<statements/>", "scoverage"),
        ("<ctc_xml_report/>", "CTC++ by ctcpost"),
        ("<testExecutions version='1'/>", "SonarQube"),
        ("<crap_result/>", "Crap4J"),
        ("<project/>", "Maven"),
        ("<!DOCTYPE html>\n<html lang=en>", "web page"),
    ] {
        assert!(message(xml).contains(what), "{}", message(xml));
    }
}

#[test]
fn a_coverage_element_without_marks_of_a_format_is_refused() {
    for xml in [
        "<coverage/>",
        "<coverage version='2'/>",
        "<coverage><file path='a'><lineToCover/></file></coverage>",
        "<coverage><method/></coverage>",
        "<results/>",
        "<results><result/></results>",
        "<Root><Statement/></Root>",
        "<root CoveredStatements='1' TotalStatements='1'/>",
        "<report><row/></report>",
        "<report version='1'/>",
        "<coverage><strange/><packages-of-things/></coverage>",
    ] {
        let error = read(xml).expect_err(xml);
        assert!(matches!(error.kind(), ErrorKind::Unknown { .. }), "{error}");
    }
}

#[test]
fn several_roots_in_one_file_add_up() {
    let one = "<report name='a'><counter type='LINE' missed='1' covered='2'/></report>";
    let other = "<report name='b'><counter type='LINE' missed='0' covered='1'/></report>";
    let report = read(format!("<reports>{one}{other}</reports>")).expect("reports");
    assert_eq!(report.total.basis_points(), 7500);
    assert!(message(format!("<reports>{one}<row/></reports>")).contains("root element <row>"));
    let mixed = format!("<reports>{one}<coverage line-rate='1'/></reports>");
    assert!(message(mixed).contains("expected another report of JaCoCo, found one of Cobertura"));
}

#[test]
fn an_empty_input_is_an_empty_file() {
    for xml in ["", " ", "\n", "\u{FEFF}", "\r\n\r\n"] {
        assert!(
            message(xml).ends_with("the file is empty"),
            "{xml:?}: {}",
            message(xml)
        );
    }
}

#[test]
fn a_file_with_only_a_prologue_is_truncated() {
    for xml in [
        "<?xml version='1.0'?>",
        "<!-- nothing -->",
        "<!DOCTYPE report>",
        "<",
        "<coverage ",
    ] {
        assert!(
            message(xml).ends_with("expected a root element, but the file ends"),
            "{}",
            message(xml)
        );
    }
}

#[test]
fn well_known_kinds_of_text_are_named() {
    for (text, found) in [
        ("{\"coverage\": 1}", "JSON"),
        ("{}", "JSON without any members"),
        (" [[1], 2]\n", "JSON without any members"),
        (
            "{\"result\": {\"line\": 90.9, \"branch\": 66.66}}",
            "a summary of SimpleCov (.resultset.json next to it has the lines)",
        ),
        (
            "{\"result\": [{\"scriptId\": \"1\", \"functions\": []}]}",
            "coverage in the format of V8 (c8 creates a report from it)",
        ),
        (
            "{\"/a.js\": {\"lineData\": [null, 1]}}",
            "a report of JSCover",
        ),
        (
            "{\"scripts\": {\"coverage\": \"nyc\"}, \"jest\": {\"coverage\": {\"lines\": 80}}}",
            "JSON",
        ),
        (
            "{\"root\": \".\", \"files\": [{\"filename\": \"a.c\", \"line_total\": 4}], \"gcovr/summary_format_version\": \"0.6\"}",
            "a summary of gcovr, which has no lines (`gcovr --cobertura` or `gcovr --lcov` writes a report)",
        ),
        (
            "{\"gcovr/summary_format_version\": \"0.5\", \"line_percent\": 90.0, \"root\": \".\"}",
            "a summary of gcovr, which has no lines (`gcovr --cobertura` or `gcovr --lcov` writes a report)",
        ),
        (
            "{\"files\": [{\"path\": [\"/\", \"src\"], \"traces\": [{\"line\": 1}]}]}",
            "JSON of tarpaulin (`--out Xml` or `--out Lcov` writes a report)",
        ),
        (
            "GROUP,PACKAGE,CLASS,INSTRUCTION_MISSED\n",
            "a table of JaCoCo, which has no lines (its XML report has them)",
        ),
        (
            "Name    Stmts   Miss  Cover\n---\n",
            "the table that `coverage report` prints (`coverage xml` or `coverage lcov` writes a report)",
        ),
        ("PK\u{3}\u{4}", "a zip archive"),
        ("hello", "\"hello\""),
    ] {
        assert_eq!(
            message(text),
            format!(
                "line 1, byte 0: found {found}, which is not a coverage report of a known format; {}",
                accepted()
            )
        );
    }
    assert!(read([0xFF, 0xD8, 0xFF]).is_err());
    assert!(read("<![CDATA[x]]>").is_err());
    assert!(read("&lt;").is_err());
}

#[test]
fn binary_data_with_zeros_is_shown_byte_by_byte() {
    for (bytes, shown) in [
        (b"\x01\0\x02\0", "found \"\\u{1}\\0\\u{2}\\0\""),
        (b"\0\x01\0\x02", "found \"\\0\\u{1}\\0\\u{2}\""),
    ] {
        let message = message(bytes);
        assert!(message.contains(shown), "{message}");
    }
}

#[test]
fn every_form_of_doctype_is_skipped() {
    for doctype in [
        "<!DOCTYPE coverage>",
        "<!doctype  coverage SYSTEM 'http://nowhere.invalid/coverage-04.dtd'>",
        "<!-- before --><!DOCTYPE coverage PUBLIC \"-//X//Y\" \"z.dtd\"><!-- after -->",
        "<?xml-stylesheet href='a'?><!DOCTYPE coverage [<!ELEMENT coverage ANY> <!-- > ' -->]>",
    ] {
        let xml = format!("{doctype}<coverage line-rate='1'/>");
        assert!(read(&xml).is_ok(), "{}", message(&xml));
    }
}

#[test]
fn unknown_markup_is_refused_as_such_and_not_as_a_cut_off_file() {
    assert_eq!(
        message("<coverage line-rate='1'><!strange></coverage>"),
        "cobertura: line 1, byte 24, in <coverage>: expected well-formed XML, \
         found <! that begins neither comment, CDATA nor DOCTYPE"
    );
    let cut_off = message("<coverage line-rate='1'><![CDAT");
    assert!(cut_off.ends_with("the file ends"), "{cut_off}");
}

#[test]
fn a_doctype_that_declares_entities_is_refused() {
    let laughs = "<!DOCTYPE coverage [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]>\
                  <coverage line-rate=\"&b;\"/>";
    let message = "line 1, byte 0: the DOCTYPE declares an ENTITY, which is not accepted";
    assert_eq!(crate::message(laughs), message);
    let hidden: Vec<u8> = laughs.encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(crate::message(hidden), message);
    let late = "<coverage line-rate='1'><!DOCTYPE a [<!ENTITY % b SYSTEM 'file:///c'>]></coverage>";
    assert!(crate::message(late).ends_with("which is not accepted"));
}

#[test]
fn elements_that_do_not_close_in_order_are_refused() {
    assert_eq!(
        message("<coverage line-rate='1'>\n<packages>\n</coverage>"),
        "cobertura: line 3, byte 36, in <packages>: expected </packages>, found </coverage>"
    );
    assert_eq!(
        message("</coverage>"),
        "line 1, byte 0: expected a root element, found </coverage>"
    );
}

#[test]
fn unquoted_attributes_are_refused_if_they_are_needed() {
    assert_eq!(
        message("<coverage line-rate=1></coverage>"),
        "line 1, byte 0, in <coverage>: expected line-rate=\"…\", found a value without quotes"
    );
    assert!(read("<coverage line-rate='1'><any thing=1/></coverage>").is_ok());
}

#[test]
fn content_after_the_root_is_refused_unless_empty() {
    let root = "<coverage line-rate='1'/>";
    for rest in ["", "\n \n", "<!-- end -->\n", "<?end?>"] {
        assert!(read(format!("{root}{rest}")).is_ok(), "{rest}");
    }
    for rest in [
        "x",
        "<coverage/>",
        "</coverage>",
        "\0",
        "&amp;",
        "<!-- ",
        "<![CDATA[]]>",
    ] {
        assert!(read(format!("{root}{rest}")).is_err(), "{rest}");
    }
}

#[test]
fn a_comment_cut_off_after_the_root_is_named_so() {
    assert_eq!(
        message("<coverage line-rate='1'/><!-- "),
        "cobertura: line 1, byte 30: expected the end of the markup after the root element, but the file ends"
    );
}

#[test]
fn content_after_the_json_is_refused_unless_empty() {
    let json = "{\"coverage\": {\"/a.rb\": [1, 0]}}";
    for rest in ["", "\n", " \r\n\t "] {
        assert!(read(format!("{json}{rest}")).is_ok(), "{rest:?}");
    }
    for rest in ["x", "\n{}", "}", ",", "\0", "1"] {
        assert!(read(format!("{json}{rest}")).is_err(), "{rest:?}");
    }
}

#[test]
fn names_in_messages_are_short_and_harmless() {
    let message = message(format!("<a\u{1b}[31m{}/>", "b".repeat(200)));
    assert!(message.contains("<a\\u{1b}[31m"), "{message}");
    let (about_it, _accepted) = message.split_once(';').expect("two parts");
    assert!(about_it.len() < 150, "{message}");
}

#[test]
fn no_message_contains_a_control_character_of_the_file() {
    for name in [
        "cobertura/nyc.xml",
        "istanbul/nyc.json",
        "lcov/nyc.info",
        "go/merged.out",
    ] {
        let whole = fixture(name);
        for at in 0..whole.len() {
            for spoilt in [0, 0x07, 0x1B, 0x7F, 0x85] {
                let mut report = whole.clone();
                report[at] = spoilt;
                if let Err(error) = read(&report) {
                    let message = error.to_string();
                    assert!(
                        !message.contains(char::is_control),
                        "{name}, {at}: {message:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn an_io_error_is_not_reported_as_a_damaged_file() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::new(io::ErrorKind::TimedOut, "the disk is gone"))
        }
    }
    for start in ["", "<cov", "<coverage line-rate='1'><packages>"] {
        let input = BufReader::new(start.as_bytes().chain(Broken));
        let error = formats::read(input, &Limits::default()).expect_err("broken");
        let ErrorKind::Read(cause) = error.kind() else {
            panic!("{error}");
        };
        assert_eq!(cause.kind(), io::ErrorKind::TimedOut);
        assert!(std::error::Error::source(&error).is_some());
    }
}

#[test]
fn an_interrupted_read_is_repeated() {
    struct Interrupted<'b>(&'b [u8], bool);
    impl Read for Interrupted<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let len = buffer.len().min(16);
            self.0.read(&mut buffer[..len])
        }
    }
    let whole = fixture("cobertura/nyc.xml");
    let report = formats::read(Interrupted(&whole, false), &Limits::default()).expect("a report");
    assert_eq!(report, read(&whole).expect("a report"));
}
