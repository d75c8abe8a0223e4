use super::*;
use std::{
    fs::File,
    io::{Read, SeekFrom},
};
use tempfile::{TempDir, tempfile};
use zip::ZipArchive;

/// Files that deflate well, badly and not at all.
fn files() -> Vec<(String, bool, Vec<u8>)> {
    let noise: Vec<u8> = (0..300_000_u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    let deflated = [
        ("index.html", "<p>".repeat(50_000).into_bytes()),
        ("ü/empty.css", Vec::new()),
        ("noise.js", noise.clone()),
        ("last.txt", b"last".to_vec()),
    ];
    let stored = [("bar.png", noise), ("empty.png", Vec::new())];
    let with =
        |deflated| move |(name, content): (&str, Vec<u8>)| (name.to_owned(), deflated, content);
    let deflated = deflated.into_iter().map(with(true));
    deflated
        .chain(stored.into_iter().map(with(false)))
        .collect()
}

fn write(zip: &mut ZipWriter<File>) {
    for (name, deflated, content) in files() {
        zip.begin_entry(&name, deflated).expect("an entry");
        for piece in content.chunks(70_001) {
            zip.write_all(piece).expect("room");
        }
    }
}

fn check(file: File) {
    let mut archive = ZipArchive::new(file).expect("a zip file");
    assert_eq!(archive.len(), files().len());
    for (index, (name, _, content)) in files().into_iter().enumerate() {
        let mut entry = archive.by_index(index).expect("an entry");
        assert_eq!(entry.name().expect("UTF-8"), name);
        let mut read = Vec::new();
        // This also compares the checksum.
        entry.read_to_end(&mut read).expect("its content");
        assert!(read == content, "{name}");
    }
}

fn folder() -> TempDir {
    TempDir::new().expect("a folder")
}

#[test]
fn another_reader_finds_every_entry_with_its_content() {
    let folder = folder();
    let mut zip = ZipWriter::new(tempfile().expect("a file"), folder.path());
    write(&mut zip);
    check(zip.finish().expect("a whole zip file").0);
}

#[test]
fn entries_beyond_four_gibibytes_are_found() {
    let folder = folder();
    let mut file = tempfile().expect("a file");
    // A hole, so that nothing large is written.
    let start = file.seek(SeekFrom::Start(5 << 30)).expect("a position");
    let mut zip = ZipWriter::new(file, folder.path());
    zip.out.position = start;
    write(&mut zip);
    check(zip.finish().expect("a whole zip file").0);
}

#[test]
fn more_than_65535_entries_are_found_and_no_temporary_file_stays() {
    let folder = folder();
    let mut zip = ZipWriter::new(tempfile().expect("a file"), folder.path());
    let name = |number| format!("{number}/{}", "a long path ".repeat(10));
    for number in 0..70_000 {
        zip.begin_entry(&name(number), true).expect("an entry");
    }
    let left = std::fs::read_dir(folder.path())
        .expect("the folder")
        .count();
    assert_eq!(left, 0);
    let archive = ZipArchive::new(zip.finish().expect("a whole zip file").0).expect("a zip file");
    assert_eq!(archive.len(), 70_000);
    let last = archive.name_for_index(69_999).expect("an entry");
    assert_eq!(last.expect("UTF-8"), name(69_999));
}

#[test]
fn an_empty_archive_is_valid() {
    let folder = folder();
    let zip = ZipWriter::new(tempfile().expect("a file"), folder.path());
    let archive = ZipArchive::new(zip.finish().expect("a whole zip file").0);
    assert_eq!(archive.expect("a zip file").len(), 0);
}

#[test]
fn values_that_do_not_fit_the_format_are_errors() {
    let folder = folder();
    let mut zip = ZipWriter::new(tempfile().expect("a file"), folder.path());
    assert!(zip.write_all(b"content of no entry").is_err());
    assert!(zip.begin_entry(&"x".repeat(65_536), true).is_err());
    assert!(in_32_bits(u64::from(u32::MAX)).is_err());
    assert!(in_32_bits(u64::from(u32::MAX) - 1).is_ok());
}
