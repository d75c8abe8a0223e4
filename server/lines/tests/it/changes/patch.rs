//! The hunks of single files, and diffs whose hunks must have their lines.

use super::*;

const HUNKS: &str =
    "@@ -1,2 +1,3 @@ fn main()\n a\n-b\n+c\n+d\n@@ -9 +10,0 @@\n-x\n\\ No newline at end of file";

#[test]
fn the_hunks_of_a_file_are_those_of_a_diff_with_its_names() {
    let file =
        |old, new, hunks: &str| ChangedFile::read(old, new, hunks.as_bytes()).expect("hunks");
    for hunks in [
        HUNKS.to_owned(),
        format!("--- a/x\n+++ /dev/null\n{HUNKS}\n"),
    ] {
        let read = file(Some("old \"name\".c"), Some("ü.c"), &hunks);
        assert_eq!(paths(&read), ("old \"name\".c", "ü.c"));
        assert_eq!(numbers(&read), [[2, 1, 2, 2], [9, 1, 11, 0]]);
    }
    assert_eq!(paths(&file(None, Some("new.c"), "")), ("", "new.c"));
    assert_eq!(paths(&file(Some("gone.c"), None, "")), ("gone.c", ""));
    assert!(
        numbers(&file(
            Some("a"),
            Some("a"),
            "Binary files a/a and b/a differ\n"
        ))
        .is_empty()
    );
}

#[test]
fn what_is_not_the_hunks_of_one_file_is_refused() {
    for hunks in [
        "@@ -1,2 +1,3 @@\n a\n-b\n",
        "@@ -1,2 +1,3 @@\n",
        "@@ -9 +9 @@\n-a\n+a\n@@ -1 +1 @@\n-a\n+a\n",
        "@@ -1 +1 @@\n-a\n+a\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+a\n",
        "--- a/x\n+++ b/x\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+a\n",
        "rename from x\nrename to y\n",
        "new file mode 100644\n",
        "hello\n",
    ] {
        let read = ChangedFile::read(Some("a.c"), Some("a.c"), hunks.as_bytes());
        assert!(read.is_err(), "{hunks:?}: {read:?}");
    }
    for path in ["../a", "/a", "", "a//b", &"a".repeat(5_000)] {
        assert!(ChangedFile::read(None, Some(path), b"").is_err(), "{path}");
    }
    assert!(ChangedFile::read(None, None, b"").is_err());
}

#[test]
fn a_whole_diff_must_have_the_lines_of_its_hunks() {
    let head = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,9 +1,9 @@\n";
    let mut parser = ChangesParser::whole();
    let fed = parser.feed(head.as_bytes()).and_then(|()| parser.finish());
    assert_eq!(fed.expect_err("no lines").line, 4);
    assert!(
        read(head).is_ok(),
        "header lines alone are enough elsewhere"
    );
}

#[test]
fn changes_are_made_of_files_in_any_order_but_not_twice() {
    let file = |path| ChangedFile::read(None, Some(path), b"").expect("a file");
    let changes = Changes::of(vec![file("b"), file("a")]).expect("changes");
    let names: Vec<_> = changes
        .into_files()
        .iter()
        .map(|file| file.name().to_owned())
        .collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(Changes::of(vec![file("a"), file("a")]), Err("a".into()));
}
