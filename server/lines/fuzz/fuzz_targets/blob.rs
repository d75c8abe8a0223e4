//! Decodes any bytes: as a blob, and as the columns of a blob with the right frame and checksum.

#![no_main]

use lines::{Limits, Lines, NamedBranches, TestSets};

/// Limits that a few files reach.
const SMALL: Limits = Limits {
    lines: 1000,
    files: 400,
    path_bytes: 8192,
    branch_names: 500,
    unpacked_bytes: 4096,
};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let limits = SMALL;
    let _ = Lines::decode(bytes, &limits);
    let _ = NamedBranches::decode(bytes, &limits);
    let _ = TestSets::decode(bytes, &limits);

    let frame = zstd::bulk::compress(bytes, 1).expect("a frame");
    let checksum = crc32fast::hash(&frame).to_le_bytes();
    let branches = [b"CVB\x01", &checksum[..], &frame].concat();
    if let Ok(branches) = NamedBranches::decode(&branches, &limits) {
        let again = branches
            .encode(&Limits::default())
            .expect("within the limits");
        assert_eq!(
            NamedBranches::decode(&again, &Limits::default()),
            Ok(branches)
        );
    }
    let tests = [b"CVT\x01", &checksum[..], &frame].concat();
    if let Ok(tests) = TestSets::decode(&tests, &limits) {
        let again = tests.encode(&Limits::default()).expect("within the limits");
        assert_eq!(
            TestSets::decode(&again, &Limits::default()).as_ref(),
            Ok(&tests)
        );
        assert_eq!(tests.clone().united(tests.clone(), &limits), Ok(tests));
    }
    let blob: [&[u8]; 3] = [b"CVL\x01", &checksum, &frame];
    let Ok(lines) = Lines::decode(&blob.concat(), &limits) else {
        return;
    };
    // Decoded lines are encoded to the same lines, and a union with themselves changes nothing.
    let again = lines.encode(&limits).expect("within the limits");
    assert_eq!(Lines::decode(&again, &limits).as_ref(), Ok(&lines));
    assert_eq!(
        lines.clone().united(lines.clone(), &limits),
        Ok(lines.clone())
    );
    let counts = lines.counts();
    assert!(counts.covered() <= counts.coverable());
});
