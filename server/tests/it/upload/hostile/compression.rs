//! How archives are compressed.

use super::{accepted, corrupt, tar, too_large, zip};
use crate::{
    harness::{TestServer, Upload, bzip2, gzip, xz, zstd},
    upload::bad_input::assert_refused,
};

/// An archive in each compression, with its name.
fn compressed(bytes: &[u8]) -> [(&'static str, Vec<u8>); 4] {
    [
        ("gzip", gzip(bytes)),
        ("bzip2", bzip2(bytes)),
        ("xz", xz(bytes, 6)),
        ("zstd", zstd(bytes, None)),
    ]
}

#[tokio::test]
async fn every_compression_is_accepted() {
    let server = TestServer::start().await;
    super::accepted_by(&server, tar().tar(), &[]).await;
    for (_, archive) in compressed(&tar().tar()) {
        super::accepted_by(&server, archive, &[]).await;
    }
}

#[tokio::test]
async fn several_streams_are_one_archive() {
    let server = TestServer::start().await;
    let archive = tar().tar();
    let (first, second) = archive.split_at(700);
    let empty = compressed(b"");
    for (((_, first), (_, second)), (_, empty)) in compressed(first)
        .into_iter()
        .zip(compressed(second))
        .zip(empty)
    {
        super::accepted_by(&server, [first, empty, second].concat(), &[]).await;
    }
}

#[tokio::test]
async fn more_streams_than_allowed_are_refused() {
    let limit = ["max_streams", "20"];
    for compress in [gzip, bzip2] {
        let archive = [compress(&tar().tar()), compress(b"").repeat(20)].concat();
        too_large(archive, &limit, "compressed streams").await;
    }
}

#[tokio::test]
async fn padding_after_gzip_and_xz_is_skipped() {
    let zeros = vec![0; 70_000];
    accepted([gzip(&tar().tar()), zeros.clone()].concat(), &[]).await;
    accepted([xz(&tar().tar(), 0), zeros].concat(), &[]).await;
}

#[tokio::test]
async fn skippable_zstd_frames_are_skipped() {
    let skipped = b"\x50\x2a\x4d\x18\x04\0\0\0skip".to_vec();
    let archive = zstd(&tar().tar(), None);
    accepted([skipped.clone(), archive, skipped].concat(), &[]).await;
}

#[tokio::test]
async fn data_after_a_compressed_stream_is_refused() {
    for (_, archive) in compressed(&tar().tar()) {
        let archive = [archive, b"garbage".to_vec()].concat();
        corrupt(archive, "cut off or damaged").await;
    }
    let zeros_and_more = [gzip(&tar().tar()), vec![0, 0, 1]].concat();
    corrupt(zeros_and_more, "after the padding").await;
}

#[tokio::test]
async fn compressed_data_that_is_not_a_tar_archive_is_415() {
    let unknown = (415, "unsupported_media_type");
    for (name, text) in compressed(b"only text") {
        let detail = format!("compressed with {name} but does not contain a tar archive");
        assert_refused(Upload::of(text), unknown, &detail).await;
    }
    for (name, twice) in compressed(&gzip(&tar().tar())) {
        assert_refused(Upload::of(twice), unknown, name).await;
    }
    let zip_in_gzip = Upload::of(gzip(&zip().bytes()));
    assert_refused(zip_in_gzip, unknown, "compressed with gzip").await;
}

#[tokio::test]
async fn a_window_over_the_limit_is_refused() {
    let archive = tar().tar();
    too_large(xz(&archive, 9), &[], "pack it with xz -6").await;
    // A frame of known size needs a window of its size only. A streamed frame has the whole window.
    too_large(zstd(&archive, Some(27)), &[], "the decompression window").await;
    let of_9_mib = ["max_window_bytes", "9437184"];
    too_large(xz(&archive, 8), &of_9_mib, "9437184 bytes").await;
    accepted(xz(&archive, 7), &[]).await;
    accepted(zstd(&archive, Some(24)), &[]).await;
}
