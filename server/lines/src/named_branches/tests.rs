//! Unions of named branches, their encoding, and their way through changes.

use super::*;
use crate::ChangesParser;
use proptest::{collection::vec, prelude::*};

/// A name of scheme 0.
fn name(number: u32) -> u32 {
    number << Branches::SCHEME_BITS
}

fn part(path: &str, branches: &[(u32, u32, bool)]) -> NamedBranches {
    let part = NamedBranches::default().with(path, branches.iter().copied());
    part.expect("comparable names")
}

fn united(one: &NamedBranches, other: &NamedBranches) -> Option<NamedBranches> {
    one.clone().united(other.clone(), &Limits::default())
}

#[test]
fn a_branch_is_taken_if_any_part_takes_it() {
    let one = part(
        "a.c",
        &[(4, name(0), true), (4, name(1), false), (9, name(0), false)],
    );
    let other = part(
        "a.c",
        &[(4, name(1), true), (4, name(0), false), (5, name(0), false)],
    );
    let both = united(&one, &other).expect("comparable names");
    assert_eq!(both.count(), (2, 4));
    let more = united(&both, &part("b.c", &[(1, name(7), true)])).expect("comparable names");
    assert_eq!((more.count_of("a.c"), more.count()), ((2, 4), (3, 5)));
    assert_eq!(more.count_of("c.c"), (0, 0));
}

#[test]
fn names_of_different_kinds_are_not_united_within_a_line() {
    let one = part("a.c", &[(4, name(0), true), (4, name(1), false)]);
    let text = |line| part("a.c", &[(line, name(0) | 1, true)]);
    assert_eq!(united(&one, &text(4)), None);
    assert!(united(&one, &text(5)).is_some());
    let mixed = part("a.c", &[(4, name(0), true), (4, name(1) | 1, false)]);
    assert_eq!(united(&one, &mixed), None);
    assert!(united(&mixed, &mixed).is_some());
}

#[test]
fn lines_that_no_source_file_has_are_refused() {
    for line in [0, MAX_LINE + 1] {
        let with = NamedBranches::default().with("a.c", [(line, name(0), true)]);
        assert_eq!(with, None);
    }
}

#[test]
fn branches_of_unchanged_files_are_carried() {
    let moved = |diff: &str| {
        let mut parser = ChangesParser::default();
        parser.feed(diff.as_bytes()).expect("a diff");
        let moves = Moves::of(&parser.finish().expect("a diff"));
        let both = united(
            &part("a.c", &[(4, name(0), true)]),
            &part("b.c", &[(4, name(0), false)]),
        );
        both.expect("comparable names").moved(&moves)
    };
    assert_eq!(moved("").map(|all| all.count()), Some((1, 2)));
    let renamed = moved("diff --git a/a.c b/z.c\nrename from a.c\nrename to z.c\n");
    assert_eq!(renamed.map(|all| all.count_of("z.c")), Some((1, 1)));
    let gone = moved(
        "diff --git a/a.c b/a.c\ndeleted file mode 100644\n--- a/a.c\n+++ /dev/null\n@@ -1,9 +0,0 @@\n",
    );
    assert_eq!(gone.map(|all| all.count()), Some((0, 1)));
    // Numbers of conditions may be others after any edit.
    let edited = "diff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n@@ -90 +90,2 @@\n";
    assert_eq!(moved(edited), None);
    let other = "diff --git a/c.c b/c.c\n--- a/c.c\n+++ b/c.c\n@@ -1 +1,2 @@\n";
    assert_eq!(moved(other).map(|all| all.count()), Some((1, 2)));
}

#[test]
fn branches_beyond_the_limits_are_neither_united_nor_encoded() {
    let limits = Limits {
        lines: 3,
        ..Limits::default()
    };
    let branches = |path| part(path, &[(1, name(0), true), (1, name(1), true)]);
    let both = united(&branches("a.c"), &branches("b.c")).expect("few branches");
    assert_eq!(branches("a.c").united(branches("b.c"), &limits), None);
    assert_eq!(both.encode(&limits), Err(TooLarge));
    let blob = both.encode(&Limits::default()).expect("few branches");
    assert_eq!(NamedBranches::decode(&blob, &limits), Err(TooLarge.into()));
}

#[test]
fn any_changed_byte_is_an_error() {
    let limits = Limits::default();
    let branches: Vec<_> = (1..40)
        .map(|line| (line, name(line % 3), line % 2 == 0))
        .collect();
    let blob = part("src/a.c", &branches)
        .encode(&limits)
        .expect("few branches");
    for index in 0..blob.len() {
        for bit in 0..8 {
            let mut damaged = blob.clone();
            damaged[index] ^= 1 << bit;
            let decoded = NamedBranches::decode(&damaged, &limits);
            assert!(decoded.is_err(), "bit {bit} of byte {index}");
        }
    }
    for end in 0..blob.len() {
        assert!(
            NamedBranches::decode(&blob[..end], &limits).is_err(),
            "{end} bytes"
        );
    }
}

fn any_part() -> impl Strategy<Value = NamedBranches> {
    let line = prop_oneof![1..20_u32, Just(MAX_LINE)];
    let name = prop_oneof![0..6_u32, Just(u32::MAX >> Branches::SCHEME_BITS)].prop_map(name);
    let file = ("[a-c]", vec((line, name, any::<bool>()), 0..20));
    let files = vec(file, 0..4);
    files.prop_map(|files| {
        files
            .into_iter()
            .fold(NamedBranches::default(), |all, (path, branches)| {
                all.with(path, branches).expect("comparable names")
            })
    })
}

proptest! {
    #[test]
    fn branches_are_decoded_as_encoded(all in any_part()) {
        let limits = Limits::default();
        let blob = all.encode(&limits).expect("few branches");
        prop_assert_eq!(NamedBranches::decode(&blob, &limits), Ok(all));
    }

    /// Hostile bytes within a frame that has the right checksum.
    #[test]
    fn whatever_is_decoded_can_be_encoded(body in vec(prop_oneof![0..4_u8, any::<u8>()], 0..30)) {
        let limits = Limits::default();
        let frame = zstd::bulk::compress(&body, 3).expect("a frame");
        let checksum = crc32fast::hash(&frame).to_le_bytes();
        let blob = [&b"CVB\x01"[..], &checksum, &frame].concat();
        if let Ok(decoded) = NamedBranches::decode(&blob, &limits) {
            let again = decoded.encode(&limits).expect("within the limits");
            prop_assert_eq!(NamedBranches::decode(&again, &limits), Ok(decoded));
        }
    }

    #[test]
    fn the_order_of_parts_does_not_matter(one in any_part(), two in any_part(), three in any_part()) {
        let both = |one, other| united(&one, &other).expect("comparable names");
        let all = both(both(one.clone(), two.clone()), three.clone());
        prop_assert_eq!(&both(both(three.clone(), one.clone()), two.clone()), &all);
        prop_assert_eq!(&both(one, both(two, three)), &all);
        prop_assert_eq!(&both(all.clone(), all.clone()), &all);
    }
}
