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
    headers: Rc<Cell<Option<Allowance>>>,
}

/// How many bytes may be read before the next entry begins: long names and extended headers are read whole into memory.
#[derive(Clone, Copy, Debug)]
struct Allowance {
    left: u64,
    limit: u64,
}

impl Meter {
    /// Bytes read so far.
    pub(super) fn bytes_read(&self) -> u64 {
        self.read.get()
    }

    /// From now on only `limit` bytes may be read, until [`Self::in_entry`].
    pub(super) fn in_headers(&self, limit: u64) {
        self.headers.set(Some(Allowance { left: limit, limit }));
    }

    /// An entry was reached: its content has limits of its own.
    pub(super) fn in_entry(&self) {
        self.headers.set(None);
    }

    fn take(&self, bytes: u64) -> Option<Limit> {
        let allowance = self.headers.get()?;
        let left = allowance.left.checked_sub(bytes);
        self.headers
            .set(left.map(|left| Allowance { left, ..allowance }));
        left.is_none()
            .then_some(Limit::HeaderBytes(allowance.limit))
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
        let unpacked = (total > self.limit).then_some(Limit::UnpackedBytes(self.limit));
        if let Some(limit) = self.meter.take(read as u64).or(unpacked) {
            self.meter.passed.set(Some(limit));
            return Err(io::Error::other("a limit was passed"));
        }
        Ok(read)
    }
}
