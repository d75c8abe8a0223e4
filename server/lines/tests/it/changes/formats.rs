//! Everything that `git diff` writes.

use super::*;

#[test]
fn header_lines_alone_are_enough() {
    let files = files(
        "diff --git a/src/a.c b/src/a.c\n--- a/src/a.c\n+++ b/src/a.c\n@@ -3 +3,2 @@\n@@ -10,2 +10,0 @@\n@@ -20,0 +20,3 @@\n\
         diff --git a/old.c b/new.c\nrename from old.c\nrename to new.c\n\
         diff --git a/added.c b/added.c\nnew file mode 100644\n--- /dev/null\n+++ b/added.c\n@@ -0,0 +1,4 @@\n\
         diff --git a/gone.c b/gone.c\ndeleted file mode 100644\n--- a/gone.c\n+++ /dev/null\n@@ -1,4 +0,0 @@\n",
    );
    let all: Vec<_> = files.iter().map(paths).collect();
    assert_eq!(
        all,
        [
            ("", "added.c"),
            ("gone.c", ""),
            ("old.c", "new.c"),
            ("src/a.c", "src/a.c")
        ]
    );
    assert_eq!(numbers(&files[0]), [[1, 0, 1, 4]]);
    assert_eq!(numbers(&files[1]), [[1, 4, 1, 0]]);
    assert_eq!(numbers(&files[2]), [[0_u32; 4]; 0]);
    assert_eq!(
        numbers(&files[3]),
        [[3, 1, 3, 2], [10, 2, 11, 0], [21, 0, 20, 3]]
    );
}

#[test]
fn lines_of_context_are_not_changed() {
    let diff = "diff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n\
                @@ -1,7 +1,8 @@ fn main() {\n one\n-two\n+2\n+2.5\n three\n four\n-five\n+5\n six\n seven\n\\ No newline at end of file\n";
    let expected = [[2, 1, 2, 2], [5, 1, 6, 1]];
    assert_eq!(numbers(&files(diff)[0]), expected);
    let windows = diff.replace('\n', "\r\n");
    assert_eq!(numbers(&files(windows)[0]), expected);
    let trimmed = diff.replace("\n three\n", "\n\n");
    assert_eq!(numbers(&files(trimmed)[0]), expected);
}

#[test]
fn text_that_looks_like_a_header_is_text() {
    let head = "diff --git a/q.sql b/q.sql\n--- a/q.sql\n+++ b/q.sql\n";
    for (body, expected) in [
        // A removed line `-- x`, an added line `++ y`, with and without the other lines.
        (
            "@@ -1,2 +1,2 @@\n--- x\n-z\n+++ y\n+@@ -1 +1 @@\n",
            vec![[1, 2, 1, 2]],
        ),
        ("@@ -1,2 +1,2 @@\n--- x\n+++ y\n", vec![[1, 2, 1, 2]]),
        (
            "@@ -1,2 +1,2 @@\n--- x\n+++ y\n@@ -9 +9 @@\n",
            vec![[1, 2, 1, 2], [9, 1, 9, 1]],
        ),
        (
            "@@ -1 +1 @@\n-diff --git a/x b/x\n+diff --git a/y b/y\n",
            vec![[1, 1, 1, 1]],
        ),
    ] {
        let files = files(format!("{head}{body}"));
        assert_eq!(files.len(), 1, "{body}");
        assert_eq!(numbers(&files[0]), expected, "{body}");
    }
}

