//! The body on its way to what reads the multipart frame: a piece at a time, and not too many of them before the file.

use super::{Chunks, Incoming, pump};
use crate::ingest::IngestError;
use axum::body::Bytes;
use std::{io, mem, sync::atomic::Ordering};
use tokio::task::yield_now;

/// What may come before the part `file`: it is buffered, or passed over, by what reads the multipart frame.
const PREAMBLE_BYTES: usize = 1 << 20;

/// How much is given at once to what reads the multipart frame, until it has found the part `file`. It may ask for two of
/// these before it has looked at the first: so much of the file does not count as something before it.
const PREAMBLE_PIECE: usize = 64 << 10;

/// The body as it is given to what reads the multipart frame.
pub(super) struct Frame {
    incoming: Incoming,
    chunks: Option<Chunks>,
    /// What has come and was not given yet.
    rest: Bytes,
    /// What may still be given before the part `file` is found.
    preamble: usize,
}

impl Frame {
    pub(super) fn of(incoming: Incoming) -> Self {
        Self {
            incoming,
            chunks: None,
            rest: Bytes::new(),
            preamble: PREAMBLE_BYTES + 2 * PREAMBLE_PIECE,
        }
    }

    pub(super) async fn next(&mut self) -> Option<io::Result<Bytes>> {
        match &self.chunks {
            None => self.chunks = Some(pump(self.incoming.state.clone())),
            // What reads the multipart frame takes all that is there at once, and keeps it: so that is never more than one
            // chunk.
            Some(_) => yield_now().await,
        }
        if self.rest.is_empty() {
            self.rest = match self.chunks.as_mut()?.recv().await? {
                Ok(chunk) => chunk,
                Err(error) => return Some(Err(error)),
            };
        }
        if self.incoming.is_in_file.load(Ordering::Relaxed) {
            return Some(Ok(mem::take(&mut self.rest)));
        }
        let piece = self.rest.split_to(self.rest.len().min(PREAMBLE_PIECE));
        // Counted as it is given: what has been read ahead may well be the file's.
        match self.preamble.checked_sub(piece.len()) {
            Some(left) => self.preamble = left,
            None => return Some(Err(self.incoming.failure.set(IngestError::Preamble))),
        }
        Some(Ok(piece))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Limits;
    use axum::{
        body::Body,
        extract::{DefaultBodyLimit, FromRequest, Multipart, Request},
        http::{HeaderMap, HeaderValue, header},
    };
    use futures::stream;

    /// Reads a multipart body that comes in these chunks up to the part `file` and all of that, and returns its length.
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
            // What is read ahead meanwhile is the file's.
            tokio::task::yield_now().await;
            incoming.begin_file();
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
