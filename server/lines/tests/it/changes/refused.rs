//! Texts that are not a diff: the error names the line.

use super::*;
use proptest::prelude::*;

fn problem(diff: impl AsRef<[u8]>) -> String {
    read(diff).expect_err("no diff").to_string()
}

/// A diff of one file with these lines after its names.
fn of_file(rest: &str) -> String {
    format!("diff --git a/a b/a\n--- a/a\n+++ b/a\n{rest}")
}

#[test]
fn what_is_not_a_diff_is_refused_with_its_line() {
    for (diff, expected) in [
        (
            "<html>404</html>\n".to_owned(),
            "line 1: expected `diff --git a/… b/…`",
        ),
        ("@@ -1 +1 @@\n".to_owned(), "line 1: expected `diff --git"),
        (
            "--- a/x\n+++ b/x\n".to_owned(),
            "line 1: expected `diff --git",
        ),
        (
            "commit 1234\nAuthor: Kim\n".to_owned(),
            "line 1: expected `diff --git",
        ),
        (
            "diff --cc a.c\n".to_owned(),
            "line 1: a combined diff (`diff --cc`) has several bases",
        ),
        (
            "diff --combined a.c\n".to_owned(),
            "line 1: a combined diff",
        ),
        (
            "diff --git a/a b/a\nhello\n".to_owned(),
            "line 2: expected a header line of `git diff`",
        ),
        (
            "diff --git a/one b/other b/third\n".to_owned(),
            "line 1: it is not clear where the first name ends",
        ),
        (
            "diff --git a/a b/a\n--- \"a/\\9\"\n".to_owned(),
            "line 2: expected a name, quoted as git does it",
        ),
        (
            "diff --git a/a b/a\n--- x\n".to_owned(),
            "line 2: expected a name that begins with a/ or b/",
        ),
        (
            "diff --git a/../x b/../x\n".to_owned(),
            "line 1: expected a path inside the repository",
        ),
        (
            "diff --git a//etc b//etc\n".to_owned(),
            "line 1: expected a path inside the repository",
        ),
        (
            "diff --git a/a b/a\n--- a/a\n+++ b/../x\n@@ -1 +1 @@\n".to_owned(),
            "line 1: expected a path inside",
        ),
        (of_file("@@ -1 +1\n"), "line 4: expected a hunk such as"),
        (
            of_file("@@@ -1 -1 +1 @@@\n"),
            "line 4: expected a hunk such as",
        ),
        (of_file("@@ -x +1 @@\n"), "line 4: expected a hunk such as"),
        (of_file("@@ -+1 +1 @@\n"), "line 4: expected a hunk such as"),
        (of_file("@@ -0 +1 @@\n"), "line 4: expected a hunk such as"),
        (
            of_file("@@ -1,0 +1,0 @@\n"),
            "line 4: expected a hunk with lines",
        ),
        (
            of_file("@@ -1 +2147483647 @@\n"),
            "line 4: expected lines up to 2147483647",
        ),
        (
            of_file("@@ -1 +1,4294967295 @@\n"),
            "line 4: expected lines up to",
        ),
        (
            of_file("@@ -1 +1,99999999999 @@\n"),
            "line 4: expected lines up to",
        ),
        (
            of_file("@@ -9 +9 @@\n@@ -3 +3 @@\n"),
            "line 5: expected a hunk after the one before it",
        ),
        (
            of_file("@@ -1,5 +1,5 @@\n@@ -5 +5 @@\n"),
            "line 5: expected a hunk after the one before it",
        ),
        (
            of_file("@@ -1,2 +1 @@\n-a\n"),
            "line 4: expected as many lines as the hunk's header states",
        ),
        (
            of_file("@@ -1,2 +1 @@\n-a\n@@ -9 +8 @@\n"),
            "line 4: expected as many lines",
        ),
        (
            of_file("@@ -1 +1 @@\n-a\n+b\n+c\n"),
            "line 7: expected a header line",
        ),
        (
            of_file(&of_file("")),
            "line 6: expected each file once, and \"a\" is there twice",
        ),
    ] {
        let problem = problem(&diff);
        assert!(problem.starts_with(expected), "{diff:?}: {problem}");
    }
}

#[test]
fn a_megabyte_of_headers_ends_at_the_first_wrong_one() {
    assert!(problem("@@".repeat(1 << 19)).starts_with("line 1: "));
    assert!(problem(of_file(&"@@ -1 +1 @@\n".repeat(100_000))).starts_with("line 5: "));
    assert!(
        problem(format!("diff --git a/{0} b/{0}\n", "x".repeat(1 << 20))).starts_with("line 1: ")
    );
    assert!(
        problem(format!("diff --git a/{0} b/{0}\n", "x".repeat(5_000))).starts_with("line 1: ")
    );
}

/// Lines that are valid somewhere in a diff, and some that are not.
const LINES: [&str; 16] = [
    "diff --git a/x b/x",
    "diff --git a/y b/y",
    "--- a/x",
    "+++ b/x",
    "--- /dev/null",
    "new file mode 100644",
    "deleted file mode 100644",
    "rename from x",
    "rename to z",
    "@@ -1 +1,2 @@",
    "@@ -4,2 +6 @@",
    "@@ -9,0 +11,4 @@",
    "-a",
    "+b",
    " c",
    "GIT binary patch",
];

proptest! {
    #[test]
    fn any_lines_are_read_alike_in_pieces_and_never_panic(
        lines in prop::collection::vec(prop::sample::select(LINES.to_vec()), 0..12),
        cut in any::<prop::sample::Index>(),
        noise in any::<u8>(),
    ) {
        let mut diff = lines.join("\n").into_bytes();
        for byte in [None, Some(noise)] {
            if let Some(byte) = byte && !diff.is_empty() {
                let place = cut.index(diff.len());
                diff[place] = byte;
            }
            let whole = read(&diff);
            let mut parser = ChangesParser::default();
            let fed = diff.chunks(3).try_for_each(|piece| parser.feed(piece));
            prop_assert_eq!(&fed.and_then(|()| parser.finish()), &whole);
            let Ok(changes) = whole else { continue };
            let blob = changes.encode().expect("few changes");
            prop_assert_eq!(&Changes::decode(&blob).expect("what was encoded"), &changes);
            for file in changes.files() {
                let _ = file.is_consistent();
                for hunk in &file.hunks {
                    prop_assert!(hunk.new.lines == 0 || old_line(file, hunk.new.first).is_none());
                }
            }
        }
    }
}
