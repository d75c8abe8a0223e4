//! A reader that counts what passes and stops at a limit. It remembers that it did: libraries between it and us wrap errors.

use super::{IngestError, Limit};
use std::{
    cell::Cell,
    io::{self, Read},
    rc::Rc,
};

/// What a [`Source`] has seen, shared with whoever made it.
#[derive(Clone, Debug, Default)]
pub(super) struct Meter {
    read: Rc<Cell<u64>>,
    passed: Rc<Cell<Option<Limit>>>,
}

impl Meter {
    /// Bytes read so far.
    pub(super) fn bytes_read(&self) -> u64 {
        self.read.get()
    }

    /// The real reason of an error that came up through a [`Source`].
    pub(super) fn explain(&self, error: io::Error) -> IngestError {
        match self.passed.get() {
            Some(limit) => IngestError::Limit(limit),
            None => IngestError::CorruptArchive(error),
        }
    }
}

pub(super) struct Source<R> {
    inner: R,
    limit: u64,
    meter: Meter,
}

impl<R: Read> Source<R> {
    pub(super) fn new(inner: R, max_unpacked_bytes: u64) -> (Self, Meter) {
        let meter = Meter::default();
        (
            Self {
                inner,
                limit: max_unpacked_bytes,
                meter: meter.clone(),
            },
            meter,
        )
    }
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        let total = self.meter.read.get() + read as u64;
        self.meter.read.set(total);
        if total > self.limit {
            self.meter
                .passed
                .set(Some(Limit::UnpackedBytes(self.limit)));
            return Err(io::Error::other("too many unpacked bytes"));
        }
        Ok(read)
    }
}
