//! Reports in a bucket: tests with a real server of the S3 protocol on loopback.

mod crash;
mod outage;
mod reading;
mod requests;
mod secrets;
mod starting;
mod writing;

use crate::harness::{Archive, Upload, cobertura, noise};

/// The size of a file that takes several parts of 8 MiB, the last one incomplete.
const LARGE: usize = 27 << 20;

/// A report with a page and a file that does not compress.
fn report(page: &str, large: &[u8]) -> Archive {
    Archive::report(page, &cobertura(1, 2)).file("large.png", large)
}

/// An upload that is sent to the bucket in several parts.
fn large_upload() -> Upload {
    Upload::of(report("<p>large", &noise(LARGE)).tar())
}

fn small_upload(page: &str) -> Upload {
    Upload::of(Archive::report(page, &cobertura(1, 2)).tar_gz())
}
