//! Archives that are small when sent and huge when unpacked.

use super::{tar, too_large, unsafe_entry, zip};
use crate::harness::{Archive, Zip, ZipEntry, bzip2, gzip, xz, zstd};

/// The number of unpacked bytes above which the ratio is limited.
const ZEROS: usize = 80 << 20;

#[tokio::test]
async fn a_bomb_of_any_compression_is_refused_by_its_ratio() {
    let archive = tar().file("zeros.bin", vec![0; ZEROS]).tar();
    for bomb in [
        gzip(&archive),
        bzip2(&archive),
        xz(&archive, 0),
        zstd(&archive, None),
    ] {
        assert!(bomb.len() < ZEROS / 200);
        too_large(bomb, &[], "bytes unpacked for each byte sent").await;
    }
}

#[tokio::test]
async fn a_zip_bomb_is_refused_by_its_ratio() {
    let bomb = zip().file("zeros.bin", vec![0; ZEROS]).bytes();
    too_large(bomb, &[], "bytes unpacked for each byte sent").await;
    let part = ZipEntry::deflated("0", vec![0; ZEROS / 20]);
    let of_many = (0..20).fold(zip(), |zip, n| {
        let name = n.to_string().into_bytes();
        zip.entry(ZipEntry {
            local_name: name.clone(),
            name,
            ..part.clone()
        })
    });
    too_large(of_many.bytes(), &[], "bytes unpacked for each byte sent").await;
}

#[tokio::test]
async fn a_ratio_below_the_limit_is_accepted() {
    let archive = gzip(&tar().file("zeros.bin", vec![0; ZEROS]).tar());
    let server = crate::harness::TestServer::start_with(&[
        "--upload-token",
        "t0ken",
        "max_compression_ratio",
        "2000",
    ])
    .await;
    super::accepted_by(&server, archive, &[]).await;
}

#[tokio::test]
async fn a_bomb_of_overlapping_entries_is_refused() {
    // The construction of David Fifield: one kernel, and many directory records that point to it.
    let kernel = ZipEntry::deflated("kernel", vec![0; 1 << 20]);
    let start = zip();
    let start = start.entry(kernel.clone());
    let at = u64::try_from(
        zip()
            .bytes()
            .windows(4)
            .position(|w| w == b"PK\x01\x02")
            .unwrap(),
    );
    let bomb = (0..1_000).fold(start, |zip, n| {
        zip.entry(ZipEntry {
            name: format!("kernel{n}").into_bytes(),
            offset: at.ok(),
            ..kernel.clone()
        })
    });
    unsafe_entry(bomb.bytes(), "shares its bytes").await;
}

#[tokio::test]
async fn more_entries_than_allowed_are_refused() {
    let limit = ["max_entries", "50"];
    let empty = (0..60).fold(tar(), |tar, n| tar.file(&n.to_string(), ""));
    too_large(gzip(&empty.tar()), &limit, "files and folders").await;
    let folders = (0..60).fold(tar(), |tar, _| tar.folder("a/"));
    too_large(gzip(&folders.tar()), &limit, "files and folders").await;
    let empty = (0..60).fold(zip(), |zip, n| {
        zip.entry(ZipEntry::stored(&n.to_string(), ""))
    });
    too_large(empty.bytes(), &limit, "files and folders").await;
}

#[tokio::test]
async fn a_zip_that_claims_too_many_entries_is_refused_before_any_is_read() {
    // Otherwise an unsafe entry would be the reason of the refusal.
    let archive = Zip::new().file("../evil", "").claiming(200_001, b"");
    too_large(archive, &[], "files and folders").await;
}

#[tokio::test]
async fn folders_that_paths_imply_count_as_entries() {
    let deep = ["a"; 40].join("/");
    let archive = (0..4).fold(Archive::new(), |tar, n| {
        tar.file(&format!("{n}/{deep}"), "")
    });
    too_large(archive.tar(), &["max_entries", "50"], "files and folders").await;
}

#[tokio::test]
async fn a_nested_bomb_is_never_unpacked() {
    let inner = gzip(&gzip(&vec![0; ZEROS]));
    let archive = gzip(&tar().file("inner.tar.gz", inner).tar());
    super::accepted(archive, &[]).await;
}

#[tokio::test]
async fn bytes_unpacked_and_bytes_of_a_file_have_limits() {
    let archive = || tar().file("large.css", "x".repeat(9_000)).tar();
    for (limit, name) in [
        (["--max-unpacked-bytes", "9000"], "MAX_UNPACKED_BYTES"),
        (["max_file_bytes", "8999"], "bytes for one file"),
    ] {
        too_large(gzip(&archive()), &limit, name).await;
        too_large(archive(), &limit, name).await;
    }
    // Data after the end marker is unpacked as well.
    let padded = [tar().tar(), vec![0; 1 << 20]].concat();
    too_large(
        gzip(&padded),
        &["--max-unpacked-bytes", "9000"],
        "MAX_UNPACKED_BYTES",
    )
    .await;
}
