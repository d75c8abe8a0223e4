//! Encoded lines: damage, limits and size.

use lines::{Branches, DecodeError, FileLines, Limits, Line, Lines, TooLarge};

/// Limits that a few files reach.
const SMALL: Limits = Limits {
    lines: 1000,
    files: 400,
    path_bytes: 8192,
    branch_names: 500,
    unpacked_bytes: 4096,
};

/// A part with an example of everything.
fn sample() -> Lines {
    let mut lines = Lines::default();
    for index in 0..20 {
        let file = (1..100).filter(|number| number % 7 > 1).map(|number| {
            let is_partial = number % 11 == 0;
            let branches = match number % 3 {
                0 => Branches::named(1, 2, [number % 3]),
                1 => Branches::all_named([number % 5, 700], [number % 5 + 1, 100_000]),
                _ => Branches::unnamed(3, 4),
            };
            let line = Line::new(number, u64::from(number % 5), is_partial);
            (line, branches.filter(|_| is_partial))
        });
        lines.add(format!("src/deep/module_{index}.rs"), file.collect());
    }
    lines
}

fn one_line(number: u32) -> FileLines {
    FileLines::from_iter([(Line::new(number, 1, false), None)])
}

#[test]
fn any_changed_byte_is_an_error() {
    let limits = Limits::default();
    let blob = sample().encode(&limits).expect("few lines");
    for index in 0..blob.len() {
        for bit in 0..8 {
            let mut damaged = blob.clone();
            damaged[index] ^= 1 << bit;
            let result = Lines::decode(&damaged, &limits);
            assert!(result.is_err(), "bit {bit} of byte {index}");
        }
    }
}

#[test]
fn a_cut_or_longer_blob_is_an_error() {
    let limits = Limits::default();
    let blob = sample().encode(&limits).expect("few lines");
    for end in 0..blob.len() {
        assert!(Lines::decode(&blob[..end], &limits).is_err(), "{end} bytes");
    }
    let longer = [&blob[..], &[0]].concat();
    assert_eq!(Lines::decode(&longer, &limits), Err(DecodeError::Damaged));
}

#[test]
fn a_union_with_names_of_several_schemes_is_read_as_it_was_written() {
    let part = |scheme: u32| {
        let names = (0..64).map(|name| name << Branches::SCHEME_BITS | scheme);
        let line = (Line::new(1, 1, true), Branches::named(1, 100, names));
        let mut lines = Lines::default();
        lines.add("a", FileLines::from_iter([line]));
        lines
    };
    let limits = Limits::default();
    let union = part(0)
        .united(part(1), &limits)
        .and_then(|union| union.united(part(2), &limits));
    let union = union.expect("few lines");
    let blob = union.encode(&limits).expect("few lines");
    assert_eq!(Lines::decode(&blob, &limits), Ok(union));
}

/// `a`: lines 1 to 4 are missed, partial, hit, partial. Line 2 took one of two branches and missed 16, line 4 has no numbers.
const VERSION_1: [u8; 12] = [1, 0, 1, b'a', 4, 0b10_11_10_01, 7, 255, 1, 2, 1, 1];

#[test]
fn lines_of_version_1_name_only_missed_branches() {
    let limits = Limits::default();
    let columns = [&VERSION_1[..], &[16, 0]].concat();
    let frame = zstd::bulk::compress(&columns, 3).expect("a frame");
    let checksum = crc32fast::hash(&frame).to_le_bytes();
    let blob = [&b"CVL\x01"[..], &checksum, &frame].concat();
    let mut expected = Lines::default();
    expected.add(
        "a",
        FileLines::from_iter([
            (Line::new(1, 0, false), None),
            (Line::new(2, 7, true), Branches::named(1, 2, [16])),
            (Line::new(3, 255, false), None),
            (Line::new(4, 1, true), None),
        ]),
    );
    assert_eq!(Lines::decode(&blob, &limits), Ok(expected));
}

#[test]
fn names_of_taken_branches_cost_less_than_half_a_byte_a_line() {
    let limits = Limits::default();
    let with = |branches: fn(u32) -> Option<Branches>| {
        let mut lines = Lines::default();
        for index in 0..200 {
            let file = (1..=200_u32).map(|number| {
                let is_partial = (number * 7 + index) % 15 == 0;
                let line = Line::new(number, u64::from(number % 7), is_partial);
                (line, branches(number).filter(|_| is_partial))
            });
            lines.add(format!("src/module_{index}.rs"), file.collect());
        }
        lines.encode(&limits).expect("few lines").len()
    };
    let missed = with(|number| Branches::named(1, 2, [(number % 2) << 4]));
    let all = with(|number| Branches::all_named([(number % 2) << 4], [((number + 1) % 2) << 4]));
    assert!(all < missed + 200 * 200 / 2, "{missed} and {all} bytes");
}

#[test]
fn another_version_is_named_as_such() {
    let limits = Limits::default();
    let mut blob = sample().encode(&limits).expect("few lines");
    blob[3] = 3;
    assert_eq!(Lines::decode(&blob, &limits), Err(DecodeError::Unknown));
    assert_eq!(Lines::decode(b"", &limits), Err(DecodeError::Unknown));
}

