//! The history of lines: when they came, and when they last ran.

mod blame;
mod git;
mod real;

use lines::{
    Changes, ChangesParser, FileLines, History, HistoryBase, Limits, Line, LineHistory, Lines,
    Origin, Since,
};

/// Lines of one file: `x` ran, `.` did not run, a space is not coverable.
fn file(path: &str, states: &str) -> Lines {
    let mut lines = Lines::default();
    lines.add(path, of_states(states));
    lines
}

fn of_states(states: &str) -> FileLines {
    let lines = (1..).zip(states.chars()).filter(|(_, state)| *state != ' ');
    let lines =
        lines.map(|(number, state)| (Line::new(number, u64::from(state == 'x'), false), None));
    lines.collect()
}

fn changes(diff: &str) -> Changes {
    let mut parser = ChangesParser::default();
    parser.feed(diff.as_bytes()).expect("a diff");
    parser.finish().expect("a diff")
}

fn edit(hunks: &str) -> Changes {
    changes(&format!(
        "diff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n{hunks}"
    ))
}

fn first(record: i64, lines: &Lines) -> History {
    History::of(record, lines, lines, None)
}

fn next(record: i64, lines: &Lines, base: (i64, &Lines, &History), changes: &Changes) -> History {
    let (base, of_base, history) = base;
    let base = HistoryBase {
        record: base,
        lines: of_base,
        history,
        changes,
    };
    History::of(record, lines, lines, Some(base))
}

/// Each line as (after, at, last run), 0 for unknown.
fn shown(history: &History, path: &str, lines: &Lines) -> Vec<(i64, i64, i64)> {
    let mut files = history.files(lines);
    let (_, _, of_file) = files.find(|(of, _, _)| *of == path).expect("the file");
    of_file
        .map(
            |LineHistory {
                 origin: Origin { after, at },
                 last_run,
             }| { (after.unwrap_or(0), at, last_run.unwrap_or(0)) },
        )
        .collect()
}

#[test]
fn lines_of_a_first_record_have_an_unknown_beginning() {
    let lines = file("a.c", "x .");
    assert_eq!(
        shown(&first(7, &lines), "a.c", &lines),
        [(0, 7, 7), (0, 7, 0)]
    );
}

#[test]
fn an_added_line_came_after_the_base_and_others_keep_their_history() {
    let (one, two, three) = (file("a.c", "xx"), file("a.c", ".x."), file("a.c", "x.x."));
    let of_one = first(1, &one);
    // A line is added at the end, then one at the beginning.
    let of_two = next(2, &two, (1, &one, &of_one), &edit("@@ -2,0 +3 @@\n"));
    assert_eq!(
        shown(&of_two, "a.c", &two),
        [(0, 1, 1), (0, 1, 2), (1, 2, 0)]
    );
    let of_three = next(3, &three, (2, &two, &of_two), &edit("@@ -0,0 +1 @@\n"));
    assert_eq!(
        shown(&of_three, "a.c", &three),
        [(2, 3, 3), (0, 1, 1), (0, 1, 3), (1, 2, 0)]
    );
}

#[test]
fn a_line_that_was_not_coverable_came_with_the_base_at_the_latest() {
    let (one, two) = (file("a.c", "x x"), file("a.c", "xxx"));
    let history = next(2, &two, (1, &one, &first(1, &one)), &edit("@@ -9 +9 @@\n"));
    assert_eq!(
        shown(&history, "a.c", &two),
        [(0, 1, 2), (0, 1, 2), (0, 1, 2)]
    );
    // A file that the base did not measure, and the changes do not name.
    let (one, two) = (file("b.c", "x"), file("a.c", "x"));
    let history = next(2, &two, (1, &one, &first(1, &one)), &changes(""));
    assert_eq!(shown(&history, "a.c", &two), [(0, 1, 2)]);
}

