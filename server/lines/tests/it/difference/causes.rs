//! The cause of each difference.

use super::*;
use lines::{AbsentParts, Flicker, FlickeringFile, IgnoredPaths, Moves, Way, fingerprint};

const DELETED: &str = "diff --git a/gone.c b/gone.c\ndeleted file mode 100644\n--- a/gone.c\n+++ /dev/null\n@@ -1,2 +0,0 @@\n";
const ADDED: &str = "diff --git a/new.c b/new.c\nnew file mode 100644\n--- /dev/null\n+++ b/new.c\n@@ -0,0 +1,2 @@\n";

fn exact(changes: &Changes) -> Way<'_> {
    Way {
        changes: Some(changes),
        is_exact: true,
        ..Way::default()
    }
}

#[test]
fn the_hunks_say_which_lines_are_unchanged() {
    // Line 2 is replaced by two, line 5 is removed: base 3 is head 4, 4 is 5, and from 6 on both have the same numbers.
    let changes = changes(&edit("a.c", "@@ -2 +2,2 @@\n@@ -5 +5,0 @@\n"));
    let base = record(&[("a.c", "+-+-++-.-")]);
    let head = record(&[("a.c", "++--+-++-")]);
    let difference = Difference::between(&base, &head, exact(&changes));
    assert_eq!(
        groups(&difference),
        [
            (Cause::Added, "a.c", 1, 2),
            (Cause::Removed, "a.c", -1, -2),
            (Cause::Gained, "a.c", 2, 0),
            (Cause::Lost, "a.c", -2, 0),
            (Cause::Appeared, "a.c", 1, 1),
        ]
    );
    assert_eq!(difference.lost, [("a.c", vec![4..=4, 6..=6])]);
    assert_eq!(difference.lost_lines(), 2);
    assert!(difference.stale_hunks.is_empty());
}

#[test]
fn a_renamed_file_has_only_the_differences_of_its_lines() {
    let changes = changes("diff --git a/old.c b/new.c\nrename from old.c\nrename to new.c\n");
    let base = record(&[("old.c", "+++"), ("z.c", "+")]);
    let head = record(&[("new.c", "+-+"), ("z.c", "+")]);
    let difference = Difference::between(&base, &head, exact(&changes));
    assert_eq!(groups(&difference), [(Cause::Lost, "new.c", -1, 0)]);
}

#[test]
fn a_file_may_be_replaced_by_a_renamed_one() {
    let changes = changes(
        "diff --git a/a.c b/b.c\nrename from a.c\nrename to b.c\n\
         diff --git a/b.c b/c.c\nrename from b.c\nrename to c.c\n",
    );
    let base = record(&[("a.c", "+"), ("b.c", "-")]);
    let head = record(&[("b.c", "+"), ("c.c", "-")]);
    let difference = Difference::between(&base, &head, exact(&changes));
    assert_eq!(difference, Difference::default());
}

#[test]
fn a_copy_is_new_and_its_original_stays() {
    let copied = "diff --git a/old.c b/new.c\ncopy from old.c\ncopy to new.c\n";
    let edited = format!("{copied}{}", edit("old.c", "@@ -9 +9 @@\n"));
    let base = record(&[("old.c", "++")]);
    let head = record(&[("new.c", "+-"), ("old.c", "++")]);
    for diff in [copied, &edited] {
        let changes = changes(diff);
        let difference = Difference::between(&base, &head, exact(&changes));
        assert_eq!(
            groups(&difference),
            [(Cause::Added, "new.c", 1, 2)],
            "{diff}"
        );
    }
}

#[test]
fn files_vanish_if_not_deleted_and_appear_if_not_added() {
    let base = record(&[("gone.c", "+-"), ("legacy.c", "+-"), ("x.c", "+")]);
    let head = record(&[("found.c", "--"), ("new.c", "+-"), ("x.c", "+")]);
    let changes = changes(&format!("{DELETED}{ADDED}"));
    assert_eq!(
        groups(&Difference::between(&base, &head, exact(&changes))),
        [
            (Cause::Appeared, "found.c", 0, 2),
            (Cause::Removed, "gone.c", -1, -2),
            (Cause::Vanished, "legacy.c", -1, -2),
            (Cause::Added, "new.c", 1, 2),
        ]
    );
}

