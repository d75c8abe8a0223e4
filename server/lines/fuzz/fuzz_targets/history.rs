//! Decodes any bytes as the history of some lines, and as the counts of a history: as a blob, and in the right frame.

#![no_main]

use lines::{FileLines, History, Limits, Line, Lines, OriginCounts};

/// Limits that a few files reach.
const SMALL: Limits = Limits {
    lines: 1000,
    files: 400,
    path_bytes: 8192,
    branch_names: 500,
    unpacked_bytes: 4096,
};

/// The first byte says how many files and lines there are.
fn lines(byte: u8) -> Lines {
    let mut lines = Lines::default();
    for file in 0..byte % 4 {
        let numbers = 1..=u32::from(byte / 4);
        let of_file = numbers.map(|number| (Line::new(number, u64::from(number % 3), false), None));
        lines.add(file.to_string(), FileLines::from_iter(of_file));
    }
    lines
}

fn blob(head: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let frame = zstd::bulk::compress(body, 1).expect("a frame");
    let checksum = crc32fast::hash(&frame).to_le_bytes();
    [&head[..], &checksum, &frame].concat()
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let limits = SMALL;
    let (&first, bytes) = bytes.split_first().unwrap_or((&0, &[]));
    let lines = lines(first);
    let _ = History::decode(bytes, &lines, &limits);
    let _ = OriginCounts::decode(bytes, &limits);

    // What is decoded is encoded to the same. Each line has a history, and counts once.
    if let Ok(history) = History::decode(&blob(b"CVH\x01", bytes), &lines, &limits) {
        let all = history.files(&lines).flat_map(|(_, _, of_file)| of_file);
        assert_eq!(
            all.count(),
            lines.files().map(|(_, file)| file.lines().len()).sum()
        );
        let again = history.encode(&lines, &Limits::default()).expect("small");
        assert_eq!(
            History::decode(&again, &lines, &Limits::default()),
            Ok(history.clone())
        );
        let counts = history.counts(&lines);
        let counted = counts.files().flat_map(|(_, counts)| counts);
        let counted: u64 = counted.map(|count| u64::from(count.coverable)).sum();
        assert_eq!(counted, lines.counts().coverable());
    }
    if let Ok(counts) = OriginCounts::decode(&blob(b"CVO\x01", bytes), &limits) {
        let again = counts.encode(&Limits::default()).expect("small");
        assert_eq!(OriginCounts::decode(&again, &Limits::default()), Ok(counts));
    }
});
