//! Passes the body to the multipart parser in pieces, with a limit between wanted parts.

use super::{Chunks, Incoming, pump};
use axum::body::Bytes;
use ingest::IngestError;
use std::{io, mem, sync::atomic::Ordering};
use tokio::task::yield_now;

/// The most bytes before a wanted part. The multipart parser buffers or skips them.
const PREAMBLE_BYTES: usize = 1 << 20;

/// The most bytes of a piece until the multipart parser has found a wanted part. The parser may request two pieces before
/// it looks at the first, and both may already belong to the part, so they do not count towards the limit.
const PREAMBLE_PIECE: usize = 64 << 10;

/// The bytes that may be passed on before a wanted part is found.
pub(super) const ALLOWANCE: usize = PREAMBLE_BYTES + 2 * PREAMBLE_PIECE;

/// The body for the multipart parser.
pub(super) struct Frame {
    incoming: Incoming,
    chunks: Option<Chunks>,
    /// Received bytes that are not passed on yet.
    rest: Bytes,
}

impl Frame {
    pub(super) fn of(incoming: Incoming) -> Self {
        Self {
            incoming,
            chunks: None,
            rest: Bytes::new(),
        }
    }

    pub(super) async fn next(&mut self) -> Option<io::Result<Bytes>> {
        match &self.chunks {
            None => self.chunks = Some(pump(self.incoming.state.clone())),
            // The multipart parser takes and buffers everything available at once; yielding limits that to one chunk.
            Some(_) => yield_now().await,
        }
        if self.rest.is_empty() {
            self.rest = match self.chunks.as_mut()?.recv().await? {
                Ok(chunk) => chunk,
                Err(error) => return Some(Err(error)),
            };
        }
        if self.incoming.is_in_part.load(Ordering::Relaxed) {
            return Some(Ok(mem::take(&mut self.rest)));
        }
        let piece = self.rest.split_to(self.rest.len().min(PREAMBLE_PIECE));
        // Bytes count only when they are passed on, since `rest` may already belong to a wanted part.
        let allowance = &self.incoming.allowance;
        match allowance.load(Ordering::Relaxed).checked_sub(piece.len()) {
            Some(left) => allowance.store(left, Ordering::Relaxed),
            None => return Some(Err(self.incoming.failure.set(IngestError::Preamble))),
        }
        Some(Ok(piece))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::{
        body::Body,
        extract::{DefaultBodyLimit, FromRequest, Multipart, Request},
        http::{HeaderMap, HeaderValue, header},
    };
    use config::Limits;
    use futures::stream;

    /// Reads a multipart body in these chunks up to the end of the form field `file`, and returns the length of that part.
    async fn file_in(chunks: Vec<Vec<u8>>) -> Result<usize, Option<IngestError>> {
        let chunks = stream::iter(chunks.into_iter().map(io::Result::Ok));
        let incoming = Incoming::new(
            Body::from_stream(chunks),
            &HeaderMap::new(),
            &Limits::default(),
        );
        let mut request = Request::new(incoming.body());
        let of_form = HeaderValue::from_static("multipart/form-data; boundary=b");
        request.headers_mut().insert(header::CONTENT_TYPE, of_form);
        DefaultBodyLimit::disable().apply(&mut request);
        let mut multipart = Multipart::from_request(request, &()).await.expect("a form");
        while let Some(mut part) = multipart
            .next_field()
            .await
            .map_err(|_| incoming.failure())?
        {
            if part.name() != Some("file") {
                continue;
            }
            // The bytes that are read ahead belong to the file.
            tokio::task::yield_now().await;
            incoming.begin_part();
            let mut length = 0;
            while let Some(chunk) = part.chunk().await.map_err(|_| incoming.failure())? {
                length += chunk.len();
            }
            return Ok(length);
        }
        Ok(0)
    }

    fn head(name: &str) -> Vec<u8> {
        let disposition = format!("Content-Disposition: form-data; name=\"{name}\"");
        format!("--b\r\n{disposition}\r\n\r\n").into_bytes()
    }

    const LARGE: usize = 3 << 20;

    #[tokio::test(flavor = "multi_thread")]
    async fn bytes_of_the_file_read_ahead_do_not_count_as_preamble() {
        let note = [head("note"), b"passed over\r\n".to_vec()].concat();
        let file = [head("file"), vec![b'x'; LARGE]].concat();
        let rest = [vec![b'x'; LARGE], b"\r\n--b--\r\n".to_vec()].concat();
        let chunks = [
            vec![note.clone(), file.clone(), rest.clone()],
            vec![[note, file].concat(), rest],
        ];
        for chunks in chunks {
            assert_eq!(file_in(chunks).await.ok(), Some(2 * LARGE));
        }
    }

    #[tokio::test]
    async fn a_file_may_follow_a_megabyte_of_other_parts_and_no_more() {
        let body = |before: usize| {
            let before = [head("note"), vec![b'x'; before], b"\r\n".to_vec()].concat();
            vec![[before, head("file"), b"file\r\n--b--\r\n".to_vec()].concat()]
        };
        assert_eq!(file_in(body(PREAMBLE_BYTES - 200)).await.ok(), Some(4));
        let refused = file_in(body(PREAMBLE_BYTES + 3 * PREAMBLE_PIECE)).await;
        assert!(matches!(refused, Err(Some(IngestError::Preamble))));
    }
}
