//! Which lines stay when a part is carried forward through changes.

use lines::{Branches, Changes, ChangesParser, FileLines, Line, Lines, State};

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

/// The files that are left, with their hit lines.
fn carried(paths: &[&str], diff: &str) -> Vec<(String, Vec<std::ops::RangeInclusive<u32>>)> {
    let carried = record(paths).carried(&changes(diff));
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
    let carried = lines.carried(&changes(above));
    let file = carried.get("a.c").expect("the file");
    assert_eq!(file.branches(7), branches.as_ref());
}
