//! Tests the shares of files in a change between two records.

use super::*;

#[test]
fn the_changes_name_added_removed_and_changed_files() {
    let base = of_lines(&[("a", 80, 100), ("b", 100, 100), ("gone", 10, 50)]);
    let head = of_lines(&[("a", 60, 100), ("b", 100, 100), ("new", 0, 40)]);
    let change = change(&base, &head);
    let moved = moved(&encoded(&base), &encoded(&head), change, 10)
        .expect("files")
        .expect("a comparison");
    assert_adds_up(&moved, change);
    let named: Vec<_> = moved
        .files
        .iter()
        .map(|file| (file.path.as_str(), file.kind, file.uncovered()))
        .collect();
    assert_eq!(
        named,
        [
            ("new", MovedKind::Added, 40),
            ("gone", MovedKind::Removed, -40),
            ("a", MovedKind::Changed, 20),
        ]
    );
    assert_eq!(
        (moved.added.files, moved.removed.files, moved.changed.files),
        (1, 1, 1)
    );
    assert!(moved.added.change.basis_points() < 0 && moved.removed.change.basis_points() > 0);
}

#[test]
fn rows_of_a_list_have_the_lines_that_they_had_before() {
    let base = StoredFiles {
        root: "/w/".to_owned(),
        ..encoded(&of_lines(&[
            ("lib/a", 1, 2),
            ("lib/gone", 3, 4),
            ("libs/x", 5, 9),
            ("same", 1, 1),
        ]))
    };
    let head = StoredFiles {
        root: "/w/".to_owned(),
        ..encoded(&of_lines(&[("lib/a", 2, 2), ("new", 0, 2), ("same", 1, 1)]))
    };
    let row = |path: &str, files| FileRow {
        path: path.to_owned(),
        files,
        ..FileRow::default()
    };
    let mut rows = [
        row("lib", Some(1)),
        row("new", None),
        row("same", None),
        row("lib/a", None),
    ];
    let before = |rows: &[FileRow]| -> Vec<_> {
        let counts = rows.iter().map(|row| row.before);
        counts
            .map(|count| count.map(|count| (count.covered, count.total)))
            .collect()
    };
    add_before(&mut rows, &head, &base).expect("files");
    let expected = [Some((4, 6)), Some((0, 0)), Some((1, 1)), Some((1, 2))];
    assert_eq!(before(&rows), expected);
    let other = StoredFiles {
        counter: "statement".to_owned(),
        ..base
    };
    let mut unknown = [row("lib", Some(1))];
    add_before(&mut unknown, &head, &other).expect("files");
    assert_eq!(before(&unknown), [None]);
}

#[test]
fn paths_are_compared_with_removed_common_folders_restored() {
    let base = StoredFiles {
        root: "/w/src/".to_owned(),
        ..encoded(&of_lines(&[("a.c", 1, 2)]))
    };
    let head = StoredFiles {
        root: "/w/".to_owned(),
        ..encoded(&of_lines(&[("src/a.c", 1, 2), ("tests/b.c", 0, 2)]))
    };
    let (half, quarter) = (
        Percentage::from_basis_points(5_000),
        Percentage::from_basis_points(2_500),
    );
    for (base, head, kind) in [
        (&base, &head, MovedKind::Added),
        (&head, &base, MovedKind::Removed),
    ] {
        let change = match kind {
            MovedKind::Added => Change::between(half, quarter),
            _ => Change::between(quarter, half),
        };
        let moved = moved(base, head, change, 10)
            .expect("files")
            .expect("a comparison");
        let named: Vec<_> = moved
            .files
            .iter()
            .map(|file| (file.path.as_str(), file.kind))
            .collect();
        assert_eq!(named, [("tests/b.c", kind)]);
    }
}

#[test]
fn files_with_other_counters_are_not_compared() {
    let base = encoded(&of_lines(&[("a", 1, 2)]));
    let head = StoredFiles {
        counter: "instruction".to_owned(),
        ..base.clone()
    };
    assert_eq!(
        moved(&base, &head, Change::from_basis_points(0), 10),
        Ok(None)
    );
    assert_eq!(
        moved(
            &base,
            &StoredFiles::default(),
            Change::from_basis_points(0),
            10
        ),
        Ok(None)
    );
}
