//! The memory that uploads may take, measured on the binary by the system.

use crate::harness::{
    Archive, BINARY, ObjectStorage, Reachable, ServerProcess, Upload, cobertura, noise,
    within_deadline, xz,
};
use reqwest::RequestBuilder;
use std::{fs, process::Command, time::Duration};
use tempfile::TempDir;
use tokio::time::sleep;

const MEBIBYTE: u64 = 1 << 20;

/// The memory of one upload of any size or shape, above that of the idle service.
const OF_ONE: u64 = 64 * MEBIBYTE;

/// The memory of 64 uploads at once: 8 are unpacked at a time, the others wait with the data that the network has
/// buffered.
const OF_SIXTY_FOUR: u64 = 256 * MEBIBYTE;

fn status_of(process: u32, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap();
    let kilobytes = line.split_whitespace().nth(1).unwrap();
    kilobytes.parse::<u64>().unwrap() << 10
}

/// The peak memory of the process during `work`, above that before it.
async fn peak_of(server: &ServerProcess, work: impl Future<Output = ()>) -> u64 {
    let idle = status_of(server.id(), "VmRSS:");
    // Resets the peak (proc_pid_clear_refs(5)).
    fs::write(format!("/proc/{}/clear_refs", server.id()), "5").unwrap();
    work.await;
    status_of(server.id(), "VmHWM:").saturating_sub(idle)
}

/// A service that has executed every code path once.
async fn warm(folder: &TempDir) -> ServerProcess {
    warm_by(Command::new(BINARY), folder, &[]).await
}

async fn warm_by(command: Command, folder: &TempDir, arguments: &[&str]) -> ServerProcess {
    let server = ServerProcess::start_by(command, folder.path(), arguments);
    let answer = small().accepted(&server).await;
    server
        .get_text(&format!("/reports/{}/", answer["coverage"]["id"]))
        .await;
    server
}

fn small() -> Upload {
    Upload::of(Archive::report("<p>", &cobertura(1, 2)).tar_gz())
}

/// Text that deflates to half its size and never repeats.
fn text(bytes: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let mut text = Vec::with_capacity(bytes + 16);
    while text.len() < bytes {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        text.extend_from_slice(format!("{:016x}", state).as_bytes());
    }
    text.truncate(bytes);
    text
}

async fn assert_bounded(archive: Vec<u8>) {
    let folder = TempDir::new().unwrap();
    let server = warm(&folder).await;
    let peak = peak_of(&server, async {
        let answer = Upload::of(archive).accepted(&server).await;
        let page = format!("/reports/{}/index.html", answer["coverage"]["id"]);
        server.get_text(&page).await;
    });
    let peak = peak.await;
    assert!(peak < OF_ONE, "{} MiB", peak / MEBIBYTE);
}

#[tokio::test]
async fn an_upload_of_one_huge_file_takes_bounded_memory() {
    let archive = Archive::report("<p>", &cobertura(1, 2)).file("huge.txt", text(100 << 20));
    assert_bounded(archive.tar()).await;
}