#[test]
fn covered_lines_that_nothing_measures_any_more_are_lost() {
    let renamed = "diff --git a/old.c b/moved.c\nrename from old.c\nrename to moved.c\n";
    let changes = changes(&format!(
        "{DELETED}{renamed}{}",
        edit("a.c", "@@ -1,0 +2 @@\n")
    ));
    let base = record(&[
        ("a.c", "+++-"),
        ("gone.c", "++"),
        ("legacy.c", "+-~.+"),
        ("old.c", "++"),
    ]);
    let head = record(&[("a.c", "+-.+-")]);
    let difference = Difference::between(&base, &head, exact(&changes));
    assert_eq!(
        groups(&difference),
        [
            (Cause::Added, "a.c", 0, 1),
            (Cause::Vanished, "a.c", -1, -1),
            (Cause::Removed, "gone.c", -2, -2),
            (Cause::Vanished, "legacy.c", -3, -4),
            (Cause::Vanished, "old.c", -2, -2),
        ]
    );
    let expected = [
        ("a.c", vec![3..=3]),
        ("legacy.c", vec![1..=1, 3..=3, 5..=5]),
    ];
    assert_eq!(difference.lost, expected);
}

#[test]
fn it_is_not_known_which_lines_of_a_binary_file_changed() {
    let binary = |old: &str, new: &str, header: &str| {
        format!("diff --git a/{old} b/{new}\n{header}Binary files a/{old} and b/{new} differ\n")
    };
    let diff = [
        binary("a.c", "a.c", "index 1..2 100644\n"),
        binary("gone.c", "gone.c", "deleted file mode 100644\n"),
        binary("new.c", "new.c", "new file mode 100644\n"),
        binary("old.c", "moved.c", "rename from old.c\nrename to moved.c\n"),
    ];
    let changes = changes(&diff.concat());
    let base = record(&[
        ("a.c", "+++"),
        ("gone.c", "+"),
        ("old.c", "++"),
        ("x.c", "++"),
    ]);
    let head = record(&[
        ("a.c", "+--"),
        ("moved.c", "+-"),
        ("new.c", "+-"),
        ("x.c", "+-"),
    ]);
    let difference = Difference::between(&base, &head, exact(&changes));
    assert_eq!(
        groups(&difference),
        [
            (Cause::ChangedSince, "a.c", -2, 0),
            (Cause::Removed, "gone.c", -1, -1),
            (Cause::ChangedSince, "moved.c", -1, 0),
            (Cause::Added, "new.c", 1, 2),
            (Cause::Lost, "x.c", -1, 0),
        ]
    );
    assert_eq!(difference.unknown, ["a.c", "moved.c"]);
    assert_eq!(difference.lost, [("x.c", vec![2..=2])]);
    assert!(difference.stale_hunks.is_empty());
    let changed = changes.measured(&head);
    assert_eq!(changed.binary, ["a.c", "moved.c", "new.c"]);
    assert!(changed.files.is_empty());
    let carried = base.moved(&Moves::of(&changes));
    assert_eq!(
        carried.files().map(|(path, _)| path).collect::<Vec<_>>(),
        ["x.c"]
    );
}

#[test]
fn without_the_tree_of_the_base_a_file_is_only_known_to_have_changed() {
    let changes = changes(&edit("touched.c", "@@ -1 +1 @@\n"));
    let base = record(&[
        ("gone.c", "+"),
        ("other.c", "++"),
        ("same.c", "++"),
        ("touched.c", "++"),
    ]);
    let head = record(&[
        ("new.c", "-"),
        ("other.c", ".+-"),
        ("same.c", "+-"),
        ("touched.c", "-+"),
    ]);
    let way = Way {
        changes: Some(&changes),
        ..Way::default()
    };
    assert_eq!(
        groups(&Difference::between(&base, &head, way)),
        [
            (Cause::Vanished, "gone.c", -1, -1),
            (Cause::Appeared, "new.c", 0, 1),
            (Cause::ChangedSince, "other.c", -1, 0),
            (Cause::Lost, "same.c", -1, 0),
            (Cause::ChangedSince, "touched.c", -1, 0),
        ]
    );
}

#[test]
fn hunks_that_do_not_fit_the_records_are_named_and_not_applied() {
    let inconsistent = edit("a.c", "@@ -3 +9 @@\n");
    let deleted = DELETED.replace("gone.c", "a.c");
    let added = ADDED.replace("new.c", "a.c");
    let base = record(&[("a.c", "++")]);
    let head = record(&[("a.c", "+-")]);
    for diff in [inconsistent, deleted, added] {
        let changes = changes(&diff);
        let difference = Difference::between(&base, &head, exact(&changes));
        let expected = [(Cause::ChangedSince, "a.c", -1, 0)];
        assert_eq!(groups(&difference), expected, "{diff}");
        assert_eq!(difference.stale_hunks, ["a.c"], "{diff}");
        assert_eq!(difference.lost_lines(), 0, "{diff}");
    }
}

