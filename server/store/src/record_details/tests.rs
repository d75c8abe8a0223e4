//! Tests that decoding returns the encoded files, and that damaged input causes an error.

mod pages;
mod what_moved;

use super::{encoding::VERSION, *};
use domain::{
    Change, FileListing, FileRow, FileSort, FileView, Files, FilesQuery, Moved, MovedKind,
    Percentage,
};
use proptest::{collection::btree_map, prelude::*};
use std::collections::BTreeMap;

fn count() -> impl Strategy<Value = Count> {
    (0..5_000_u64, 0..5_000_u64).prop_map(|(covered, uncovered)| Count {
        covered,
        total: covered + uncovered,
    })
}

fn counts() -> impl Strategy<Value = FileCounts> {
    (count(), count(), count()).prop_map(|(lines, branches, functions)| FileCounts {
        lines,
        branches,
        functions,
    })
}

fn some_files() -> impl Strategy<Value = BTreeMap<String, FileCounts>> {
    let path = prop_oneof!["[ab]{1,2}(/[ab\u{e9}🦀]{1,2}){0,3}", "\\PC{0,20}"];
    btree_map(path, counts(), 0..40)
}

fn encoded(files: &BTreeMap<String, FileCounts>) -> StoredFiles {
    let mut encoder = FilesEncoder::new();
    for (path, counts) in files {
        encoder.add(path, *counts).expect("room");
    }
    let (count, encoded) = encoder.finish().expect("room");
    StoredFiles {
        counter: "line".to_owned(),
        root: String::new(),
        count,
        encoded: Some(encoded),
    }
}

fn decoded(stored: &StoredFiles) -> Result<BTreeMap<String, FileCounts>, DecodeError> {
    let mut files = BTreeMap::new();
    let mut reader = stored.read("")?.expect("files");
    while reader.advance()? {
        files.insert(reader.path().to_owned(), reader.counts());
    }
    Ok(files)
}

fn of_lines(files: &[(&str, u64, u64)]) -> BTreeMap<String, FileCounts> {
    let file = |&(path, covered, total): &(&str, u64, u64)| {
        let lines = Count { covered, total };
        let counts = FileCounts {
            lines,
            ..FileCounts::default()
        };
        (path.to_owned(), counts)
    };
    files.iter().map(file).collect()
}

fn listed(stored: &StoredFiles, query: &FilesQuery) -> FileListing {
    match list(stored, query) {
        Ok(Files::Listed(listing)) => *listing,
        other => panic!("{other:?}"),
    }
}

fn names(listing: &FileListing) -> Vec<(&str, Option<u32>)> {
    let rows = listing.rows.iter();
    rows.map(|row| (row.path.as_str(), row.files)).collect()
}

fn total(files: &BTreeMap<String, FileCounts>) -> Count {
    files
        .values()
        .fold(Count::default(), |sum, file| sum.plus(file.lines))
}

fn change(base: &BTreeMap<String, FileCounts>, head: &BTreeMap<String, FileCounts>) -> Change {
    Change::between(total(base).percentage(), total(head).percentage())
}

/// The groups and the named files must add up to the change.
fn assert_adds_up(moved: &Moved, change: Change) {
    let groups = [moved.added, moved.removed, moved.changed];
    let sum: i32 = groups.iter().map(|group| group.change.basis_points()).sum();
    assert_eq!(
        sum + moved.outside_groups.basis_points(),
        change.basis_points()
    );
    // Only rounding errors remain: half a hundredth for each of the three groups, and one hundredth for each percentage.
    assert!(moved.outside_groups.basis_points().abs() <= 3, "{moved:?}");
    let named: i32 = moved
        .files
        .iter()
        .map(|file| file.change.basis_points())
        .sum();
    assert_eq!(
        named + moved.outside_files.basis_points(),
        change.basis_points()
    );
    let all: u32 = groups.iter().map(|group| group.files).sum();
    assert_eq!(all, moved.files.len() as u32 + moved.other_files);
}