#[tokio::test]
async fn an_upload_of_the_most_files_allowed_takes_bounded_memory() {
    let folder = "a-folder-with-a-rather-long-name/".repeat(2);
    let archive = (0..199_990).fold(
        Archive::report("<p>", &cobertura(1, 2)),
        |archive, number| archive.file(&format!("{folder}{number}.html"), b""),
    );
    assert_bounded(archive.tar_gz()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sixty_four_uploads_at_once_take_bounded_memory() {
    let folder = TempDir::new().unwrap();
    let server = warm(&folder).await;
    let archive = (0..200).fold(
        Archive::report("<p>", &cobertura(1, 2)),
        |archive, number| archive.file(&format!("{number}.html"), text(30_000)),
    );
    let archive = archive.tar_gz();
    let peak = peak_of(&server, async {
        let uploads = (0..64).map(|number| {
            let upload = Upload::of(archive.clone()).with("commit_hash", &format!("w{number}"));
            let (client, url) = (server.client().clone(), server.url(""));
            tokio::spawn(async move { upload.try_send(&client, &url).await.unwrap().status() })
        });
        for upload in uploads.collect::<Vec<_>>() {
            assert_eq!(upload.await.unwrap(), 201);
        }
    });
    let peak = peak.await;
    assert!(peak < OF_SIXTY_FOUR, "{} MiB", peak / MEBIBYTE);
}

#[tokio::test]
async fn an_upload_that_fills_decoder_and_parser_takes_bounded_memory() {
    let files: String = (0..400_000)
        .map(|number| {
            format!(
                "<class filename='{number:040}'><lines><line number='1' hits='1'/></lines></class>"
            )
        })
        .collect();
    let xml = format!("<coverage><sources/>{files}</coverage>");
    let archive = Archive::report("<p>", &xml).tar();
    let folder = TempDir::new().unwrap();
    let server = warm(&folder).await;
    let peak = peak_of(&server, async {
        let (_, problem) = Upload::of(xz(&archive, 7)).refused(&server).await;
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains("MAX_REPORT_MEMORY_BYTES"), "{detail}");
    });
    let peak = peak.await;
    assert!(peak < OF_ONE, "{} MiB", peak / MEBIBYTE);
}

#[tokio::test]
async fn an_upload_with_the_most_kept_files_takes_bounded_memory() {
    let files: String = (0..50_000)
        .map(|number| {
            format!(
                "<class filename='/w/{number:036}.c'><lines><line number='1' hits='1'/></lines></class>"
            )
        })
        .collect();
    let xml = format!("<coverage><sources/>{files}</coverage>");
    let archive = Archive::report("<p>", &xml).tar();
    let folder = TempDir::new().unwrap();
    let server = warm(&folder).await;
    let peak = peak_of(&server, async {
        let answer = Upload::of(xz(&archive, 7)).accepted(&server).await;
        let page = format!("/records/{}?view=flat&p=500", answer["coverage"]["id"]);
        let page = server.get_text(&page).await;
        assert!(page.contains("Page 500 of 500"), "{page}");
    });
    let peak = peak.await;
    assert!(peak < OF_ONE, "{} MiB", peak / MEBIBYTE);
}

/// Sends it again as long as too many heavy reads are under way.
async fn answer_of(request: RequestBuilder) -> String {
    within_deadline(async {
        loop {
            let answer = request.try_clone().unwrap().send().await.unwrap();
            if answer.status() != 503 {
                return answer.text().await.unwrap();
            }
            sleep(Duration::from_millis(100)).await;
        }
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn many_concurrent_late_pages_of_files_take_bounded_memory() {
    let files: String = (0..52_000)
        .map(|number| {
            format!(
                "<class filename='/w/module{}/package{}/SomeRatherLong{number}Class.java'><lines><line number='1' hits='1'/></lines></class>",
                number / 5_000,
                number / 50,
            )
        })
        .collect();
    let xml = format!("<coverage><sources/>{files}</coverage>");
    let archive = Archive::report("<p>", &xml).tar();
    let folder = TempDir::new().unwrap();
    // At most half of the connections are for heavy reads.
    let few = ["--database-connections", "8"];
    let server = warm_by(Command::new(BINARY), &folder, &few).await;
    let answer = Upload::of(xz(&archive, 7)).accepted(&server).await;
    let page = format!("/records/{}?view=flat&p=999999", answer["coverage"]["id"]);
    let page = server.url(&page);
    let peak = peak_of(&server, async {
        let pages = (0..64).map(|_| {
            let request = server.client().get(&page);
            tokio::spawn(async move { answer_of(request).await })
        });
        for page in pages.collect::<Vec<_>>() {
            let page = page.await.unwrap();
            assert!(page.contains("Page 520 of 520"), "{page}");
        }
    });
    let peak = peak.await;
    assert!(peak < OF_ONE, "{} MiB", peak / MEBIBYTE);
}

#[tokio::test(flavor = "multi_thread")]
async fn uploads_to_a_bucket_take_bounded_memory() {
    let Some(storage) = ObjectStorage::start() else {
        return;
    };
    let folder = TempDir::new().unwrap();
    let url = storage.url("");
    let server = warm_by(storage.command(), &folder, &["--reports-url", &url]).await;
    let archive = Archive::report("<p>", &cobertura(1, 2)).file("huge.png", noise(60 << 20));
    let archive = archive.tar();
    let peak = peak_of(&server, async {
        let upload = Upload::of(archive.clone()).with("commit_hash", "huge");
        let answer = upload.accepted(&server).await;
        let file = format!("/reports/{}/huge.png", answer["coverage"]["id"]);
        let mut download = server.get(&file).await;
        while download.chunk().await.unwrap().is_some() {}
    });
    let peak = peak.await;
    assert!(peak < OF_ONE, "one: {} MiB", peak / MEBIBYTE);
    let peak = peak_of(&server, async {
        let uploads = (0..10).map(|number| {
            let upload = Upload::of(archive.clone()).with("commit_hash", &format!("w{number}"));
            let (client, url) = (server.client().clone(), server.url(""));
            tokio::spawn(async move { upload.try_send(&client, &url).await.unwrap().status() })
        });
        for upload in uploads.collect::<Vec<_>>() {
            assert_eq!(upload.await.unwrap(), 201);
        }
    });
    let peak = peak.await;
    assert!(peak < OF_SIXTY_FOUR, "ten: {} MiB", peak / MEBIBYTE);
}

/// The memory of a record with as many bytes of paths as are stored: its lines, one part beside them, and its page.
const OF_LONG_PATHS: u64 = 320 * MEBIBYTE;

#[tokio::test]
async fn parts_of_a_few_kilobytes_with_long_paths_take_bounded_memory() {
    let folder = TempDir::new().unwrap();
    let server = warm(&folder).await;
    let part = |part: u32| {
        let folders = String::from_utf8(text(3_800)).unwrap();
        let path = format!("{part}/{folders}/");
        let files = (0..1_000).map(|file| format!("SF:{path}{file}.c\nDA:1,1\nend_of_record\n"));
        let archive = Archive::new().file("lcov.info", files.collect::<String>());
        let upload = Upload::of(archive.tar_gz()).with("coverage_xml_file_name", "lcov.info");
        upload
            .with("commit_hash", "c2")
            .with("part", &format!("p{part}"))
    };
    let peak = peak_of(&server, async {
        let mut id = None;
        for number in 0..20 {
            let response = part(number).send(&server).await;
            if response.status() != 201 && response.status() != 200 {
                let problem = response.text().await.unwrap();
                assert!(problem.contains("bytes of paths"), "{problem}");
                assert!(number > 5, "{number} parts");
                let id = id.unwrap();
                server.get_text(&format!("/records/{id}")).await;
                server
                    .get_text(&format!("/coverages-api/records/{id}/report.lcov"))
                    .await;
                return;
            }
            let answer: serde_json::Value = response.json().await.unwrap();
            id = answer["coverage"]["id"].as_i64();
        }
        panic!("no part was refused");
    });
    let peak = peak.await;
    assert!(peak < OF_LONG_PATHS, "{} MiB", peak / MEBIBYTE);
}
