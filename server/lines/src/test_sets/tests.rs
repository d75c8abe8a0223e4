//! Tests of lines: their numbers, unions, ways through changes, and their encoding.

use super::{
    encoding::{HEAD, HEAD_1},
    *,
};
use crate::{ChangesParser, encoding::frame};
use proptest::{collection::vec, prelude::*};
use std::collections::BTreeSet;

const LIMITS: fn() -> Limits = Limits::default;

/// Triples of path, line and test.
type Triple = (&'static str, u32, String);

fn sets(triples: &[Triple]) -> TestSets {
    let names = triples.iter().map(|(_, _, test)| test.as_str().into());
    let files = (0..).zip(triples).map(|(test, (path, line, _))| {
        let pair = (*line, test);
        (Box::from(*path), vec![pair])
    });
    TestSets::of(names.collect(), files, &LIMITS()).expect("few tests")
}

fn triples(sets: &TestSets) -> BTreeSet<(String, u32, String)> {
    let mut all = BTreeSet::new();
    for (path, lines) in &sets.files {
        for &(line, _) in lines {
            let tests = sets.of_line(path, line).into_iter();
            all.extend(tests.map(|test| (path.to_string(), line, test.to_owned())));
        }
    }
    all
}

fn owned(all: &[Triple]) -> BTreeSet<(String, u32, String)> {
    let all = all.iter();
    all.map(|(path, line, test)| ((*path).to_owned(), *line, test.clone()))
        .collect()
}

fn any() -> impl Strategy<Value = Vec<Triple>> {
    let path = prop_oneof![Just("a.py"), Just("b.py"), Just("é.py")];
    vec((path, 1..12_u32, "t[0-9]{1,2}"), 0..40)
}

fn moves(diff: &str) -> Moves {
    let mut parser = ChangesParser::default();
    parser.feed(diff.as_bytes()).expect("a diff");
    Moves::of(&parser.finish().expect("a diff"))
}

#[test]
fn a_test_has_its_lines_and_the_lines_that_it_alone_runs() {
    let all = [
        ("a.py", 1, "t1".to_owned()),
        ("a.py", 2, "t1".to_owned()),
        ("a.py", 2, "t0".to_owned()),
        ("b.py", 7, "t1".to_owned()),
    ];
    let sets = sets(&all);
    assert_eq!(sets.names().collect::<Vec<_>>(), ["t0", "t1"]);
    assert_eq!(sets.of_line("a.py", 2), ["t0", "t1"]);
    assert!(sets.of_line("a.py", 3).is_empty() && sets.of_line("c.py", 1).is_empty());
    assert_eq!(sets.of_file("a.py").collect::<Vec<_>>(), [(1, 1), (2, 2)]);
    let run = |lines, only| TestRun { lines, only };
    assert_eq!(sets.runs(), [run(1, 0), run(3, 2)]);
    let of_t1 = [
        ("a.py", vec![(1, true), (2, false)]),
        ("b.py", vec![(7, true)]),
    ];
    let of_t0 = [("a.py", vec![(2, false)])];
    let all = sets.of_tests(&["t1", "t", "t0"]);
    assert_eq!(all, [&of_t1[..], &[], &of_t0]);
}

#[test]
fn lines_that_no_source_file_has_and_unknown_tests_are_left_out() {
    let pairs = vec![(0, 0), (MAX_LINE + 1, 0), (3, 1)];
    let sets = TestSets::of(vec!["t".into()], [("a.py".into(), pairs)], &LIMITS());
    assert_eq!(sets, Ok(TestSets::default()));
}

#[test]
fn tests_follow_unchanged_lines_through_changes() {
    let all = [
        ("a.py", 1, "t0".to_owned()),
        ("a.py", 5, "t1".to_owned()),
        ("a.py", 9, "t2".to_owned()),
    ];
    let diff = "diff --git a/a.py b/z.py\nrename from a.py\nrename to z.py\n--- a/a.py\n+++ b/z.py\n@@ -5 +5,3 @@\n";
    let moved = sets(&all).moved(&moves(diff), &LIMITS());
    let expected = [("z.py", 1, "t0".to_owned()), ("z.py", 11, "t2".to_owned())];
    assert_eq!(moved, Ok(sets(&expected)));
}

#[test]
fn sets_beyond_the_limits_are_refused() {
    let long = vec!["t".repeat(TestSets::NAME_BYTES + 1).into()];
    let of = |names| TestSets::of(names, [("a.py".into(), vec![(1, 0)])], &LIMITS());
    assert_eq!(of(long), Err(TooLarge));
    let few = Limits {
        lines: 1,
        ..Limits::default()
    };
    let two = sets(&[("a.py", 1, "t".to_owned()), ("a.py", 2, "t".to_owned())]);
    let blob = two.encode(&LIMITS()).expect("small");
    assert!(TestSets::decode(&blob, &few).is_err());
}

#[test]
fn tests_of_version_1_are_still_read() {
    let names = *b"\x02\x00\x02t1\x01\x012";
    let lines = *b"\x01\x00\x04a.py\x02\x03\x01\x00\x00";
    let sets = *b"\x01\x00\x01\x01\x01\x00";
    let blob = frame::pack(HEAD_1, &[&names[..], &lines, &sets].concat()).expect("small");
    let expected = [
        ("a.py", 3, "t1".to_owned()),
        ("a.py", 3, "t2".to_owned()),
        ("a.py", 4, "t2".to_owned()),
    ];
    let expected = self::sets(&expected);
    assert_eq!(TestSets::decode(&blob, &LIMITS()), Ok(expected));
}

#[test]
fn sets_that_resemble_each_other_take_few_bytes() {
    let line = |line: u32| {
        let tests = (0..400).filter(move |test| test % 3 != 1 && test % 20 != line % 20);
        tests.map(move |test| ("a.py", line, format!("test_fee_{test:03}")))
    };
    let sets = sets(&(1..20).flat_map(line).collect::<Vec<_>>());
    let blob = sets.encode(&LIMITS()).expect("small");
    assert!(blob.len() < 800, "{} bytes", blob.len());
}

proptest! {
    #[test]
    fn every_pair_is_kept_in_any_order(all in any()) {
        let sets = sets(&all);
        prop_assert_eq!(triples(&sets), owned(&all));
        let mut reversed = all;
        reversed.reverse();
        prop_assert_eq!(self::sets(&reversed), sets);
    }

    #[test]
    fn a_union_has_the_pairs_of_both(one in any(), other in any()) {
        let union = sets(&one).united(sets(&other), &LIMITS());
        let both = [one, other].concat();
        prop_assert_eq!(union, Ok(sets(&both)));
    }

    #[test]
    fn files_that_get_one_path_are_united(all in any()) {
        let renamed = sets(&all).renamed(&LIMITS(), |_| "a.py".into());
        let expected: Vec<_> = all.into_iter().map(|(_, line, test)| ("a.py", line, test)).collect();
        prop_assert_eq!(renamed, Ok(sets(&expected)));
    }

    #[test]
    fn of_some_files_only_their_tests_stay(all in any()) {
        let kept = sets(&all).of_files(|path| path != "a.py");
        let expected: Vec<_> = all.into_iter().filter(|(path, ..)| *path != "a.py").collect();
        prop_assert_eq!(kept, sets(&expected));
    }

    #[test]
    fn what_is_encoded_is_decoded(all in any()) {
        let sets = sets(&all);
        let blob = sets.encode(&LIMITS()).expect("small");
        prop_assert_eq!(TestSets::decode(&blob, &LIMITS()), Ok(sets));
    }

    #[test]
    fn what_is_decoded_from_any_body_is_encoded_to_the_same(body in vec(prop_oneof![0..6_u8, Just(255)], 0..40)) {
        for head in [HEAD, HEAD_1] {
            let blob = frame::pack(head, &body).expect("small");
            if let Ok(sets) = TestSets::decode(&blob, &LIMITS()) {
                let again = sets.encode(&LIMITS()).expect("small");
                prop_assert_eq!(TestSets::decode(&again, &LIMITS()), Ok(sets));
            }
        }
    }
}
