//! Reports that ask for too much.

use std::io::{self, BufRead, Read};

use report::{ErrorKind, Limits, Report, ReportError, Warning};

fn read(xml: impl AsRef<[u8]>) -> Result<Report, ReportError> {
    report::read(xml.as_ref(), &Limits::for_testing())
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
        "cobertura: line 1, byte 69, in <a>: it is nested deeper than 16"
    );
}

#[test]
fn the_default_depth_does_not_exhaust_the_stack() {
    let groups = |depth| {
        format!(
            "<report>{}{}</report>",
            "<group>".repeat(depth),
            "</group>".repeat(depth)
        )
    };
    assert!(report::read(groups(127).as_bytes(), &Limits::default()).is_ok());
    assert!(report::read("<group>".repeat(1_000_000).as_bytes(), &Limits::default()).is_err());
    assert!(report::read(groups(100_000).as_bytes(), &Limits::default()).is_err());
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
fn a_token_without_end_is_given_up_early() {
    struct Endless(u64);
    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            buffer.fill(b'a');
            Ok(buffer.len())
        }
    }
    impl BufRead for Endless {
        fn fill_buf(&mut self) -> io::Result<&[u8]> {
            assert!(self.0 < 100_000, "read on and on");
            Ok(&[b'a'; 4096])
        }
        fn consume(&mut self, amount: usize) {
            self.0 += amount as u64;
        }
    }
    for start in ["<", "<!--", "<coverage a='", "<?", "<!DOCTYPE [<!"] {
        let input = start.as_bytes().chain(Endless(0));
        let error = report::read(input, &Limits::for_testing()).expect_err(start);
        assert!(
            matches!(error.kind(), ErrorKind::TokenTooLong(1024)),
            "{start}: {error}"
        );
    }
}

#[test]
fn names_of_elements_are_short() {
    let name = "n".repeat(65);
    let error = read(format!("<coverage line-rate='1'><{name}/></coverage>")).expect_err("long");
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
fn too_many_lines_are_refused_only_if_no_total_is_stated() {
    assert!(read(far_apart("", 32)).is_ok());
    let error = read(far_apart("", 128)).expect_err("too many");
    assert_eq!(
        error.to_string(),
        "cobertura: line 1, byte 0: no total is stated, and the files are too many to add up within 4096 bytes"
    );
    let report = read(far_apart("lines-covered='1' lines-valid='2'", 128)).expect("stated");
    assert_eq!(report.total.basis_points(), 5000);
    assert_eq!(report.files, []);
    assert_eq!(report.warnings, [Warning::TooManyFiles]);
}
