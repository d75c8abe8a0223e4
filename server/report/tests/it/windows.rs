//! Reports longer than the window that they are read in: tokens lie across its ends.

use std::io::{self, Read};

use report::{Limits, Report, ReportError};

use crate::writers::random::Random;
use crate::writers::{Odd, Oddity, Writer, writers};
use crate::{read, read_with_lines};

/// The length of a window.
const WINDOW: usize = 32 * 1024;

/// The same program of several windows in the usual spelling and in odd ones.
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

/// Cuts for each report, half of them where a window ends. A hundred times as many have been tried.
const CUTS: usize = 300;

#[test]
fn a_long_report_cut_off_anywhere_is_refused() {
    let random = &mut Random::new(7);
    for writer in writers() {
        for whole in reports(writer) {
            assert!(whole.len() > 3 * WINDOW, "{}", writer.format);
            assert!(read(&whole).is_ok(), "{}", writer.format);
            for _ in 0..CUTS / 2 {
                let near_end = WINDOW * (1 + random.index(3)) + random.index(120);
                for cut in [random.index(whole.len()), near_end.saturating_sub(60)] {
                    let cut = cut.min(whole.len() - 1);
                    let outcome = read(&whole[..cut]);
                    assert!(outcome.is_err(), "{} cut at {cut}", writer.format);
                }
            }
        }
    }
}

#[test]
fn a_long_report_in_pieces_of_any_size_reads_the_same() {
    for writer in writers() {
        for bytes in reports(writer) {
            let whole = read_with_lines(&bytes).expect("a report");
            for size in [7, 4096, WINDOW] {
                let same = in_pieces(&bytes, || size).expect("a report");
                assert!(same == whole, "{} by {size}", writer.format);
            }
            let random = &mut Random::new(5);
            let same = in_pieces(&bytes, || 1 + random.index(3 * WINDOW)).expect("a report");
            assert!(same == whole, "{} by random sizes", writer.format);
        }
    }
}

#[test]
fn a_report_byte_by_byte_reads_the_same() {
    for writer in writers() {
        for bytes in reports_of(writer, WINDOW) {
            let whole = read_with_lines(&bytes).expect("a report");
            let same = in_pieces(&bytes, || 1).expect("a report");
            assert!(same == whole, "{}", writer.format);
        }
    }
}

/// A cut report is refused with the same words, wherever windows end.
#[test]
fn an_error_does_not_depend_on_the_size_of_pieces() {
    let random = &mut Random::new(11);
    for writer in writers() {
        for bytes in reports(writer) {
            for _ in 0..20 {
                let cut = &bytes[..random.index(bytes.len())];
                let whole = read_with_lines(cut).expect_err("cut off").to_string();
                for size in [61, 4096, WINDOW + 1] {
                    let error = in_pieces(cut, || size).expect_err("cut off");
                    assert_eq!(error.to_string(), whole, "{} by {size}", writer.format);
                }
            }
        }
    }
}

/// Every distance from the start of a token to the end of a window.
#[test]
fn a_long_report_reads_the_same_wherever_windows_end() {
    for writer in writers() {
        let model = writer.model_of_size(3 * WINDOW / 2, 100);
        let text = writer.text(&model, Odd::none());
        assert!(text.len() > WINDOW, "{}", writer.format);
        let whole = read_with_lines(&text).expect("a report");
        for distance in 0..200 {
            let mut first = WINDOW - distance;
            let pieces = || std::mem::replace(&mut first, WINDOW);
            let same = in_pieces(text.as_bytes(), pieces).expect("a report");
            assert!(same == whole, "{} by {distance}", writer.format);
        }
    }
}

fn in_pieces(bytes: &[u8], size: impl FnMut() -> usize) -> Result<Report, ReportError> {
    report::read_with_lines(Pieces { bytes, size }, &Limits::default())
}

/// Gives at most so many bytes at once.
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