#[test]
fn names_may_have_any_bytes() {
    for (names, expected) in [
        ("a/with space b/with space", ("with space", "with space")),
        ("a/x b/y b/x b/y", ("x b/y", "x b/y")),
        (
            r#""a/\303\244\t\"\\.c" "b/\303\244\t\"\\.c""#,
            ("ä\t\"\\.c", "ä\t\"\\.c"),
        ),
        (r#"a/plain "b/\001""#, ("plain", "\u{1}")),
        (r#""a/\001" b/plain"#, ("\u{1}", "plain")),
        ("no/prefix no/prefix", ("no/prefix", "no/prefix")),
        ("a/no/prefix a/no/prefix", ("a/no/prefix", "a/no/prefix")),
        ("i/index w/index", ("index", "index")),
        ("a/ä b/ä", ("ä", "ä")),
    ] {
        let files = files(format!(
            "diff --git {names}\nold mode 100644\nnew mode 100755\n"
        ));
        assert_eq!(paths(&files[0]), expected, "{names}");
    }
    for (sides, expected) in [
        ("--- a/x y\t\n+++ b/x y\t\n", ("x y", "x y")),
        (
            "--- a/x\t2026-11-24 06:00:00\n+++ b/x\t2026-11-24\n",
            ("x", "x"),
        ),
        ("--- \"a/\\303\\244\"\n+++ \"b/\\303\\244\"\n", ("ä", "ä")),
    ] {
        let files = files(format!("diff --git a/? b/! b/? b/!\n{sides}@@ -1 +1 @@\n"));
        assert_eq!(paths(&files[0]), expected, "{sides}");
    }
    let moved = files(
        "diff --git old dir/a new dir/b\nsimilarity index 90%\nrename from old dir/a\nrename to new dir/b\n--- old dir/a\t\n+++ new dir/b\t\n@@ -1 +1 @@\n",
    );
    assert_eq!(paths(&moved[0]), ("old dir/a", "new dir/b"));
}

#[test]
fn files_without_lines_are_changes_too() {
    let files = files(
        "diff --git a/mode.sh b/mode.sh\nold mode 100644\nnew mode 100755\n\
         diff --git a/p.png b/p.png\nindex 1..2 100644\nBinary files a/p.png and b/p.png differ\n\
         diff --git a/q.png b/q.png\nindex 1..2 100644\nGIT binary patch\nliteral 3\nKcmZ\n\nliteral 2\nJcm\n\n\
         diff --git a/empty b/empty\nnew file mode 100644\nindex 0000000..e69de29\n\
         diff --git a/from b/to\nsimilarity index 100%\ncopy from from\ncopy to to\n",
    );
    let all: Vec<_> = files.iter().map(paths).collect();
    assert_eq!(
        all,
        [
            ("", "empty"),
            ("mode.sh", "mode.sh"),
            ("p.png", "p.png"),
            ("q.png", "q.png"),
            ("from", "to")
        ]
    );
    assert!(files.iter().all(|file| file.hunks.is_empty()));
}

#[test]
fn submodules_are_left_out() {
    let files = files(
        "diff --git a/sub b/sub\nindex 1111111..2222222 160000\n--- a/sub\n+++ b/sub\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n\
         diff --git a/new b/new\nnew file mode 160000\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n\
         Submodule libs/x 1111111..2222222:\n  > Fix it\n  < Break it\n\
         diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n",
    );
    assert_eq!(files.len(), 1);
    assert_eq!(paths(&files[0]), ("a", "a"));
}

#[test]
fn a_file_that_becomes_a_link_is_deleted_and_added() {
    let files = files(
        "diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1,3 +0,0 @@\n\
         diff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n",
    );
    let all: Vec<_> = files.iter().map(paths).collect();
    assert_eq!(all, [("x", ""), ("", "x")]);
}

#[test]
fn an_empty_diff_changes_nothing() {
    assert_eq!(files(""), []);
    assert_eq!(files("\n"), []);
}

#[test]
fn pieces_of_any_size_are_the_same_diff() {
    let diff = "diff --git \"a/\\303\\244\" \"b/\\303\\244\"\n--- \"a/\\303\\244\"\n+++ \"b/\\303\\244\"\n@@ -1 +1,2 @@\n-a\n+b\n+c";
    let whole = read(diff).expect("a diff");
    for size in 1..diff.len() {
        let mut parser = ChangesParser::default();
        for piece in diff.as_bytes().chunks(size) {
            parser.feed(piece).expect("a piece");
        }
        assert_eq!(parser.finish().as_ref(), Ok(&whole), "pieces of {size}");
    }
}

#[test]
fn a_very_long_line_of_text_is_read() {
    let long = "x".repeat(1 << 20);
    let diff =
        format!("diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@ {long}\n-{long}\n+{long}\n");
    assert_eq!(numbers(&files(diff)[0]), [[1, 1, 1, 1]]);
}
