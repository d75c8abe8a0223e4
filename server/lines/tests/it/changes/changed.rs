//! The state of changed lines.

use super::*;
use lines::{FileLines, Line, Lines};

/// A file whose lines ran this often, from line 1 on. A negative number is a partial line.
fn file(hits: &[i64]) -> FileLines {
    let lines = (1..).zip(hits);
    lines
        .map(|(number, &hits)| (Line::new(number, hits.unsigned_abs(), hits < 0), None))
        .collect()
}

fn record() -> Lines {
    let mut lines = Lines::default();
    lines.add("src/fee.rs", file(&[1, 1, 0, 0, -1, 0, 1]));
    lines.add("src/moved.rs", file(&[0]));
    lines.add("src/removed_lines.rs", file(&[0]));
    lines
}

#[test]
fn changed_lines_have_the_states_of_the_record() {
    let changes = read(
        "diff --git a/src/fee.rs b/src/fee.rs\n--- a/src/fee.rs\n+++ b/src/fee.rs\n@@ -1,0 +2,2 @@\n@@ -2 +5,2 @@\n@@ -9 +90,5 @@\n\
         diff --git a/src/old.rs b/src/moved.rs\nrename from src/old.rs\nrename to src/moved.rs\n\
         diff --git a/src/removed_lines.rs b/src/removed_lines.rs\n--- a/src/removed_lines.rs\n+++ b/src/removed_lines.rs\n@@ -1 +0,0 @@\n\
         diff --git a/src/gone.rs b/src/gone.rs\ndeleted file mode 100644\n--- a/src/gone.rs\n+++ /dev/null\n@@ -1 +0,0 @@\n",
    )
    .expect("a diff");
    let record = record();
    let changed = changes.measured(&record);
    let of_files: Vec<_> = changed
        .files
        .iter()
        .map(|file| {
            (
                file.path,
                file.old_path,
                file.counts.covered(),
                file.counts.coverable(),
            )
        })
        .collect();
    assert_eq!(
        of_files,
        [
            ("src/fee.rs", Some("src/fee.rs"), 2, 4),
            ("src/moved.rs", Some("src/old.rs"), 0, 0),
            ("src/removed_lines.rs", Some("src/removed_lines.rs"), 0, 0),
        ]
    );
    assert_eq!(changed.files[0].missed, [3..=3, 6..=6]);
    assert_eq!(changed.files[0].partial, [5..=5]);
    assert_eq!(changed.counts().coverable(), 4);
    assert_eq!(changed.unmeasured, [""; 0]);
}

#[test]
fn a_file_that_is_not_in_the_record_is_named_if_others_like_it_are() {
    let added = |path: &str| {
        format!(
            "diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n"
        )
    };
    let diff: String = ["README.md", "src/new.rs", "Makefile", ".rs", "docs/x.rst"]
        .map(added)
        .concat();
    let only_removed = "diff --git a/z.rs b/z.rs\n--- a/z.rs\n+++ b/z.rs\n@@ -1 +0,0 @@\n";
    let changes = read(diff + only_removed).expect("a diff");
    let changed = changes.measured(&record()).unmeasured;
    assert_eq!(changed, ["src/new.rs"]);
}

#[test]
fn hunks_that_do_not_fit_each_other_are_noticed() {
    let fits = |hunks: &str| {
        let diff = format!("diff --git a/a b/a\n--- a/a\n+++ b/a\n{hunks}");
        files(diff)[0].is_consistent()
    };
    assert!(fits(
        "@@ -3 +3,2 @@\n@@ -10,2 +10,0 @@\n@@ -20,0 +20,3 @@\n"
    ));
    assert!(!fits("@@ -3 +4 @@\n"));
    assert!(!fits("@@ -3 +3,2 @@\n@@ -10 +10 @@\n"));
}
