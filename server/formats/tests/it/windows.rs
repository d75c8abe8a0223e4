//! Reports longer than the read window: tokens cross its ends.

use std::io::{self, Read};

use formats::{Limits, Report, ReportError};

use crate::writers::random::Random;
use crate::writers::{Odd, Oddity, WRITERS, Writer};
use crate::{read, read_with_lines};

/// The length of a window.
const WINDOW: usize = 32 * 1024;

/// The same program, several windows long, in usual and in unusual spellings.
fn reports(writer: &Writer) -> Vec<Vec<u8>> {
    reports_of(writer, 7 * WINDOW / 2)
}

fn reports_of(writer: &Writer, bytes: usize) -> Vec<Vec<u8>> {
    let model = writer.model_of_size(bytes, 100);
    let odds = [
        Odd::none(),
        Odd::all(1).without(Oddity::Utf16),
        Odd::all(2).without(Oddity::Utf16),
        Odd::all(3),
    ];
    odds.map(|odd| writer.write(&model, odd)).into()
}

/// The number of cuts for each report, half of them at the end of a window. A hundred times as many were tried once.
const CUTS: usize = 100;

#[test]
fn a_long_coverage_file_cut_off_anywhere_is_refused() {
    let random = &mut Random::new(7);
    for writer in WRITERS {
        for whole in reports(writer) {
            assert!(whole.len() > 3 * WINDOW, "{}", writer.name);
            assert!(read(&whole).is_ok(), "{}", writer.name);
            for _ in 0..CUTS / 2 {
                let near_end = WINDOW * (1 + random.index(3)) + random.index(120);
                for cut in [random.index(whole.len()), near_end.saturating_sub(60)] {
                    let cut = cut.min(whole.len() - 1);
                    let is_whole = writer.is_whole(&decoded(&whole[..cut]));
                    let outcome = read(&whole[..cut]);
                    assert_eq!(outcome.is_ok(), is_whole, "{} cut at {cut}", writer.name);
                }
            }
        }
    }
}

#[test]
fn a_long_coverage_file_in_pieces_of_any_size_reads_the_same() {
    for writer in WRITERS {
        for bytes in reports(writer) {
            let whole = read_with_lines(&bytes).expect("a report");
            for size in [7, 4096, WINDOW] {
                let same = in_pieces(&bytes, || size).expect("a report");
                assert!(same == whole, "{} by {size}", writer.name);
            }
            let random = &mut Random::new(5);
            let same = in_pieces(&bytes, || 1 + random.index(3 * WINDOW)).expect("a report");
            assert!(same == whole, "{} by random sizes", writer.name);
        }
    }
}

#[test]
fn a_coverage_file_byte_by_byte_reads_the_same() {
    for writer in WRITERS {
        for bytes in reports_of(writer, WINDOW) {
            let whole = read_with_lines(&bytes).expect("a report");
            let same = in_pieces(&bytes, || 1).expect("a report");
            assert!(same == whole, "{}", writer.name);
        }
    }
}

/// A report that is cut off is refused with the same message, wherever windows end.
#[test]
fn an_error_does_not_depend_on_the_size_of_pieces() {
    let random = &mut Random::new(11);
    for writer in WRITERS {
        for bytes in reports(writer) {
            for _ in 0..6 {
                let cut = &bytes[..random.index(bytes.len())];
                let message = |outcome: Result<_, ReportError>| match outcome {
                    Ok(_) => "a complete report".to_owned(),
                    Err(error) => error.to_string(),
                };
                let whole = message(read_with_lines(cut));
                for size in [61, 4096, WINDOW + 1] {
                    let same = message(in_pieces(cut, || size));
                    assert_eq!(same, whole, "{} by {size}", writer.name);
                }
            }
        }
    }
}

/// Tries every distance from the start of a token to the end of a window.
#[test]
fn a_long_coverage_file_reads_the_same_wherever_windows_end() {
    for writer in WRITERS {
        let model = writer.model_of_size(3 * WINDOW / 2, 100);
        let text = writer.text(&model, Odd::none());
        assert!(text.len() > WINDOW, "{}", writer.name);
        let whole = read_with_lines(&text).expect("a report");
        for distance in 0..200 {
            let mut first = WINDOW - distance;
            let pieces = || std::mem::replace(&mut first, WINDOW);
            let same = in_pieces(text.as_bytes(), pieces).expect("a report");
            assert!(same == whole, "{} by {distance}", writer.name);
        }
    }
}

#[test]
fn white_space_before_json_of_several_windows_changes_nothing() {
    let numbers = "1, ".repeat(WINDOW);
    let json = format!(
        "{{\"numbers\": [{numbers}1], \"RSpec\": {{\"coverage\": {{\"/a.rb\": [1, 0]}}}}}}"
    );
    let report = read(&json).expect("a report");
    assert_eq!(report.total.basis_points(), 5000);
    for blank in [" ", "\r\n\t\n", &"\n".repeat(WINDOW)] {
        let same = read(format!("{blank}{json}")).expect("a report");
        assert!(same == report, "{} bytes", blank.len());
    }
}

/// The text of a report's bytes.
fn decoded(bytes: &[u8]) -> String {
    let (text, _, _) = encoding_rs::UTF_8.decode(bytes);
    text.into_owned()
}

fn in_pieces(bytes: &[u8], size: impl FnMut() -> usize) -> Result<Report, ReportError> {
    formats::read_with_lines(Pieces { bytes, size }, &Limits::default())
}

/// Returns at most this many bytes at once.
struct Pieces<'a, S> {
    bytes: &'a [u8],
    size: S,
}

impl<S: FnMut() -> usize> Read for Pieces<'_, S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = (self.size)().min(buffer.len());
        self.bytes.read(&mut buffer[..len])
    }
}