proptest! {
    #[test]
    fn encoded_files_round_trip(files in some_files()) {
        prop_assert_eq!(decoded(&encoded(&files)), Ok(files));
    }

    #[test]
    fn decoding_arbitrary_bytes_never_panics(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        count in 0..50_u32,
        is_ours in any::<bool>(),
    ) {
        let mut encoded = bytes;
        if let (Some(first), true) = (encoded.first_mut(), is_ours) {
            *first = VERSION;
        }
        let stored = StoredFiles { count, encoded: Some(encoded), ..StoredFiles::default() };
        let _ = decoded(&stored);
        let _ = list(&stored, &FilesQuery::default());
        let _ = moved(&stored, &stored, Change::from_basis_points(1), 10);
    }

    #[test]
    fn decoding_stored_files_with_a_damaged_byte_never_panics(
        files in some_files(), at in any::<prop::sample::Index>(), byte in any::<u8>(),
    ) {
        let mut stored = encoded(&files);
        let bytes = stored.encoded.as_mut().expect("bytes");
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if decoded(&stored).is_ok() {
            let _ = list(&stored, &FilesQuery { view: FileView::Flat, ..FilesQuery::default() });
            let _ = list(&stored, &FilesQuery { folder: "a".to_owned(), ..FilesQuery::default() });
        }
    }

    #[test]
    fn truncated_stored_files_are_an_error(files in some_files(), at in any::<prop::sample::Index>()) {
        let mut stored = encoded(&files);
        let bytes = stored.encoded.as_mut().expect("bytes");
        bytes.truncate(at.index(bytes.len()));
        // The removed bytes may be only the end marker.
        let read = decoded(&stored);
        prop_assert!(read.is_err() || read == Ok(files));
    }

    #[test]
    fn the_rows_of_every_folder_add_up_to_its_total(files in some_files()) {
        let stored = encoded(&files);
        let mut folders = vec![String::new()];
        let mut seen = 0;
        while let Some(folder) = folders.pop() {
            let listing = listed(&stored, &FilesQuery { folder, ..FilesQuery::default() });
            let sum = listing.rows.iter().fold(Count::default(), |sum, row| sum.plus(row.lines));
            prop_assert_eq!(sum, listing.folder.lines);
            let files: u32 = listing.rows.iter().map(|row| row.files.unwrap_or(1)).sum();
            prop_assert_eq!(Some(files), listing.folder.files);
            for row in &listing.rows {
                match row.files {
                    Some(_) => folders.push(row.path.clone()),
                    None => seen += 1,
                }
            }
        }
        prop_assert_eq!(seen, files.len());
    }

    #[test]
    fn file_changes_add_up_to_the_total_change(base in some_files(), head in some_files()) {
        let change = change(&base, &head);
        if let Some(moved) = moved(&encoded(&base), &encoded(&head), change, 10).expect("files") {
            assert_adds_up(&moved, change);
            let more = total(&head).uncovered() as i64 - total(&base).uncovered() as i64;
            prop_assert_eq!(moved.uncovered, more);
        }
    }
}

#[test]
fn a_later_version_is_distinguished_from_damage() {
    let stored = StoredFiles {
        encoded: Some(vec![VERSION + 1, 0]),
        ..StoredFiles::default()
    };
    assert_eq!(decoded(&stored), Err(DecodeError::Version(VERSION + 1)));
}

#[test]
fn a_file_takes_few_bytes_and_the_last_of_15000_files_is_found() {
    let files: BTreeMap<_, _> = (0..15_000_u64)
        .map(|number| {
            let path = format!(
                "src/main/java/com/acme/module{}/package{}/Some{number}Class.java",
                number / 1_000,
                number / 50
            );
            let total = number * 7_919 % 400;
            let lines = Count {
                covered: total * 3 / 4,
                total,
            };
            (
                path,
                FileCounts {
                    lines,
                    ..FileCounts::default()
                },
            )
        })
        .collect();
    let stored = encoded(&files);
    let bytes = stored.encoded.as_ref().expect("bytes").len();
    assert!(bytes < 15_000 * 12, "{bytes}");
    let last = FilesQuery {
        view: FileView::Flat,
        page: 150,
        ..FilesQuery::default()
    };
    assert_eq!(listed(&stored, &last).rows.len(), 100);
}

