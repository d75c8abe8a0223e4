//! Killed processes, full disks, failing syncs, locked databases, clients that hang up. No acknowledged upload is lost,
//! no upload is visible in part, and no orphaned report stays.

mod disk;
mod hang_up;
mod instances;
mod killed;
mod locked;
mod sweep;

use crate::harness::{Archive, Reachable, TestServer, Upload, cobertura, database_url};
use domain::{Percentage, Repository};
use serde_json::Value;
use sqlx::{AnyConnection, Connection};
use std::{path::Path, time::Duration};
use store::{MainRight, NewRecord, Stated, StoredReport, actor::Actor};

/// The number of pages in one upload.
const PAGES: u32 = 3;

/// An upload that differs from all others in its percentage (`number` hundredths) and in every byte of its pages.
fn upload(number: u32) -> Upload {
    let archive = (0..PAGES).fold(Archive::new(), |archive, page| {
        archive.file(&name(page), html(number, page))
    });
    Upload::of(
        archive
            .file("coverage.xml", cobertura(number, 10_000))
            .tar_gz(),
    )
}

fn name(page: u32) -> String {
    match page {
        0 => "index.html".to_owned(),
        page => format!("files/{page}.html"),
    }
}

/// Some ten kilobytes that do not compress well.
fn html(number: u32, page: u32) -> String {
    let mut state = u64::from(number) << 8 | u64::from(page) | 1;
    let words = (0..1_000).map(|_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        format!("{:x} ", state >> 24)
    });
    format!("<h1>{number} {page}</h1><p>{}", words.collect::<String>())
}

fn number_of(record: &Value) -> u32 {
    (record["percentage"].as_f64().unwrap() * 100.0).round() as u32
}

/// Reads back all pages of a record, byte by byte.
async fn assert_whole(server: &impl Reachable, record: &Value) {
    let number = number_of(record);
    for page in 0..PAGES {
        let path = format!("/reports/{}/{}", record["id"], name(page));
        assert_eq!(server.get_text(&path).await, html(number, page), "{record}");
    }
}

/// Dates orphaned reports back. A service that may share its database keeps reports that another service may be publishing.
pub async fn let_time_pass(folder: &Path) {
    store::install_drivers();
    let mut database = AnyConnection::connect(&database_url(folder)).await.unwrap();
    sqlx::query("update orphaned_reports set since = since - 3600000000")
        .execute(&mut database)
        .await
        .unwrap();
    database.close().await.unwrap();
}

/// Checks that the reports of all records are stored, and nothing else.
fn assert_no_orphans(server: &TestServer, records: usize) {
    let files = server.stored_files();
    assert_eq!(files.len(), records, "{files:?}");
    assert!(
        files
            .iter()
            .all(|file| !file.to_string_lossy().contains(".incoming")),
        "{files:?}"
    );
}

/// Checks that the database lists no orphaned reports, except those that the last start found to be missing.
async fn assert_nothing_left(server: &TestServer) {
    let stored = server.stored_files();
    let store = server.store().await;
    let unmarked: i64 =
        sqlx::query_scalar("select count(*) from orphaned_reports where marked_at is null")
            .fetch_one(&mut server.database().await)
            .await
            .unwrap();
    assert_eq!(unmarked, 0, "a report is still reserved");
    for report in store
        .writer()
        .due_reports(Duration::ZERO, "", 1_000)
        .await
        .unwrap()
    {
        let file = format!("{}.zip", report.key);
        assert!(
            !stored.iter().any(|path| path.ends_with(&file)),
            "{report:?}"
        );
    }
}

/// A record for the store, with a report of this key.
pub fn record_with_report(key: &str) -> NewRecord {
    NewRecord {
        stated: Stated {
            repository: Repository {
                org: "acme".parse().unwrap(),
                repo: "payments".parse().unwrap(),
            },
            branch: "main".parse().unwrap(),
            commit: "c1".parse().unwrap(),
            language: "rust".parse().unwrap(),
            forge_claim: None,
            main_right: MainRight::Granted,
            change: Default::default(),
            settings: None,
            owners: None,
            announced: Default::default(),
        },
        author: "Kim".parse().unwrap(),
        percentage: Percentage::from_basis_points(1),
        lines: None,
        branches: None,
        functions: None,
        report_format: "cobertura",
        details: Default::default(),
        ignore: Default::default(),
        line_states: None,
        sources: Vec::new(),
        report: Some(StoredReport {
            key: key.to_owned(),
            start_page: None,
            bytes: 0,
        }),
        by: Actor::service(),
        part: Default::default(),
    }
}
