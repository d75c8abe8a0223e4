//! The form field `sources`: a tar of source files under their repository paths. A problem with it never refuses the upload: files that
//! cannot be kept are left out, and one sentence counts them.

mod pass;
mod skipped;

use super::{IngestError, archive::Archive, body, meter::Meter, unpack};
use bytes::Bytes;
use config::Limits;
use domain::text::chain;
use futures::Stream;
use pass::SourcePass;
use skipped::Skipped;
use std::io::Read;
use store::{NewSource, QuotaExceeded, RecordDetails};
use tokio::task;

/// The most bytes of all texts of an upload.
const MAX_BYTES: u64 = 64 << 20;

/// The most bytes of the tar once decompressed: also of files that are left out, and of headers.
const MAX_TAR_BYTES: u64 = 256 << 20;

/// The most characters of a reason, which may contain a path of the tar.
const MAX_REASON: usize = 300;

/// The notice if the operator does not accept source text.
const REFUSED: &str = "This service does not keep source text, so it was ignored; the operator can set SOURCES=accept.";

/// What arrived in the field.
pub(super) enum SentSources {
    /// The operator does not accept source text.
    Refused,
    /// The files, and what was left out.
    Read(Vec<NewSource>, Skipped),
}

/// Reads the field. Without `is_accepted`, nothing is read.
///
/// # Errors
///
/// Only if the body is interrupted.
pub(super) async fn receive(
    body: impl Stream<Item = Result<Bytes, IngestError>> + Unpin,
    limits: &Limits,
    is_accepted: bool,
) -> Result<SentSources, IngestError> {
    if !is_accepted {
        return Ok(SentSources::Refused);
    }
    let limits = Limits {
        max_unpacked_bytes: MAX_TAR_BYTES,
        ..limits.clone()
    };
    let (sender, reader) = body::pipe();
    let reading = task::spawn_blocking(move || read(reader, &limits));
    let sent = body::forward(body, sender).await;
    let read = reading.await?;
    sent?;
    Ok(read)
}

/// Reads a tar up to the first problem that makes the rest unreadable. Blocks.
fn read(tar: impl Read + 'static, limits: &Limits) -> SentSources {
    let meter = Meter::new(limits);
    let mut pass = SourcePass::new(limits, meter.clone());
    let done = (|| match Archive::of(tar, &meter, limits)? {
        Archive::Tar(stream) => unpack::take_tar(stream, &meter, &mut pass),
        Archive::Zip(_) => Err(IngestError::UnknownArchive("a zip")),
    })();
    let (files, mut skipped) = pass.finish();
    skipped.unread = done.err().map(|error| {
        let reason = match error {
            IngestError::Limit(limit) => format!("more than {limit}"),
            IngestError::UnknownArchive(_) => "it is no tar".to_owned(),
            error => chain(&error),
        };
        let reason = reason.chars().filter(|character| !character.is_control());
        reason.take(MAX_REASON).collect()
    });
    SentSources::Read(files, skipped)
}

impl SentSources {
    /// Returns the files that the coverage file names, and at most one notice. Files are kept only together with lines.
    pub(super) fn of(
        self,
        details: &RecordDetails,
        has_lines: bool,
    ) -> (Vec<NewSource>, Option<String>) {
        let Self::Read(files, mut skipped) = self else {
            return (Vec::new(), Some(REFUSED.to_owned()));
        };
        let sent = files.len();
        let kept = match has_lines {
            true => store::named_sources(files, &details.files),
            false => Vec::new(),
        };
        skipped.is_foreign = sent > 0 && kept.is_empty();
        skipped.has_lines = has_lines;
        (kept, skipped.notice())
    }
}

/// Leaves out the texts, but not the names of files: a text that is stored already takes no room. Returns whether there were texts.
pub(super) fn leave_out_texts(sources: &mut [NewSource]) -> bool {
    let texts = sources.iter_mut().map(|source| source.text.take());
    texts.filter(Option::is_some).count() > 0
}

/// The notice if a quota has no room for the texts.
pub(super) fn beyond(quota: &QuotaExceeded) -> String {
    format!(
        "Left out of the source text: all files whose text is not stored yet, because with them {quota}; ask the operator to make room."
    )
}
