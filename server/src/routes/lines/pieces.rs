//! A text that is written while it is sent, so that only a piece of it is in memory.

use axum::body::{Body, Bytes};
use futures::stream;
use lines::{FileLines, Line};
use std::{convert::Infallible, sync::Arc};

/// A piece is sent when it reaches this size.
const PIECE_BYTES: usize = 64 << 10;

/// The lines that are written at a time.
const LINES: usize = 500;

/// Applies `write` to the lines of a file, `LINES` of them at a time.
pub(super) fn by_lines(
    file: Arc<FileLines>,
    write: impl Fn(&FileLines, &[Line]) -> String,
) -> impl Iterator<Item = String> {
    (0..file.lines().len()).step_by(LINES).map(move |start| {
        let lines = file.lines();
        write(&file, &lines[start..(start + LINES).min(lines.len())])
    })
}

pub(super) struct Pieces(Box<dyn Iterator<Item = String> + Send>);

impl Pieces {
    pub(super) fn of(parts: impl Iterator<Item = String> + Send + 'static) -> Self {
        Self(Box::new(parts))
    }

    pub(super) fn into_body(self) -> Body {
        Body::from_stream(stream::iter(
            self.map(|piece| Ok::<_, Infallible>(Bytes::from(piece))),
        ))
    }

    #[cfg(test)]
    pub(super) fn into_text(self) -> String {
        self.collect()
    }
}

/// Short parts are joined.
impl Iterator for Pieces {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let mut piece = self.0.next()?;
        while piece.len() < PIECE_BYTES {
            let Some(part) = self.0.next() else { break };
            piece.push_str(&part);
        }
        Some(piece)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_parts_are_joined_and_long_ones_sent_alone() {
        let lengths = [10, 20, 70_000, 65_536, 1];
        let parts = lengths.map(|length| "x".repeat(length));
        let pieces = Pieces::of(parts.into_iter());
        let sent: Vec<_> = pieces.map(|piece| piece.len()).collect();
        assert_eq!(sent, [70_030, 65_536, 1]);
        assert_eq!(Pieces::of(std::iter::empty()).next(), None);
    }
}
