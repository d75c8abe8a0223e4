//! Reports that exceed limits.

use std::io::{self, BufRead, Read};
use std::iter;

use formats::{ErrorKind, Limits, Report, ReportError, Warning};

fn read(xml: impl AsRef<[u8]>) -> Result<Report, ReportError> {
    formats::read(xml.as_ref(), &Limits::for_testing())
}

fn nested(depth: usize) -> String {
    let (open, close) = ("<a>".repeat(depth - 1), "</a>".repeat(depth - 1));
    format!("<coverage line-rate='1'>{open}{close}</coverage>")
}

#[test]
fn elements_may_nest_to_the_limit_and_no_deeper() {
    assert!(read(nested(16)).is_ok());
    let error = read(nested(17)).expect_err("too deep");
    assert_eq!(
        error.to_string(),
        "cobertura: line 1, byte 69, in <a>: the content is nested deeper than 16 levels"
    );
}

/// Uses the maximum depth of the server's setting, and the stack size of the server's threads.
#[test]
fn no_depth_that_the_server_allows_exhausts_the_stack() {
    const DEPTH: usize = 1024;
    for (start, open, close, end) in [
        ("<coverage line-rate='1'>", "<a>", "</a>", "</coverage>"),
        ("<report>", "<group name='a'>", "</group>", "</report>"),
        (
            "<coverage clover='1'><project>",
            "<package>",
            "</package>",
            "</project></coverage>",
        ),
        (
            "<phpunit><project>",
            "<directory name='a'>",
            "</directory>",
            "</project></phpunit>",
        ),
        (
            "<BullseyeCoverage>",
            "<folder name='a'>",
            "</folder>",
            "</BullseyeCoverage>",
        ),
        (
            "<coverage ctcreportVersion='1'>",
            "<a>",
            "</a>",
            "</coverage>",
        ),
        (
            "<CoverageSession>",
            "<Class>",
            "</Class>",
            "</CoverageSession>",
        ),
        (
            "<results><modules>",
            "<functions>",
            "</functions>",
            "</modules></results>",
        ),
        (
            "<CoverageDSPriv><Module>",
            "<Class>",
            "</Class>",
            "</Module></CoverageDSPriv>",
        ),
        (
            "<Root CoveragePercent='1'>",
            "<Type Name='a'>",
            "</Type>",
            "</Root>",
        ),
        (
            "<coverage profilerVersion='1'><module>",
            "<class>",
            "</class>",
            "</module></coverage>",
        ),
        (
            "<scoverage>",
            "<class name='a'>",
            "</class>",
            "</scoverage>",
        ),
        (
            "<scoverage>",
            "<method name='a'>",
            "</method>",
            "</scoverage>",
        ),
        (
            "{\"a\": {\"fnMap\": {}, \"data\": ",
            "{\"data\": ",
            "}",
            "}}",
        ),
    ] {
        let (used, innermost) = match start.matches('<').count() {
            0 => (2, "null"),
            elements => (elements, ""),
        };
        let (opened, closed) = (open.repeat(DEPTH - used), close.repeat(DEPTH - used));
        let report = format!("{start}{opened}{innermost}{closed}{end}");
        let thread = std::thread::Builder::new().stack_size(2 << 20);
        let limits = Limits {
            depth: DEPTH,
            ..Limits::default()
        };
        let read = thread.spawn(move || formats::read(report.as_bytes(), &limits).map(|_| ()));
        let read = read.expect("a thread").join().expect("no panic");
        assert!(read.is_ok(), "{start}: {read:?}");
    }
    let endless = "<report>".to_owned() + &"<group>".repeat(1_000_000);
    assert!(formats::read(endless.as_bytes(), &Limits::default()).is_err());
}