#[test]
fn a_renamed_file_keeps_its_history_and_a_copy_is_new() {
    let (one, mut two) = (file("a.c", "x."), file("z.c", "x."));
    let renamed = changes("diff --git a/a.c b/z.c\nrename from a.c\nrename to z.c\n");
    let history = next(2, &two, (1, &one, &first(1, &one)), &renamed);
    assert_eq!(shown(&history, "z.c", &two), [(0, 1, 2), (0, 1, 0)]);
    two.add("a.c", of_states("x."));
    let copied = changes("diff --git a/a.c b/z.c\ncopy from a.c\ncopy to z.c\n");
    let history = next(2, &two, (1, &one, &first(1, &one)), &copied);
    assert_eq!(shown(&history, "z.c", &two), [(1, 2, 2), (1, 2, 0)]);
    assert_eq!(shown(&history, "a.c", &two), [(0, 1, 2), (0, 1, 0)]);
}

#[test]
fn hunks_that_do_not_fit_make_the_beginning_unknown() {
    let (one, two) = (file("a.c", "xx"), file("a.c", "xx"));
    // The second hunk contradicts the first.
    let stale = edit("@@ -1,0 +2,5 @@\n@@ -10 +10 @@\n");
    let binary = changes("diff --git a/a.c b/a.c\nBinary files a/a.c and b/a.c differ\n");
    for changes in [stale, binary] {
        let history = next(2, &two, (1, &one, &first(1, &one)), &changes);
        assert_eq!(shown(&history, "a.c", &two), [(0, 2, 2), (0, 2, 2)]);
    }
}

#[test]
fn a_carried_part_does_not_count_as_a_run() {
    let (one, all) = (file("a.c", "xx"), file("a.c", "xx"));
    let measured = file("a.c", "x.");
    let history = first(1, &one);
    let base = HistoryBase {
        record: 1,
        lines: &one,
        history: &history,
        changes: &changes(""),
    };
    let history = History::of(2, &all, &measured, Some(base));
    assert_eq!(shown(&history, "a.c", &all), [(0, 1, 2), (0, 1, 1)]);
}

#[test]
fn a_history_is_decoded_as_it_was_encoded_and_only_with_its_lines() {
    let limits = Limits::default();
    let (mut one, mut two) = (file("a.c", "xx.x"), file("a.c", "x..xx"));
    one.add("b.c", of_states(".x"));
    two.add("b.c", of_states("x."));
    let of_one = first(1, &one);
    let history = next(i64::MAX, &two, (1, &one, &of_one), &edit("@@ -4,0 +5 @@\n"));
    let blob = history.encode(&two, &limits).expect("small");
    let decoded = History::decode(&blob, &two, &limits).expect("a history");
    for path in ["a.c", "b.c"] {
        assert_eq!(shown(&decoded, path, &two), shown(&history, path, &two));
    }
    assert!(History::decode(&blob, &one, &limits).is_err());
    for at in 0..blob.len() {
        let mut damaged = blob.clone();
        damaged[at] ^= 1;
        assert!(History::decode(&damaged, &two, &limits).is_err(), "{at}");
    }
    let counts = history.counts(&two);
    let blob = counts.encode(&limits).expect("small");
    assert_eq!(lines::OriginCounts::decode(&blob, &limits), Ok(counts));
}

#[test]
fn new_old_and_unknown_lines_are_told_apart() {
    let origin = |after, at| Origin { after, at };
    // The chain is 1, 2, 3, 4; the position is the record 2.
    let at_2 = Since {
        from: [2, 3, 4].into(),
        later: [3, 4].into(),
        until: [1, 2].into(),
    };
    assert_eq!(at_2.is_new(origin(Some(2), 3)), Some(true));
    assert_eq!(at_2.is_new(origin(Some(3), 4)), Some(true));
    assert_eq!(at_2.is_new(origin(Some(1), 2)), Some(false));
    assert_eq!(at_2.is_new(origin(None, 2)), Some(false));
    assert_eq!(at_2.is_new(origin(Some(1), 3)), None);
    assert_eq!(at_2.is_new(origin(None, 3)), None);
    let outside_of_the_chain = origin(Some(9), 10);
    assert_eq!(at_2.is_new(outside_of_the_chain), None);
    // Between 2 and 3.
    let after_2 = Since {
        from: [3, 4].into(),
        ..at_2
    };
    assert_eq!(after_2.is_new(origin(Some(2), 3)), None);
    assert_eq!(after_2.is_new(origin(Some(3), 4)), Some(true));
    assert_eq!(after_2.is_new(origin(Some(1), 2)), Some(false));
}
