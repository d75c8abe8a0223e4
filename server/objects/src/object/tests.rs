use super::*;
use crate::{Folder, Reports};
use flate2::read::DeflateDecoder;
use std::io::{self, Write};
use tempfile::TempDir;
use zip::{ZipWriter, write::SimpleFileOptions};

fn read(object: &ReportObject, path: &str) -> Option<String> {
    let entry = object.entry(path).expect("a readable report")?;
    let stored = object.stored(entry);
    let text = if entry.deflated {
        io::read_to_string(DeflateDecoder::new(stored))
    } else {
        io::read_to_string(stored)
    };
    Some(text.expect("the content"))
}

fn in_folder(folder: &TempDir) -> Reports {
    Reports::in_folder(folder.path().join("reports"), None).expect("a folder of reports")
}

fn published(paths: &[&str]) -> (TempDir, Arc<ReportObject>) {
    let folder = TempDir::new().expect("a folder");
    let reports = in_folder(&folder);
    let key = Reports::new_key();
    let mut staged = reports.stage(&key).expect("a report");
    for path in paths {
        staged.begin_entry(path).expect("an entry");
        staged.write_all(path.as_bytes()).expect("room");
    }
    reports.store(staged).expect("a published report");
    (folder, reports.get(&key).expect("an open report"))
}

#[test]
fn entries_keep_their_content_however_many_and_large_they_are() {
    const MANY: usize = 5 << 20;
    for sizes in [&[3][..], &[0, 100_000], &[9, MANY, 8, 7, 6], &[MANY; 4]] {
        let folder = TempDir::new().expect("a folder");
        let reports = in_folder(&folder);
        let key = Reports::new_key();
        let mut staged = reports.stage(&key).expect("a report");
        for (number, &size) in sizes.iter().enumerate() {
            staged.begin_entry(&number.to_string()).expect("an entry");
            let content = number.to_string().repeat(size);
            for piece in content.as_bytes().chunks(70_001) {
                staged.write_all(piece).expect("room");
            }
        }
        reports.store(staged).expect("a published report");
        let object = reports.get(&key).expect("an open report");
        for (number, &size) in sizes.iter().enumerate() {
            let content = read(&object, &number.to_string());
            assert!(
                content == Some(number.to_string().repeat(size)),
                "{number} of {sizes:?}"
            );
        }
    }
}

#[test]
fn an_entry_is_found_by_its_whole_path_only() {
    let (_folder, object) = published(&["a/b.html", "a/b.png", "ü.css"]);
    for path in ["a/b.html", "a/b.png", "ü.css"] {
        assert_eq!(read(&object, path).as_deref(), Some(path));
    }
    for path in ["", "a", "a/", "a/b.htm", "a/b.html/", "A/b.html"] {
        assert_eq!(read(&object, path), None, "{path}");
    }
}

#[test]
fn a_report_written_by_the_zip_crate_is_readable() {
    // Earlier releases wrote reports with it.
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("x.zip");
    let file = File::create(&path).expect("a file");
    let mut zip = ZipWriter::new_stream(file);
    for name in ["index.html", "ü/x.css"] {
        zip.start_file(name, SimpleFileOptions::default())
            .expect("an entry");
        zip.write_all(name.as_bytes()).expect("room");
    }
    zip.finish().expect("a zip file");
    let object = ReportObject::in_file(&path).expect("a report");
    for name in ["index.html", "ü/x.css"] {
        assert_eq!(read(&object, name).as_deref(), Some(name));
    }
}

#[test]
fn a_file_that_is_not_a_zip_is_damaged() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("x.zip");
    std::fs::write(&path, "half").expect("a file");
    let opened = ReportObject::in_file(&path);
    assert!(
        matches!(opened, Err(ReportsError::Damaged(_))),
        "{opened:?}"
    );
    let missing = ReportObject::in_file(&folder.path().join("y.zip"));
    assert!(matches!(missing, Err(ReportsError::Missing)), "{missing:?}");
}

#[test]
fn a_folder_lists_its_direct_entries_up_to_the_limit() {
    let (_folder, object) = published(&["b.css", "a/x/1.html", "a/x/2.html", "a/y/3.html", "a/4"]);
    let folder = |path, most| object.folder(path, most).expect("a readable report");
    let of = |folders: &[&str], files: &[(&str, u64)], is_cut| {
        Some(Folder {
            folders: folders.iter().map(|&name| name.to_owned()).collect(),
            files: files
                .iter()
                .map(|&(name, size)| (name.to_owned(), size))
                .collect(),
            is_cut,
        })
    };
    assert_eq!(folder("", 9), of(&["a"], &[("b.css", 5)], false));
    assert_eq!(folder("a/", 9), of(&["x", "y"], &[("4", 3)], false));
    assert_eq!(folder("a/", 1), of(&["x"], &[("4", 3)], true));
    assert_eq!([folder("c/", 9), folder("a/4/", 9)], [None, None]);
}

#[test]
fn a_removed_report_can_no_longer_be_opened() {
    let folder = TempDir::new().expect("a folder");
    let reports = in_folder(&folder);
    let key = Reports::new_key();
    let staged = reports.stage(&key).expect("a report");
    reports.store(staged).expect("a published report");
    assert!(reports.opened(&key).is_none());
    reports.get(&key).expect("an open report");
    assert!(reports.opened(&key).is_some());
    reports.remove(&key).expect("it was there");
    assert!(reports.opened(&key).is_none());
    assert!(matches!(reports.get(&key), Err(ReportsError::Missing)));
}