#[test]
fn a_token_may_be_as_long_as_the_limit_and_no_longer() {
    for (before, after) in [
        ("<coverage line-rate='1'><a b='", "'/></coverage>"),
        ("<coverage line-rate='1'><!--", "--></coverage>"),
        ("<coverage line-rate='1'><![CDATA[", "]]></coverage>"),
        ("<coverage line-rate='1'><?", "?></coverage>"),
        ("<!DOCTYPE coverage SYSTEM '", "'><coverage line-rate='1'/>"),
    ] {
        for filler in ["x", "é", " "] {
            let with = |count| format!("{before}{}{after}", filler.repeat(count));
            assert!(read(with(900 / filler.len())).is_ok(), "{before}");
            let error = read(with(1100 / filler.len())).expect_err(before);
            assert!(
                matches!(error.kind(), ErrorKind::TokenTooLong(1024)),
                "{error}"
            );
        }
    }
}

#[test]
fn an_endless_token_is_refused_early() {
    struct Endless(u64);
    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            buffer.fill(b'a');
            Ok(buffer.len())
        }
    }
    impl BufRead for Endless {
        fn fill_buf(&mut self) -> io::Result<&[u8]> {
            assert!(self.0 < 100_000, "did not stop reading");
            Ok(&[b'a'; 4096])
        }
        fn consume(&mut self, amount: usize) {
            self.0 += amount as u64;
        }
    }
    for start in ["<", "<!--", "<coverage a='", "<?", "<!DOCTYPE [<!"] {
        let input = start.as_bytes().chain(Endless(0));
        let error = formats::read(input, &Limits::for_testing()).expect_err(start);
        assert!(
            matches!(error.kind(), ErrorKind::TokenTooLong(1024)),
            "{start}: {error}"
        );
    }
}

#[test]
fn names_of_elements_are_short() {
    let with = |len| format!("<coverage line-rate='1'><{}/></coverage>", "n".repeat(len));
    assert!(read(with(64)).is_ok());
    let error = read(with(65)).expect_err("long");
    assert!(
        matches!(error.kind(), ErrorKind::NameTooLong(64)),
        "{error}"
    );
}

fn far_apart(root: &str, lines: u32) -> String {
    let lines: String = (0..lines)
        .map(|line| format!("<line number='{}' hits='1'/>", line * 64))
        .collect();
    format!(
        "<coverage {root}><packages/><class filename='a'><lines>{lines}</lines></class></coverage>"
    )
}

#[test]
fn text_may_be_of_any_length() {
    for filler in ["x", " "] {
        let text = filler.repeat(200_000);
        let xml = format!("<coverage line-rate='1'>{text}</coverage>");
        assert!(read(xml).is_ok(), "{filler:?}");
    }
}

#[test]
fn text_that_is_used_may_be_as_long_as_the_limit_and_no_longer() {
    let half = "x".repeat(512);
    for half in [format!("<![CDATA[{half}]]>"), half] {
        let with = |times| {
            let name = format!("<Name>{}</Name>", half.repeat(times));
            read(format!(
                "<CoverageSession><Method>{name}</Method></CoverageSession>"
            ))
        };
        assert!(with(2).is_ok());
        let error = with(3).expect_err("too long");
        assert!(
            matches!(error.kind(), ErrorKind::TokenTooLong(1024)),
            "{error}"
        );
    }
}

#[test]
fn too_many_lines_are_refused_only_without_a_stated_total() {
    assert!(read(far_apart("", 32)).is_ok());
    let error = read(far_apart("", 256)).expect_err("too many");
    assert_eq!(
        error.to_string(),
        "cobertura: line 1, byte 0: no total is stated, and the files are too many to add up within 4096 bytes"
    );
    let report = read(far_apart("lines-covered='1' lines-valid='2'", 256)).expect("stated");
    assert_eq!(report.total.basis_points(), 5000);
    assert_eq!(report.files, []);
    assert_eq!(report.warnings, [Warning::TooManyFiles]);
}

