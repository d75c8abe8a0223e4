//! Properties of any lines.

use crate::any::{file, part};
use lines::{Changes, Counts, History, HistoryBase, Limits, Lines, OriginCounts, State};
use proptest::prelude::*;

const LIMITS: Limits = Limits {
    lines: 1000,
    files: 1000,
    path_bytes: 100_000,
    branch_names: 100_000,
    unpacked_bytes: 100_000,
};

fn united(one: &Lines, other: &Lines) -> Lines {
    one.clone()
        .united(other.clone(), &LIMITS)
        .expect("few lines")
}

proptest! {
    #[test]
    fn a_union_does_not_depend_on_the_order_of_two_parts(a in part(), b in part()) {
        prop_assert_eq!(united(&a, &b), united(&b, &a));
    }

    #[test]
    fn a_union_does_not_depend_on_what_is_united_first(a in part(), b in part(), c in part()) {
        prop_assert_eq!(united(&united(&a, &b), &c), united(&a, &united(&b, &c)));
    }

    #[test]
    fn a_union_is_the_same_in_any_order_of_many_parts(
        (parts, shuffled) in proptest::collection::vec(part(), 1..6)
            .prop_flat_map(|parts| (Just(parts.clone()), Just(parts).prop_shuffle())),
    ) {
        let all = |parts: Vec<Lines>| {
            let all = parts.iter().fold(Lines::default(), |all, part| united(&all, part));
            all.encode(&LIMITS).expect("few lines")
        };
        prop_assert_eq!(all(parts), all(shuffled));
    }

    #[test]
    fn a_part_twice_is_the_part_once(a in part(), b in part()) {
        prop_assert_eq!(united(&a, &a), a.clone());
        let both = united(&a, &b);
        prop_assert_eq!(united(&both, &b), both);
    }

    #[test]
    fn no_part_is_better_than_the_union(a in part(), b in part()) {
        let union = united(&a, &b);
        for (path, file) in a.files().chain(b.files()) {
            let of_union = union.get(path).expect("the file");
            for line in file.lines() {
                prop_assert!(of_union.state(line.number()) >= Some(line.state()));
            }
        }
    }

    #[test]
    fn no_line_of_the_union_is_in_no_part(a in part(), b in part()) {
        for (path, file) in united(&a, &b).files() {
            for line in file.lines() {
                let in_part = |part: &Lines| part.get(path).and_then(|file| file.state(line.number()));
                prop_assert!(in_part(&a).or(in_part(&b)).is_some());
            }
        }
    }

    #[test]
    fn lines_are_decoded_as_they_were_encoded(lines in part()) {
        let blob = lines.encode(&LIMITS).expect("few lines");
        prop_assert_eq!(Lines::decode(&blob, &LIMITS), Ok(lines));
    }

    #[test]
    fn a_union_is_decoded_in_its_stored_form(a in part(), b in part()) {
        let union = united(&a, &b);
        let blob = union.encode(&LIMITS).expect("few lines");
        let mut stored = Lines::default();
        for (path, file) in union.into_files() {
            stored.add(path, file.as_stored());
        }
        prop_assert_eq!(Lines::decode(&blob, &LIMITS), Ok(stored));
    }

    #[test]
    fn counts_equal_counting(lines in part()) {
        let mut counts = Counts::default();
        for (_, file) in lines.files() {
            for number in 1..100 {
                match file.state(number) {
                    Some(State::Missed) => counts.missed += 1,
                    Some(State::Partial) => counts.partial += 1,
                    Some(State::Hit) => counts.hit += 1,
                    None => {}
                }
            }
        }
        prop_assert_eq!(lines.counts(), counts);
        prop_assert_eq!(counts.coverable(), counts.missed + counts.partial + counts.hit);
    }

    #[test]
    fn ranges_have_the_lines_of_their_state_and_no_neighbours(file in file()) {
        for state in [State::Missed, State::Partial, State::Hit] {
            let ranges = file.ranges(state);
            let numbers: Vec<u32> = ranges.iter().cloned().flatten().collect();
            let expected = (1..100).filter(|&number| file.state(number) == Some(state));
            prop_assert_eq!(&numbers, &expected.collect::<Vec<_>>());
            for pair in ranges.windows(2) {
                prop_assert!(pair[0].end() + 1 < *pair[1].start());
            }
        }
    }

    #[test]
    fn branches_are_never_all_taken(a in part(), b in part()) {
        for (_, file) in united(&a, &b).files() {
            for line in file.lines() {
                if let Some(branches) = file.branches(line.number()) {
                    prop_assert_eq!(line.state(), State::Partial);
                    prop_assert!(branches.taken() < branches.total());
                }
            }
        }
    }
}

