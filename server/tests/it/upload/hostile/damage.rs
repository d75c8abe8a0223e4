//! Truncated and changed archives: all damage is a client error, never a server error.

use super::{tar, zip};
use crate::harness::{Reachable, TestServer, Upload, bzip2, gzip, xz, zstd};

/// A small archive of each accepted kind.
fn kinds() -> Vec<(&'static str, Vec<u8>)> {
    let page = "<p>a page that is long enough to be cut in its middle</p>".repeat(40);
    let tar = tar().file("page.html", &page).tar();
    vec![
        ("gzip", gzip(&tar)),
        ("bzip2", bzip2(&tar)),
        ("xz", xz(&tar, 0)),
        ("zstd", zstd(&tar, None)),
        ("zip", zip().file("page.html", &page).bytes()),
        ("tar", tar),
    ]
}

async fn assert_nothing_left(server: &TestServer) {
    assert!(server.records().await.is_empty());
    let files = server.stored_files();
    assert!(files.is_empty(), "{files:?}");
}

#[tokio::test]
async fn a_truncated_archive_is_refused_and_leaves_nothing() {
    let server = TestServer::start().await;
    for (kind, archive) in kinds() {
        // Two blocks of zeros end a tar archive; without the second it is still complete.
        let (whole, step) = match kind {
            "tar" => (archive.len() - 1_023, 97),
            _ => (archive.len(), 7),
        };
        for end in (1..whole).step_by(step).chain([whole - 1]) {
            let response = Upload::of(archive[..end].to_vec()).send(&server).await;
            let status = response.status().as_u16();
            assert!(
                matches!(status, 415 | 422),
                "{status} for the first {end} bytes of {kind}"
            );
        }
    }
    assert_nothing_left(&server).await;
}

#[tokio::test]
async fn a_changed_byte_is_detected_wherever_there_is_a_checksum() {
    let server = TestServer::start().await;
    for (kind, archive) in kinds() {
        // The middle is compressed content, except in a plain tar, which has no checksum of content.
        if kind == "tar" {
            continue;
        }
        let mut archive = archive;
        let at = archive.len() / 3;
        archive[at] ^= 0x10;
        let response = Upload::of(archive).send(&server).await;
        let status = response.status().as_u16();
        assert_eq!(status, 422, "{kind}: {}", response.text().await.unwrap());
    }
    assert_nothing_left(&server).await;
}

#[tokio::test]
async fn no_damaged_archive_causes_a_server_error() {
    let server = TestServer::start().await;
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for (kind, archive) in kinds() {
        for round in 0..200 {
            let mut damaged = archive.clone();
            for _ in 0..=random.below(4) {
                random.damage(&mut damaged);
            }
            let response = Upload::of(damaged).send(&server).await;
            let status = response.status().as_u16();
            // Damage that only a checksum would show, or in bytes that are not read, leaves a valid archive.
            assert!(
                matches!(status, 200 | 201 | 413 | 415 | 422),
                "{status} in round {round} of {kind}: {}",
                response.text().await.unwrap()
            );
        }
    }
}

/// A xorshift generator, so the damage is the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    fn damage(&mut self, bytes: &mut Vec<u8>) {
        let at = self.below(bytes.len());
        let length = 1 + self.below(40.min(bytes.len() - at));
        match self.below(5) {
            0 => bytes[at] ^= 1 << self.below(8),
            1 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][self.below(5)],
            2 => drop(bytes.drain(at..at + length)),
            3 => bytes[at..at + length].fill(self.below(256) as u8),
            _ => {
                let copied = bytes[at..at + length].to_vec();
                let to = self.below(bytes.len());
                bytes.splice(to..to, copied);
            }
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
}