#[test]
fn objects_may_nest_to_the_limit_and_no_deeper() {
    let nested = |depth: usize| {
        let (open, close) = ("{\"data\":".repeat(depth - 3), "}".repeat(depth - 3));
        format!("{{\"a.js\": {{\"fnMap\": {{}}, \"data\": {open}{{}}{close}}}}}")
    };
    assert!(read(nested(16)).is_ok());
    let error = read(nested(17)).expect_err("too deep");
    assert!(matches!(error.kind(), ErrorKind::TooDeep(16)), "{error}");
    assert!(formats::read(nested(128).as_bytes(), &Limits::default()).is_ok());
    assert!(formats::read(nested(100_000).as_bytes(), &Limits::default()).is_err());
    assert!(formats::read("[".repeat(1_000_000).as_bytes(), &Limits::default()).is_err());
}

#[test]
fn a_line_of_text_may_be_as_long_as_the_limit_and_no_longer() {
    let with = |len| format!("TN:\nSF:{}\nDA:1,1\nend_of_record\n", "a".repeat(len));
    assert!(read(with(1000)).is_ok());
    let error = read(with(1100)).expect_err("too long");
    assert_eq!(
        error.to_string(),
        "lcov: line 2, byte 4: a tag, text or line is longer than 1024 bytes"
    );
}

#[test]
fn records_beyond_the_memory_limit_are_refused_without_a_total() {
    let lcov: String = (0..100)
        .map(|file| format!("SF:{file}\nDA:1,1\nend_of_record\n"))
        .collect();
    let go: String = (0..100)
        .map(|line| format!("a.go:{line}.1,{line}.9 1 1\n"))
        .collect();
    for text in [lcov, go] {
        let error = read(text).expect_err("too many");
        assert!(
            matches!(error.kind(), ErrorKind::TooManyFiles(4096)),
            "{error}"
        );
    }
    let files: String = (0..100)
        .map(|file| format!("\"{file}\": {{\"lines\": {{\"total\": 2, \"covered\": 1}}}},"))
        .collect();
    let total = "\"total\": {\"lines\": {\"total\": 4, \"covered\": 3, \"pct\": 75}}";
    let report = read(format!("{{{files} {total}}}")).expect("stated");
    assert_eq!(report.total.basis_points(), 7500);
    assert_eq!(report.warnings, [Warning::TooManyFiles]);
}

/// Many copies of a piece between a start and an end, generated while they are read.
fn repeated<'a>(start: &'a str, piece: &'a str, times: u64, end: &'a str) -> impl Read + 'a {
    let pieces = (0..times).map(move |_| piece.as_bytes());
    let all = iter::once(start.as_bytes()).chain(pieces);
    Pieces(all.chain(iter::once(end.as_bytes())), &[])
}

struct Pieces<'a, I>(I, &'a [u8]);

impl<'a, I: Iterator<Item = &'a [u8]>> Read for Pieces<'a, I> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.1.is_empty() {
            match self.0.next() {
                Some(piece) => self.1 = piece,
                None => return Ok(0),
            }
        }
        self.1.read(buffer)
    }
}

#[test]
fn white_space_in_json_is_not_kept_in_memory() {
    let space = " ".repeat(1 << 16);
    // White space after the recognised start costs nothing. Input that is not recognised within a mebibyte is not read to
    // its end.
    let input = repeated("{\"a.js\": {\"fnMap\": {}", &space, 100, "}}");
    assert!(formats::read(input, &Limits::for_testing()).is_ok());
    let mut input = repeated("{", &space, 1_000, "}");
    assert!(formats::read(&mut input, &Limits::for_testing()).is_err());
    let mut rest = Vec::new();
    input.read_to_end(&mut rest).expect("the rest");
    assert!(rest.len() > 60 << 20, "{} left", rest.len());
}