#[test]
fn a_folder_is_listed_with_the_sums_of_its_folders() {
    let files = of_lines(&[
        ("README", 0, 0),
        ("src/auth/login.rs", 5, 10),
        ("src/auth/token.rs", 10, 10),
        ("src/lib.rs", 1, 4),
        ("tests/it/deep/a.rs", 0, 3),
        ("tests/it/deep/b.rs", 0, 1),
    ]);
    let stored = encoded(&files);
    let query = |folder: &str| FilesQuery {
        folder: folder.to_owned(),
        ..FilesQuery::default()
    };
    let top = listed(&stored, &query(""));
    assert_eq!(
        names(&top),
        [
            ("src", Some(3)),
            ("tests/it/deep", Some(2)),
            ("README", None)
        ]
    );
    assert_eq!(
        top.rows[0].lines,
        Count {
            covered: 16,
            total: 24
        }
    );
    let src = listed(&stored, &query("src"));
    assert_eq!(names(&src), [("src/auth", Some(2)), ("src/lib.rs", None)]);
    assert_eq!(names(&listed(&stored, &query("sr"))), []);
    assert_eq!(listed(&stored, &query("nowhere")).folder.files, Some(0));
}

#[test]
fn a_folder_with_only_one_folder_is_collapsed() {
    let files = of_lines(&[
        ("src/main/java/a/B.java", 1, 2),
        ("src/main/java/c/D.java", 1, 2),
    ]);
    let top = listed(&encoded(&files), &FilesQuery::default());
    assert_eq!(top.query.folder, "src/main/java");
    assert_eq!(
        names(&top),
        [("src/main/java/a", Some(1)), ("src/main/java/c", Some(1))]
    );
    let one = listed(
        &encoded(&of_lines(&[("a/b/c", 1, 2)])),
        &FilesQuery::default(),
    );
    assert_eq!(names(&one), [("a/b/c", None)]);
}

#[test]
fn the_map_shows_folders_for_a_list_and_matches_for_a_search() {
    let files = of_lines(&[("a/x.rs", 1, 2), ("a/y.rs", 1, 2), ("b/x.rs", 1, 2)]);
    let on_the_map = |keyword: &str| {
        let query = FilesQuery {
            view: FileView::Flat,
            keyword: keyword.to_owned(),
            ..FilesQuery::default()
        };
        let rows = listed(&encoded(&files), &query).largest.rows.into_iter();
        rows.map(|row| row.path).collect::<Vec<_>>()
    };
    assert_eq!(on_the_map(""), ["a", "b"]);
    assert_eq!(on_the_map("x.rs"), ["a/x.rs", "b/x.rs"]);
}

#[test]
fn files_are_searched_sorted_and_paged() {
    let files: Vec<_> = (0..250)
        .map(|number| (format!("src/File{number:03}.rs"), 250 - number, 250))
        .collect();
    let borrowed: Vec<_> = files
        .iter()
        .map(|(path, covered, total)| (path.as_str(), *covered, *total))
        .collect();
    let stored = encoded(&of_lines(&borrowed));
    let query = FilesQuery {
        view: FileView::Flat,
        page: 2,
        ..FilesQuery::default()
    };
    let second = listed(&stored, &query);
    assert_eq!(
        (second.matching, second.pages, second.rows.len()),
        (250, 3, 100)
    );
    assert_eq!(second.rows[0].path, "src/File149.rs");
    let beyond = listed(
        &stored,
        &FilesQuery {
            page: u32::MAX,
            ..query.clone()
        },
    );
    assert_eq!((beyond.query.page, beyond.rows.len()), (3, 50));
    let found = listed(
        &stored,
        &FilesQuery {
            keyword: "FILE01".to_owned(),
            sort: FileSort::Name,
            ..FilesQuery::default()
        },
    );
    assert_eq!(
        (found.matching, found.rows[0].path.as_str()),
        (10, "src/File010.rs")
    );
    assert_eq!(found.largest.rows.len(), 10);
}
