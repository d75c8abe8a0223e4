//! Accepted and refused archives of every kind. `server/ARCHIVES.md` has a row for each test.

mod bombs;
mod compression;
mod damage;
mod tar;
mod tools;
mod zip;

use crate::{
    harness::{Archive, Reachable, TestServer, Upload, Zip, cobertura},
    upload::bad_input::{assert_refused, refused},
};

/// A valid tar archive, to which tests add entries.
fn tar() -> Archive {
    Archive::report("<p>page", &cobertura(1, 2))
}

/// A valid zip archive, to which tests add entries.
fn zip() -> Zip {
    Zip::report("<p>page", &cobertura(1, 2))
}

/// Expects an archive to be accepted, and these files in its report.
async fn accepted(archive: Vec<u8>, files: &[(&str, &str)]) {
    accepted_by(&TestServer::start().await, archive, files).await;
}

async fn accepted_by(server: &TestServer, archive: Vec<u8>, files: &[(&str, &str)]) {
    let answer = Upload::of(archive).accepted(server).await;
    assert_eq!(answer["coverage"]["percentage"], 50.0, "{answer}");
    for (path, content) in [("index.html", "<p>page")].iter().chain(files) {
        let url = format!("/reports/{}/{path}", answer["coverage"]["id"]);
        assert_eq!(server.get_text(&url).await, *content, "{path}");
    }
}

async fn unsafe_entry(archive: Vec<u8>, in_detail: &str) {
    assert_refused(
        Upload::of(archive),
        (422, "unsafe_archive_entry"),
        in_detail,
    )
    .await;
}

async fn corrupt(archive: Vec<u8>, in_detail: &str) {
    assert_refused(Upload::of(archive), (422, "corrupt_archive"), in_detail).await;
}

async fn too_large(archive: Vec<u8>, arguments: &[&str], in_detail: &str) {
    let (status, code, problem) = refused(Upload::of(archive), arguments).await;
    let detail = problem["detail"].as_str().unwrap();
    assert_eq!(
        (status, code.as_str()),
        (413, "archive_too_large"),
        "{detail}"
    );
    assert!(detail.contains(in_detail), "{detail}");
}

#[test]
fn the_table_in_archives_md_names_every_test() {
    let table = include_str!("../../../ARCHIVES.md");
    let tests = [
        include_str!("hostile/bombs.rs"),
        include_str!("hostile/compression.rs"),
        include_str!("hostile/damage.rs"),
        include_str!("hostile/tar.rs"),
        include_str!("hostile/tools.rs"),
        include_str!("hostile/zip.rs"),
    ];
    for test in tests
        .iter()
        .flat_map(|file| file.split("#[tokio::test]").skip(1))
    {
        let name = test.trim_start().trim_start_matches("async fn ");
        let name = name.split('(').next().unwrap();
        assert!(table.contains(&format!("`{name}`")), "{name}");
    }
    let elsewhere = include_str!("bad_input/archives.rs");
    let columns = |row: &&str| row.split(" | ").count();
    for row in table.lines().filter(|row| columns(row) == 4) {
        let names = row.rsplit(" | ").next().unwrap().split('`');
        for name in names.skip(1).step_by(2) {
            let exists = |file: &&str| file.contains(&format!("async fn {name}()"));
            assert!(tests.iter().chain([&elsewhere]).any(exists), "{name}");
        }
    }
}