#[test]
fn many_roots_in_one_file_count_lines_only_once() {
    let comment = format!("<!--{}-->", "\n".repeat(600_000));
    let reports = "<report name='b'/>\n".repeat(20_000);
    let start = format!("<reports><report name='a'/>{comment}{reports}");
    let error = formats::read(format!("{start}<row/>").as_bytes(), &Limits::default());
    let position = error.expect_err("no report").position();
    assert_eq!(
        (position.line, position.offset),
        (620_001, start.len() as u64)
    );
}

#[test]
fn the_search_through_root_attributes_is_bounded() {
    let attributes = "a='' ".repeat(200_000);
    let children = "<b/>".repeat(20_000);
    let root = format!("<coverage {attributes}>{children}");
    let read = |child| {
        formats::read(
            format!("{root}{child}</coverage>").as_bytes(),
            &Limits::default(),
        )
    };
    assert!(read("").is_err());
    assert!(read("<packages/>").is_ok());
}

#[test]
fn a_root_attribute_decides_only_if_it_is_among_the_first_64() {
    let read = |before: usize| {
        let namespaces: String = (0..before)
            .map(|number| format!("xmlns:ns{number}='urn:{number}' "))
            .collect();
        let xml = format!("<coverage {namespaces}line-rate='0.75'/>");
        formats::read(xml.as_bytes(), &Limits::default())
    };
    let report = read(63).expect("a report");
    assert_eq!(report.total.basis_points(), 7500);
    let error = read(64).expect_err("no attribute of a format");
    assert!(matches!(error.kind(), ErrorKind::Unknown { .. }), "{error}");
}

#[test]
fn each_further_root_in_one_file_costs_no_more_than_the_first() {
    let files: String = (0..50_000)
        .map(|file| format!("<sourcefile name='{file}'><line nr='1' ci='1'/></sourcefile>"))
        .collect();
    let others = "<report name='b'><package/></report>".repeat(20_000);
    let xml = format!("<reports><report><package>{files}</package></report>{others}</reports>");
    let report = formats::read(xml.as_bytes(), &Limits::default()).expect("reports");
    assert_eq!(report.files.len(), 50_000);
}

#[test]
fn dropped_files_are_not_replaced_by_another_counter() {
    let files: String = (0..100)
        .map(|file| {
            format!("<class><counter type='LINE' covered='9' missed='0'/></class><sourcefile name='{file}'><line nr='1' ci='1' mi='0'/></sourcefile>")
        })
        .collect();
    let total = "<counter type='INSTRUCTION' covered='1' missed='9'/>";
    let error = read(format!(
        "<report><package>{files}</package>{total}</report>"
    ));
    let error = error.expect_err("lines are the total, and were dropped");
    assert!(
        matches!(error.kind(), ErrorKind::TooManyFiles(4096)),
        "{error}"
    );
}

#[test]
fn a_tag_with_many_attributes_is_read_like_any_other() {
    let attributes = "a='' ".repeat(10_000);
    let line = format!("<line {attributes} number='1' hits='1'/>");
    let class = format!("<class filename='a'><lines>{line}</lines></class>");
    let xml = format!("<coverage line-rate='1'>{class}</coverage>");
    let report = formats::read(xml.as_bytes(), &Limits::default()).expect("a report");
    assert_eq!(report.counters.iter().count(), 1);
}

#[test]
fn lines_listed_only_by_methods_count_up_to_the_memory_limit() {
    let lines: String = (1..=70_000)
        .map(|line| format!("<line number='{line}' hits='1'/>"))
        .collect();
    let method = format!("<method name='f'><lines>{lines}</lines></method>");
    let class = format!("<class filename='a'><methods>{method}</methods></class>");
    let xml = format!("<coverage><packages>{class}</packages></coverage>");
    let report = formats::read(xml.as_bytes(), &Limits::default()).expect("a report");
    let count = report.counters.get(formats::Counter::Line);
    assert_eq!(count, formats::Count::new(70_000, 70_000));
    let error = read(xml).expect_err("too many");
    assert!(
        matches!(error.kind(), ErrorKind::TooManyFiles(4096)),
        "{error}"
    );
}