#[test]
fn lines_beyond_the_limits_are_neither_encoded_nor_decoded() {
    let (large, small) = (Limits::default(), SMALL);
    let mut many_lines = Lines::default();
    many_lines.add(
        "a",
        (1..=1001)
            .map(|number| (Line::new(number, 1, false), None))
            .collect(),
    );
    let mut a_high_line = Lines::default();
    a_high_line.add("a", one_line(100_000));
    let mut long_paths = Lines::default();
    for index in 0..100 {
        long_paths.add(format!("{index:3}{}", "a".repeat(50)), one_line(1));
    }
    let mut shared_beginnings = Lines::default();
    for index in 0..100 {
        shared_beginnings.add(format!("{}{index:3}", "a".repeat(100)), one_line(1));
    }
    let mut many_files = Lines::default();
    for index in 0..401 {
        many_files.add(format!("{index}"), one_line(1));
    }
    let mut many_names = Lines::default();
    let names = |of: u32| (0..60).map(move |name| of + name);
    let partial = (1..10).map(|number| {
        let branches = Branches::named(1, 100, names(number));
        (Line::new(number, 1, true), branches)
    });
    many_names.add("a", partial.collect());
    for lines in [
        many_lines,
        a_high_line,
        long_paths,
        shared_beginnings,
        many_files,
        many_names,
    ] {
        assert_eq!(lines.encode(&small), Err(TooLarge));
        let blob = lines.encode(&large).expect("within the default limits");
        assert_eq!(Lines::decode(&blob, &small), Err(TooLarge.into()));
    }
}

#[test]
fn a_union_beyond_the_limit_is_refused() {
    let part = |first: u32| {
        let mut lines = Lines::default();
        lines.add(
            "a",
            (first..first + 600)
                .map(|number| (Line::new(number, 1, false), None))
                .collect(),
        );
        lines
    };
    let limits = SMALL;
    assert_eq!(part(1).united(part(601), &limits), Err(TooLarge));
    assert!(part(1).united(part(1), &limits).is_ok());
}

#[test]
fn a_union_is_refused_for_the_bytes_of_its_paths() {
    let part = |name: &str| {
        let mut lines = Lines::default();
        for index in 0..50 {
            lines.add(format!("{}{name}{index:2}", "a".repeat(100)), one_line(1));
        }
        lines
    };
    let limits = SMALL;
    assert_eq!(part("x").united(part("y"), &limits), Err(TooLarge));
    assert!(part("x").united(part("x"), &limits).is_ok());
}

#[test]
fn new_names_of_files_are_refused_before_they_exceed_the_limits() {
    let mut lines = Lines::default();
    for index in 0..100 {
        lines.add(format!("{index:2}"), one_line(1));
    }
    let limits = SMALL;
    let below = |folder: &str| {
        let rename = |path: Box<str>| format!("{folder}{path}").into();
        lines.clone().renamed(&limits, rename)
    };
    assert_eq!(below(&"a".repeat(100)), Err(TooLarge));
    let short = below("b/").expect("short paths");
    assert!(short.get("b/99").is_some());
}

/// Stores a zstd frame of `body` as a blob.
fn blob_of(body: &[u8]) -> Vec<u8> {
    let frame = zstd::bulk::compress(body, 19).expect("a frame");
    let checksum = crc32fast::hash(&frame).to_le_bytes();
    [b"CVL\x01", &checksum[..], &frame].concat()
}

#[test]
fn a_small_blob_of_paths_that_grow_is_refused() {
    // Each path is the previous path and one more letter: 100,000 of them have 5 GB.
    let number = 100_000_u32;
    let leb = |mut number: u32, body: &mut Vec<u8>| {
        while number >= 0x80 {
            body.push(number as u8 | 0x80);
            number >>= 7;
        }
        body.push(number as u8);
    };
    let mut body = Vec::new();
    leb(number, &mut body);
    for shared in 0..number {
        leb(shared, &mut body);
        body.extend([1, b'a']);
    }
    body.extend(vec![0; number as usize]);
    let blob = blob_of(&body);
    let decoded = Lines::decode(&blob, &Limits::default());
    assert_eq!(decoded, Err(TooLarge.into()));
}

#[test]
fn files_with_the_highest_line_are_bounded_by_their_sum() {
    let mut lines = Lines::default();
    for index in 0..30 {
        lines.add(index.to_string(), one_line(10_000_000));
    }
    assert_eq!(lines.encode(&Limits::default()), Err(TooLarge));
}

#[test]
fn a_million_lines_of_one_file_and_200_000_files_are_within_the_limits() {
    let limits = Limits::default();
    let mut lines = Lines::default();
    lines.add(
        "long.c",
        (1..=1_000_000)
            .map(|number| (Line::new(number, u64::from(number % 3), false), None))
            .collect(),
    );
    for index in 0..200_000 {
        lines.add(
            format!("packages/some-package-{}/src/{index}.ts", index / 100),
            one_line(40),
        );
    }
    let blob = lines.encode(&limits).expect("within the limits");
    assert_eq!(Lines::decode(&blob, &limits), Ok(lines));
    assert!(blob.len() < 1_000_000, "{} bytes", blob.len());
}
