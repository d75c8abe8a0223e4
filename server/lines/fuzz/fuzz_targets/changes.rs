//! Reads any bytes as a diff, in pieces and whole, and as stored changes, and carries lines forward through it.

#![no_main]

use lines::{ChangedFile, Changes, ChangesParser, FileLines, Line, Lines, Moves};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = Changes::decode(bytes);
    let frame = zstd::bulk::compress(bytes, 1).expect("a frame");
    let checksum = crc32fast::hash(&frame).to_le_bytes();
    let blob: [&[u8]; 3] = [b"CVC\x01", &checksum, &frame];
    if let Ok(changes) = Changes::decode(&blob.concat()) {
        let again = changes.encode().expect("within the limits");
        assert_eq!(Changes::decode(&again), Ok(changes));
    }

    let mut whole = ChangesParser::default();
    let read = whole.feed(bytes).and_then(|()| whole.finish());
    let mut pieces = ChangesParser::default();
    let fed = bytes.chunks(3).try_for_each(|piece| pieces.feed(piece));
    assert_eq!(fed.and_then(|()| pieces.finish()), read);

    let Ok(changes) = read else { return };
    let blob = changes.encode().expect("within the limits");
    assert_eq!(Changes::decode(&blob).as_ref(), Ok(&changes));
    assert_eq!(changes.measured(&Lines::default()).counts().coverable(), 0);
    for file in changes.files() {
        let _ = file.is_consistent();
        for hunk in &file.hunks {
            assert!(hunk.new.lines == 0 || old_line(file, hunk.new.first).is_none());
        }
    }

    // A line that is carried forward has the old number that the hunks state.
    let mut before = Lines::default();
    for file in changes.files() {
        if let Some(old) = file.old_path.as_deref() {
            let lines = (1..=20).map(|number| (Line::new(number, 1, false), None));
            before.add(old, FileLines::from_iter(lines));
        }
    }
    for (path, lines) in before.clone().moved(&Moves::of(&changes)).files() {
        let mut named = changes.files().iter();
        let change = named
            .find(|file| file.path.as_deref() == Some(path))
            .expect("a change");
        let old = change.old_path.as_deref().expect("a path before");
        for line in lines.lines() {
            let number = old_line(change, line.number()).expect("an unchanged line");
            assert!(
                before
                    .get(old)
                    .is_some_and(|file| file.state(number).is_some())
            );
        }
    }
});

/// The line in the base of an unchanged line in the measured tree. `None` if the line is new.
fn old_line(file: &ChangedFile, line: u32) -> Option<u32> {
    let before = file.hunks.partition_point(|hunk| hunk.new.first <= line);
    let Some(last) = before.checked_sub(1).map(|index| file.hunks[index]) else {
        return Some(line);
    };
    if line < last.new.end() {
        return None;
    }
    Some((line - last.new.end()).saturating_add(last.old.end()))
}
