//! Lines that are known to flicker.

use super::*;
use lines::{Flicker, FlickerSearch};

/// The files of a record, and its diff.
type Searched<'a> = (&'a [(&'a str, &'a str)], Option<&'a str>);

/// Searches records from the newest to the oldest.
fn search(records: &[Searched<'_>]) -> Flicker {
    let (newest, older) = records.split_first().expect("a record");
    let mut search = FlickerSearch::from(record(newest.0));
    let mut newer = newest.1;
    for (files, diff) in older {
        search.before(&record(files), newer.map(changes).as_ref());
        newer = *diff;
    }
    search.found()
}

fn found(flicker: &Flicker) -> Vec<(&str, &[u32])> {
    let files = flicker.files();
    files.map(|(path, file)| (path, &*file.lines)).collect()
}

#[test]
fn a_line_flickers_if_it_was_lost_and_gained() {
    let flicker = search(&[
        (&[("a.c", "+-+-"), ("b.c", "+")], None),
        (&[("a.c", "-+++"), ("b.c", "+")], None),
        (&[("a.c", "+++-"), ("b.c", "-")], None),
    ]);
    // Line 1 went down and up, line 2 only down, line 3 stayed, line 4 went up and down.
    assert_eq!(found(&flicker), [("a.c", &[1, 4][..])]);
    assert_eq!(flicker.lines("a.c", &file("----")), [1, 4]);
    assert_eq!(
        flicker.lines("a.c", &file("-----")),
        [0; 0],
        "another version"
    );
    assert_eq!(flicker.lines("b.c", &file("+")), [0; 0]);
}

#[test]
fn the_history_of_a_file_ends_where_it_changed() {
    let edit = edit("a.c", "@@ -1 +1 @@\n");
    let with = |newest: Option<&str>, middle: Option<&str>, oldest: Option<&str>| {
        let flicker = search(&[
            (&[("a.c", "+")], newest),
            (&[("a.c", "-")], middle),
            (&[("a.c", "+")], oldest),
        ]);
        found(&flicker).len()
    };
    assert_eq!(with(None, None, None), 1);
    assert_eq!(with(Some(""), Some(""), Some(&edit)), 1);
    assert_eq!(with(None, Some(&edit), None), 0);
    assert_eq!(with(Some(&edit), None, None), 0);
}

#[test]
fn what_was_found_since_the_last_change_stays_found() {
    let edit = edit("a.c", "@@ -1 +1 @@\n");
    let flicker = search(&[
        (&[("a.c", "+")], None),
        (&[("a.c", "-")], None),
        (&[("a.c", "+")], Some(&edit)),
        (&[("a.c", "-")], None),
    ]);
    assert_eq!(found(&flicker), [("a.c", &[1][..])]);
}

#[test]
fn a_file_with_other_coverable_lines_has_changed() {
    let flicker = search(&[
        (&[("a.c", "+.")], None),
        (&[("a.c", "-+")], None),
        (&[("a.c", "+.")], None),
    ]);
    assert_eq!(found(&flicker), []);
    let absent = search(&[
        (&[("a.c", "+")], None),
        (&[], None),
        (&[("a.c", "-")], None),
        (&[("a.c", "+")], None),
    ]);
    assert_eq!(found(&absent), []);
}