#[test]
fn what_only_an_absent_part_ran_or_measured_is_attributed_to_it() {
    let changes = changes("");
    let unit = record(&[("a.c", "+-+.")]);
    let e2e = record(&[("a.c", "++++"), ("web.c", "+-")]);
    let limits = lines::Limits::default();
    let base = unit
        .clone()
        .united(e2e.clone(), &limits)
        .expect("few lines");
    let head = record(&[("a.c", "+--.")]);
    let absent = AbsentParts {
        absent: vec![("e2e".into(), e2e)],
        others: unit,
    };
    let way = Way {
        absent: Some(&absent),
        ..exact(&changes)
    };
    let difference = Difference::between(&base, &head, way);
    // Line 2 ran only in e2e, line 3 also in unit, line 4 was measured only in e2e.
    assert_eq!(
        groups(&difference),
        [
            (Cause::Lost, "a.c", -1, 0),
            (Cause::PartAbsent, "a.c", -2, -1),
            (Cause::PartAbsent, "web.c", -1, -2),
        ]
    );
    assert_eq!(difference.groups[1].part, Some("e2e"));
    assert_eq!(difference.lost, [("a.c", vec![3..=3])]);
}

#[test]
fn lines_that_flicker_are_not_counted_as_lost() {
    let changes = changes("");
    let base = record(&[("a.c", "++-")]);
    let head = record(&[("a.c", "--+")]);
    let found = FlickeringFile {
        lines: vec![1, 3],
        fingerprint: fingerprint(&file("+++")),
        records: Vec::new(),
    };
    let flicker: Flicker = [("a.c".into(), found)].into_iter().collect();
    let way = Way {
        flicker: Some(&flicker),
        ..exact(&changes)
    };
    let difference = Difference::between(&base, &head, way);
    let expected = [(Cause::Gained, "a.c", 1, 0), (Cause::Lost, "a.c", -2, 0)];
    assert_eq!(groups(&difference), expected);
    let flickering = difference.groups.iter().map(|group| group.flickering);
    assert_eq!(flickering.collect::<Vec<_>>(), [1, 1]);
    assert_eq!(difference.lost, [("a.c", vec![2..=2])]);
}

#[test]
fn a_line_that_no_longer_takes_a_branch_is_not_lost() {
    let changes = changes("");
    let base = record(&[("a.c", "+~-")]);
    let head = record(&[("a.c", "~+-")]);
    let difference = Difference::between(&base, &head, exact(&changes));
    assert_eq!(difference, Difference::default());
}

#[test]
fn a_file_that_only_one_side_ignores_is_one_group_and_loses_no_lines() {
    let base = record(&[("a.c", "+"), ("gen/old.c", "+-+"), ("gen/gone.c", "+")]);
    let head = record(&[("a.c", "+"), ("src/new.c", "+--"), ("src/added.c", "-")]);
    // The head ignores gen, and the base ignored lib, from where a file was moved.
    let ignored = IgnoredPaths {
        at_base: &|path| path.starts_with("lib/") || path == "src/added.c",
        at_head: &|path| path.starts_with("gen/"),
    };
    let changes = changes(
        "diff --git a/lib/new.c b/src/new.c\nrename from lib/new.c\nrename to src/new.c\n\
         diff --git a/gen/gone.c b/gen/gone.c\ndeleted file mode 100644\n--- a/gen/gone.c\n+++ /dev/null\n@@ -1 +0,0 @@\n\
         diff --git a/src/added.c b/src/added.c\nnew file mode 100644\n--- /dev/null\n+++ b/src/added.c\n@@ -0,0 +1 @@\n",
    );
    let way = Way {
        ignored: Some(ignored),
        ..exact(&changes)
    };
    let difference = Difference::between(&base, &head, way);
    assert_eq!(
        groups(&difference),
        [
            (Cause::Removed, "gen/gone.c", -1, -1),
            (Cause::Ignored, "gen/old.c", -2, -3),
            (Cause::Added, "src/added.c", 0, 1),
            (Cause::Ignored, "src/new.c", 1, 3),
        ]
    );
    assert_eq!(difference.lost, []);
    let without = Difference::between(&base, &head, exact(&changes));
    assert_eq!(without.lost, [("gen/old.c", vec![1..=1, 3..=3])]);
}
