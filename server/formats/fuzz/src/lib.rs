//! The check that must hold for every input. All targets use it; they differ only in their first inputs.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Read;

use formats::{Coverage, Format, Limits, PhpunitTests, Report, read, read_with_lines};

/// Reads `bytes` in every way, and compares the results.
///
/// # Panics
///
/// If the results differ or violate an invariant.
pub fn check(bytes: &[u8]) {
    let limits = Limits::default();
    let whole = read(bytes, &limits);
    if let Ok(report) = &whole {
        assert_sound(report);
    }
    let in_pieces = read(Pieces(bytes), &limits);
    let with_lines = read_with_lines(bytes, &limits);
    match (&whole, &in_pieces, &with_lines) {
        (Ok(whole), Ok(in_pieces), Ok(with_lines)) => {
            assert_eq!(whole, in_pieces);
            assert_eq!(whole.total, with_lines.total);
            assert_eq!(whole.counters, with_lines.counters);
        }
        (Err(whole), Err(in_pieces), Err(with_lines)) => {
            assert_eq!(whole.to_string(), in_pieces.to_string());
            assert_eq!(whole.to_string(), with_lines.to_string());
        }
        _ => panic!("{whole:?}\nin pieces {in_pieces:?}\nwith lines {with_lines:?}"),
    }
    if let Ok(whole) = &whole {
        assert_whole_or_refused(bytes, whole);
    }
    // Small inputs reach small limits. A report within small limits has the same total as without them.
    if let (Ok(small), Ok(whole)) = (read(bytes, &Limits::for_testing()), &whole) {
        assert_eq!(small.total, whole.total);
    }
    for limits in [limits, Limits::for_testing()] {
        let mut tests = PhpunitTests::new(&limits);
        tests.read("xml/a/B.php.xml", Pieces(bytes));
        let found = tests.finish();
        let mut pairs = found.files.iter().flat_map(|file| &file.tests);
        assert!(pairs.all(|pair| pair.line > 0 && (pair.test as usize) < found.names.len()));
    }
}

/// A report that is cut off is refused, unless the missing text does not matter, such as a comment after its end.
/// Formats of lines have no end marker, so they are not checked.
fn assert_whole_or_refused(bytes: &[u8], whole: &Report) {
    if matches!(whole.format, Format::Lcov | Format::Go) || bytes.is_empty() {
        return;
    }
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    // Three positions that depend on the input.
    for round in 0..3 {
        round.hash(&mut hasher);
        let cut = usize::try_from(hasher.finish() % bytes.len() as u64).unwrap_or(0);
        if let Ok(cut_off) = read(&bytes[..cut], &Limits::default()) {
            assert_eq!(&cut_off, whole, "cut off at {cut}");
        }
    }
}

fn assert_sound(report: &Report) {
    let total = report.total.basis_points();
    assert!(total <= 10_000);
    if let Coverage::Counts(count, _) = report.total {
        assert!(count.total() > 0);
        assert_eq!(total == 10_000, count.covered() == count.total());
        assert_eq!(total == 0, count.covered() == 0);
    }
    let files = report.files.iter().map(|file| &file.counters);
    for counters in files.chain([&report.counters]) {
        for (_, count) in counters.iter() {
            assert!(count.total() > 0 && count.covered() <= count.total());
        }
    }
    for warning in &report.warnings {
        assert!(warning.to_string().len() < 1000);
    }
}

/// An input that returns at most seven bytes for each read.
struct Pieces<'b>(&'b [u8]);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let len = buffer.len().min(7);
        self.0.read(&mut buffer[..len])
    }
}
