//! Damage to stored reports, and to the data of records about them.

use super::{
    assert_found, assert_repaired, assert_well, execute, numbers, server_with_records, verify,
};
use crate::harness::{Reachable, TestServer};
use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// The key of a stored report.
fn key_of(file: &Path) -> String {
    let name = file.file_name().unwrap().to_str().unwrap();
    name.strip_suffix(".zip").unwrap().to_owned()
}

/// Stores a copy of a report under an unknown key, dated `minutes` back.
fn add_orphan(server: &TestServer, minutes: u64) -> (PathBuf, String) {
    let stored = server.stored_files().remove(0);
    let key = format!("{:032x}", 0x5eed_u128 << 100 | u128::from(minutes));
    let root = stored.parent().unwrap().parent().unwrap();
    let orphan = root.join(&key[..2]).join(format!("{key}.zip"));
    fs::create_dir_all(orphan.parent().unwrap()).unwrap();
    fs::copy(&stored, &orphan).unwrap();
    let at = SystemTime::now() - Duration::from_secs(60 * minutes);
    let file = File::options().write(true).open(&orphan).unwrap();
    file.set_modified(at).unwrap();
    (orphan, key)
}

#[tokio::test]
async fn a_record_with_a_missing_report_is_found_and_marked_by_a_repair() {
    let server = server_with_records().await;
    let before = numbers(&server).await;
    let gone = server.stored_files().remove(0);
    fs::remove_file(&gone).unwrap();
    let verified = assert_found(&server, &["missing_report"]);
    assert_eq!(verified.lines[0]["key"], key_of(&gone));
    let id = verified.lines[0]["record"].as_i64().unwrap();
    assert_repaired(&server, &["missing_report"]);
    let page = server.get_text(&format!("/records/{id}")).await;
    assert!(page.contains("was removed, or found missing, on"), "{page}");
    let report = server.get(&format!("/reports/{id}/")).await;
    assert_eq!(report.status(), 404);
    assert_eq!(numbers(&server).await, before, "the numbers stay");
}

#[tokio::test]
async fn an_orphaned_report_is_found_and_removed_after_the_grace_period() {
    let server = server_with_records().await;
    let (orphan, key) = add_orphan(&server, 20);
    let verified = assert_found(&server, &["orphan_report"]);
    assert_eq!(verified.lines[0]["key"], key.as_str());
    assert_repaired(&server, &["orphan_report"]);
    assert!(orphan.exists(), "the grace period has begun");
    execute(
        &server,
        &["update orphaned_reports set released_at = released_at - 8 * 86400000000"],
    )
    .await;
    let server = TestServer::start_in(server.stop().await, &[]).await;
    server.get("/coverages-api/health").await;
    assert_eq!(server.stored_files().len(), 3, "the grace period is over");
    assert_well(&server);
}

#[tokio::test]
async fn a_report_of_an_unfinished_upload_is_not_orphaned() {
    let server = server_with_records().await;
    add_orphan(&server, 10);
    assert_well(&server);
    let (_, key) = add_orphan(&server, 20);
    server
        .store()
        .await
        .writer()
        .reserve_report(&key)
        .await
        .unwrap();
    assert_well(&server);
}

#[tokio::test]
async fn a_damaged_or_truncated_report_is_found() {
    let server = server_with_records().await;
    let file = server.stored_files().remove(1);
    let good = fs::read(&file).unwrap();
    let position = |wanted: &[u8]| good.windows(wanted.len()).position(|bytes| bytes == wanted);
    let in_directory = good.windows(9).rposition(|bytes| bytes == b"style.css");
    let in_directory = in_directory.unwrap();
    let changed = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 0x40;
        bytes
    };
    for (what, bytes) in [
        (
            "a stored file",
            changed(position(b"noise.png").unwrap() + 10_000),
        ),
        (
            "a deflated file",
            changed(position(b"style.css").unwrap() + 20),
        ),
        ("a header", changed(0)),
        ("a name", changed(position(b"index.html").unwrap())),
        ("the directory", changed(in_directory)),
        ("the end", good[..good.len() / 2].to_vec()),
        ("all of it", Vec::new()),
    ] {
        fs::write(&file, bytes).unwrap();
        let verified = verify(&server, &["--all"]);
        let found = verified.kinds("found");
        assert_eq!(found, ["damaged_report"], "{what}: {}", verified.notes);
        assert_eq!(verified.lines[0]["key"], key_of(&file), "{what}");
        assert_eq!(verified.code, 1);
    }
    assert_eq!(
        verify(&server, &["--sample", "0"]).code,
        0,
        "its content is not read"
    );
    let repair = verify(&server, &["--repair", "--yes"]);
    assert!(repair.kinds("repaired").is_empty(), "nothing is repaired");
    fs::write(&file, good).unwrap();
    assert_well(&server);
}

#[tokio::test]
async fn a_current_report_listed_as_orphaned_is_found_and_kept() {
    let server = server_with_records().await;
    let damage = "
        insert into orphaned_reports (key, since, marked_at, released_at)
        select r.report_key, 1, 1, 1 from records r where r.commit_hash = 'c1'";
    execute(&server, &[damage]).await;
    let server = TestServer::start_in(server.stop().await, &[]).await;
    server.get("/coverages-api/health").await;
    assert_eq!(server.stored_files().len(), 3, "no sweep removes it");
    assert_found(&server, &["removable_report"]);
    assert_repaired(&server, &["removable_report"]);
    assert_eq!(server.get_text("/reports/1/index.html").await, "<p>c1");
}

#[tokio::test]
async fn nothing_is_repaired_if_the_reports_belong_to_another_database() {
    let server = server_with_records().await;
    let elsewhere = server.folder.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let mut command = server.command(&["verify", "--repair", "--yes", "--json"]);
    command.env("REPORTS_URL", &elsewhere);
    let verified = super::Verified::of(command.output().unwrap());
    assert_eq!(verified.code, 2, "{}", verified.notes);
    assert_eq!(verified.kinds("found"), ["missing_report"]);
    assert!(verified.kinds("repaired").is_empty());
    assert!(verified.notes.contains("REPORTS_URL"), "{}", verified.notes);
    assert_well(&server);
}
