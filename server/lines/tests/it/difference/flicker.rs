//! Lines that are known to flicker.

use super::*;
use lines::{Flicker, FlickerSearch, OlderRun};

/// The files of a record, and its diff.
type Searched<'a> = (&'a [(&'a str, &'a str)], Option<&'a str>);

/// Searches records from the newest to the oldest. The result does not depend on whether equal lines are read.
fn search(records: &[Searched<'_>]) -> Flicker {
    let found = search_with(records, false);
    assert_eq!(search_with(records, true), found);
    found
}

fn search_with(records: &[Searched<'_>], reads_equal_lines: bool) -> Flicker {
    let (newest, older) = records.split_first().expect("a record");
    let mut good = record(newest.0);
    let mut search = FlickerSearch::from(1, good.clone());
    let mut newer = newest.1;
    for (id, (files, diff)) in (2..).zip(older) {
        let (older, changes) = (record(files), newer.map(changes));
        let run = match search.is_broken(search.lines(), &older, changes.as_ref()) {
            true => OlderRun::Broken,
            false if older == good && !reads_equal_lines => OlderRun::Same,
            false => {
                good = older.clone();
                OlderRun::Other(older)
            }
        };
        search.before(id, run, changes.as_ref());
        newer = *diff;
    }
    search.found()
}

fn found(flicker: &Flicker) -> Vec<(&str, &[u32])> {
    let files = flicker.files();
    files.map(|(path, file)| (path, &*file.lines)).collect()
}

#[test]
fn a_line_flickers_if_it_changed_its_state_three_times() {
    let flicker = search(&[
        (&[("a.c", "+-++"), ("b.c", "-")], None),
        (&[("a.c", "+-++"), ("b.c", "+")], None),
        (&[("a.c", "--++"), ("b.c", "+")], None),
        (&[("a.c", "+-++"), ("b.c", "+")], None),
        (&[("a.c", "--++"), ("b.c", "+")], None),
        (&[("a.c", "-+++"), ("b.c", "+")], None),
        (&[("a.c", "--++"), ("b.c", "+")], None),
    ]);
    // Line 1 changed three times, line 2 twice, and b.c was lost once.
    assert_eq!(found(&flicker), [("a.c", &[1][..])]);
    assert_eq!(flicker.lines("a.c", &file("----")), [1]);
    assert_eq!(
        flicker.lines("a.c", &file("-----")),
        [0; 0],
        "another version"
    );
    assert_eq!(flicker.lines("b.c", &file("+")), [0; 0]);
    let records: Vec<_> = flicker.files().map(|(_, file)| &*file.records).collect();
    assert_eq!(records, [&[2, 3, 4][..]]);
}

#[test]
fn a_line_flickers_if_it_had_both_states_in_one_part_of_a_commit() {
    let (first, again) = (
        record(&[("a.c", "+-+"), ("b.c", "+")]),
        record(&[("a.c", "++-"), ("b.c", "+")]),
    );
    assert!(lines::differing(&first, &again).is_none(), "a broken run");
    let again = record(&[("a.c", "+++"), ("b.c", "+")]);
    let both = lines::differing(&first, &again).expect("no broken run");
    let mut search = FlickerSearch::from(1, again.clone());
    search.before(2, OlderRun::Other(again), None);
    search.add_both(&both);
    let flicker = search.found();
    assert_eq!(found(&flicker), [("a.c", &[2][..])]);
    assert_eq!(flicker.files().next().expect("a file").1.records, [2]);
    let mut changed = FlickerSearch::from(1, record(&[("a.c", "++.")]));
    changed.add_both(&both);
    assert_eq!(found(&changed.found()), []);
}

#[test]
fn a_broken_run_makes_no_line_flicker() {
    let good = "+".repeat(250);
    let with = |missed: usize| format!("{}{}", "-".repeat(missed), "+".repeat(250 - missed));
    let found_with = |missed: usize| {
        let bad = with(missed);
        let records: Vec<Vec<(&str, &str)>> = [&good, &bad, &good, &bad]
            .iter()
            .map(|states| vec![("a.c", states.as_str())])
            .collect();
        let records: Vec<Searched<'_>> = records.iter().map(|files| (&**files, None)).collect();
        found(&search(&records)).len()
    };
    assert_eq!((found_with(2), found_with(3)), (1, 0));
}

#[test]
fn the_history_of_a_file_ends_where_it_changed() {
    let edit = edit("a.c", "@@ -1 +1 @@\n");
    let with = |newest: Option<&str>, middle: Option<&str>, oldest: Option<&str>| {
        let flicker = search(&[
            (&[("a.c", "+")], newest),
            (&[("a.c", "-")], middle),
            (&[("a.c", "+")], oldest),
            (&[("a.c", "-")], oldest),
        ]);
        found(&flicker).len()
    };
    assert_eq!(with(None, None, None), 1);
    assert_eq!(with(Some(""), Some(""), Some("")), 1);
    assert_eq!(with(None, Some(&edit), None), 0);
    assert_eq!(with(Some(&edit), None, None), 0);
}

#[test]
fn what_was_found_since_the_last_change_stays_found() {
    let edit = edit("a.c", "@@ -1 +1 @@\n");
    let flicker = search(&[
        (&[("a.c", "+")], None),
        (&[("a.c", "-")], None),
        (&[("a.c", "+")], None),
        (&[("a.c", "-")], Some(&edit)),
        (&[("a.c", "+")], None),
    ]);
    assert_eq!(found(&flicker), [("a.c", &[1][..])]);
}

#[test]
fn a_file_with_other_coverable_lines_has_changed() {
    let flicker = search(&[
        (&[("a.c", "+.")], None),
        (&[("a.c", "-+")], None),
        (&[("a.c", "+.")], None),
        (&[("a.c", "-.")], None),
        (&[("a.c", "+.")], None),
    ]);
    assert_eq!(found(&flicker), []);
    let absent = search(&[
        (&[("a.c", "+")], None),
        (&[], None),
        (&[("a.c", "-")], None),
        (&[("a.c", "+")], None),
        (&[("a.c", "-")], None),
    ]);
    assert_eq!(found(&absent), []);
}
