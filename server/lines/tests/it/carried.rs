//! Lines of a part that is carried forward through changes.

use lines::{
    Branches, ChangedFile, Changes, ChangesParser, FileLines, Hunk, Line, Lines, Moves, Span, State,
};
use proptest::{collection::vec, option, prelude::*};

fn record(paths: &[&str]) -> Lines {
    let mut lines = Lines::default();
    for path in paths {
        let file = (1..=3).map(|number| (Line::new(number, 1, false), None));
        lines.add(*path, FileLines::from_iter(file));
    }
    lines
}

fn changes(diff: &str) -> Changes {
    let mut parser = ChangesParser::default();
    parser.feed(diff.as_bytes()).expect("a diff");
    parser.finish().expect("a diff")
}

/// The remaining files, with their hit lines.
fn carried(paths: &[&str], diff: &str) -> Vec<(String, Vec<std::ops::RangeInclusive<u32>>)> {
    let carried = record(paths).moved(&Moves::of(&changes(diff)));
    let files = carried.files();
    files
        .map(|(path, file)| (path.to_owned(), file.ranges(State::Hit)))
        .collect()
}

#[test]
fn files_that_the_changes_do_not_name_stay() {
    assert_eq!(
        carried(&["a.c", "b.c"], ""),
        [
            ("a.c".to_owned(), vec![1..=3]),
            ("b.c".to_owned(), vec![1..=3])
        ]
    );
}

#[test]
fn edited_lines_are_gone_and_those_below_move() {
    let edited = "diff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n@@ -2 +2,4 @@\n";
    assert_eq!(
        carried(&["a.c"], edited),
        [("a.c".to_owned(), vec![1..=1, 6..=6])]
    );
}

#[test]
fn a_renamed_file_has_its_new_path() {
    let renamed = "diff --git a/a.c b/z.c\nrename from a.c\nrename to z.c\n";
    assert_eq!(
        carried(&["a.c", "b.c"], renamed),
        [
            ("b.c".to_owned(), vec![1..=3]),
            ("z.c".to_owned(), vec![1..=3])
        ]
    );
}

#[test]
fn a_deleted_file_is_gone() {
    let deleted = "diff --git a/a.c b/a.c\ndeleted file mode 100644\n--- a/a.c\n+++ /dev/null\n@@ -1,3 +0,0 @@\n";
    assert_eq!(carried(&["a.c"], deleted), []);
}

#[test]
fn a_file_that_two_others_claim_to_be_is_gone() {
    let twice = "diff --git a/a.c b/y.c\nrename from a.c\nrename to y.c\n\
                 diff --git a/a.c b/z.c\nrename from a.c\nrename to z.c\n";
    assert_eq!(carried(&["a.c"], twice), []);
}

#[test]
fn a_copy_leaves_the_original_where_it_is() {
    let copied = "diff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n@@ -3 +2,0 @@\n\
                  diff --git a/a.c b/z.c\ncopy from a.c\ncopy to z.c\n";
    assert_eq!(carried(&["a.c"], copied), [("a.c".to_owned(), vec![1..=2])]);
}

#[test]
fn a_file_that_is_there_and_is_created_is_unknown() {
    let created =
        "diff --git a/a.c b/a.c\nnew file mode 100644\n--- /dev/null\n+++ b/a.c\n@@ -0,0 +1 @@\n";
    assert_eq!(carried(&["a.c"], created), []);
}

#[test]
fn hunks_that_contradict_each_other_leave_nothing() {
    let hunks = "diff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n@@ -1 +1 @@\n@@ -2 +7 @@\n";
    assert_eq!(carried(&["a.c"], hunks), []);
}

#[test]
fn branches_move_with_their_lines() {
    let branches = Branches::named(1, 2, [16]);
    let mut lines = Lines::default();
    lines.add(
        "a.c",
        FileLines::from_iter([(Line::new(5, 1, true), branches.clone())]),
    );
    let above = "diff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n@@ -1,0 +2,2 @@\n";
    let carried = lines.moved(&Moves::of(&changes(above)));
    let file = carried.get("a.c").expect("the file");
    assert_eq!(file.branches(7), branches.as_ref());
}

/// Changes of a few files: each is created, deleted, edited or moved. Its hunks replace or insert lines.
fn any_changes() -> impl Strategy<Value = Changes> {
    let name = || (0..4_u8).prop_map(|name| format!("{name}.c").into_boxed_str());
    let hunks = vec((0..4_u32, 0..3_u32, 0..3_u32), 0..3).prop_map(|all| {
        let (mut old, mut new) = (1, 1);
        let hunk = all.into_iter().filter_map(|(gap, removed, added)| {
            let span = |first, lines| Span { first, lines };
            let hunk = Hunk {
                old: span(old + gap, removed),
                new: span(new + gap, added),
            };
            (old, new) = (old + gap + removed, new + gap + added);
            (removed + added > 0).then_some(hunk)
        });
        hunk.collect::<Vec<_>>()
    });
    let file = (option::of(name()), option::of(name()), hunks);
    let file = file.prop_filter_map("a file", |(old_path, path, hunks)| {
        (old_path.is_some() || path.is_some()).then_some(ChangedFile {
            old_path,
            path,
            hunks,
            is_binary: false,
        })
    });
    vec(file, 0..5).prop_filter_map("each file once", |files| Changes::of(files).ok())
}

proptest! {
    #[test]
    fn changes_that_are_composed_carry_what_each_carries(all in vec(any_changes(), 0..5)) {
        let mut lines = Lines::default();
        for name in 0..4 {
            let file = (1..=12).map(|number| (Line::new(number, u64::from(number), false), None));
            lines.add(format!("{name}.c"), FileLines::from_iter(file));
        }
        let moves = all.iter().rev().try_fold(Moves::default(), Moves::after);
        let composed = lines.clone().moved(&moves.expect("few changes"));
        let one_by_one = all.iter().fold(lines, |lines, changes| lines.moved(&Moves::of(changes)));
        prop_assert_eq!(composed, one_by_one);
    }
}