/// A blob with these columns, and with the right frame and checksum.
fn blob_of(name: &[u8; 3], version: u8, columns: &[u8]) -> Vec<u8> {
    let frame = zstd::bulk::compress(columns, 1).expect("a frame");
    let checksum = crc32fast::hash(&frame).to_le_bytes();
    let blob: [&[u8]; 4] = [name, &[version], &checksum, &frame];
    blob.concat()
}

/// The columns of a blob.
fn columns_of(blob: &[u8]) -> Vec<u8> {
    zstd::bulk::decompress(&blob[8..], LIMITS.unpacked_bytes).expect("a frame")
}

/// The columns of a blob after changes of single bytes.
fn edited(blob: &[u8], changes: Vec<(prop::sample::Index, u8)>) -> Vec<u8> {
    let mut columns = columns_of(blob);
    for (index, byte) in changes {
        let index = index.index(columns.len());
        columns[index] = byte;
    }
    columns
}

proptest! {
    #[test]
    fn columns_that_contradict_themselves_are_refused_or_are_lines(
        lines in part(),
        version in 1..3_u8,
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let columns = edited(&lines.encode(&LIMITS).expect("few lines"), changes);
        if let Ok(decoded) = Lines::decode(&blob_of(b"CVL", version, &columns), &LIMITS) {
            let again = decoded.encode(&LIMITS).expect("few lines");
            prop_assert_eq!(Lines::decode(&again, &LIMITS), Ok(decoded.clone()));
            prop_assert_eq!(united(&decoded, &decoded), decoded);
        }
    }
    #[test]
    fn columns_of_histories_that_contradict_themselves_are_refused_or_fit_the_lines(
        (one, two) in (part(), part()),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let history = History::of(1, &one, &one, None);
        let base = HistoryBase { record: 1, lines: &one, history: &history, changes: &Changes::default() };
        let history = History::of(2, &two, &two, Some(base));
        let blob = history.encode(&two, &LIMITS).expect("few lines");
        let columns = edited(&blob, changes.clone());
        if let Ok(decoded) = History::decode(&blob_of(b"CVH", 1, &columns), &two, &LIMITS) {
            let counts = decoded.counts(&two);
            let counted = counts.files().flat_map(|(_, counts)| counts);
            let counted: u64 = counted.map(|count| u64::from(count.coverable)).sum();
            prop_assert_eq!(counted, two.counts().coverable());
        }
        let counts = history.counts(&two).encode(&LIMITS).expect("few lines");
        let columns = edited(&counts, changes);
        if let Ok(decoded) = OriginCounts::decode(&blob_of(b"CVO", 1, &columns), &LIMITS) {
            let again = decoded.encode(&LIMITS).expect("few lines");
            prop_assert_eq!(OriginCounts::decode(&again, &LIMITS), Ok(decoded));
        }
    }

    #[test]
    fn any_bytes_are_no_history_or_one_that_fits_the_lines(
        lines in part(),
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
    ) {
        for blob in [bytes.clone(), blob_of(b"CVH", 1, &bytes), blob_of(b"CVO", 1, &bytes)] {
            if let Ok(history) = History::decode(&blob, &lines, &LIMITS) {
                let all = history.files(&lines).flat_map(|(_, _, of_file)| of_file);
                prop_assert_eq!(all.count() as u64, lines.counts().coverable());
            }
            if let Ok(counts) = OriginCounts::decode(&blob, &LIMITS) {
                prop_assert!(counts.files().len() <= bytes.len() / 3);
            }
        }
    }
}
