//! Readers that count the bytes received and unpacked, and stop at a limit. They remember the cause, because the libraries
//! in between wrap errors, or continue to read after an error.

use super::{IngestError, Limit};
use config::Limits;
use std::{
    cell::{Cell, RefCell},
    io::{self, Read},
    rc::Rc,
};

/// Up to this size, an archive may unpack to any multiple of its size: a small file of zeros is harmless.
const RATIO_GRACE_BYTES: u64 = 64 << 20;

/// The bytes read from one upload so far. Clones share the counts.
#[derive(Clone)]
pub struct Meter(Rc<State>);

struct State {
    max_unpacked_bytes: u64,
    max_ratio: u64,
    max_header_bytes: u64,
    received: Cell<u64>,
    unpacked: Cell<u64>,
    /// The bytes that may still be read before the next entry. `None` within an entry.
    left_for_headers: Cell<Option<u64>>,
    failure: RefCell<Option<IngestError>>,
}

impl Meter {
    pub(super) fn new(limits: &Limits) -> Self {
        Self(Rc::new(State {
            max_unpacked_bytes: limits.max_unpacked_bytes,
            max_ratio: limits.max_compression_ratio,
            max_header_bytes: limits.max_header_bytes,
            received: Cell::default(),
            unpacked: Cell::default(),
            left_for_headers: Cell::default(),
            failure: RefCell::default(),
        }))
    }

    /// Counts the bytes received through `inner`.
    pub fn receive<R>(&self, inner: R) -> Received<R> {
        Received {
            inner,
            meter: self.clone(),
        }
    }

    /// Counts the bytes unpacked through `inner`, and enforces the limits.
    pub fn unpack<R>(&self, inner: R) -> Unpacking<R> {
        Unpacking {
            inner,
            meter: self.clone(),
        }
    }

    /// Returns the number of bytes unpacked so far.
    pub(super) fn unpacked(&self) -> u64 {
        self.0.unpacked.get()
    }

    /// Limits the bytes until [`Self::in_entry`] is called: long names and extended headers are read into memory as a whole.
    pub(super) fn in_headers(&self) {
        self.0.left_for_headers.set(Some(self.0.max_header_bytes));
    }

    /// Ends the limit of [`Self::in_headers`]: the content of an entry has its own limits.
    pub(super) fn in_entry(&self) {
        self.0.left_for_headers.set(None);
    }

    /// Returns the real cause of an error from a reader of this meter.
    pub fn explain(&self, error: io::Error) -> IngestError {
        let first = self.0.failure.take();
        first.unwrap_or_else(|| unreadable(error))
    }

    fn count(&self, bytes: u64) -> Result<(), Limit> {
        let state = &self.0;
        let unpacked = state.unpacked.get() + bytes;
        state.unpacked.set(unpacked);
        if let Some(left) = state.left_for_headers.get() {
            let passed = Limit::HeaderBytes(state.max_header_bytes);
            let left = left.checked_sub(bytes).ok_or(passed)?;
            state.left_for_headers.set(Some(left));
        }
        if unpacked > state.max_unpacked_bytes {
            return Err(Limit::UnpackedBytes(state.max_unpacked_bytes));
        }
        let honest = state.received.get().saturating_mul(state.max_ratio);
        if unpacked > honest.max(RATIO_GRACE_BYTES) {
            return Err(Limit::CompressionRatio(state.max_ratio));
        }
        Ok(())
    }
}

/// An error with a code of the operating system comes from the disk, where a zip is spooled. Errors in the archive have no
/// such code.
fn unreadable(error: io::Error) -> IngestError {
    if error.raw_os_error().is_some() {
        IngestError::Reports(error.into())
    } else {
        IngestError::CorruptArchive(error)
    }
}

/// A reader that counts what it receives.
pub struct Received<R> {
    inner: R,
    meter: Meter,
}

impl<R: Read> Read for Received<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        let received = &self.meter.0.received;
        received.set(received.get() + read as u64);
        Ok(read)
    }
}

/// A reader that counts what it unpacks, and fails at a limit.
pub struct Unpacking<R> {
    inner: R,
    meter: Meter,
}

impl<R: Read> Read for Unpacking<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // After a failure, a decoder may return anything on the next read.
        if self.meter.0.failure.borrow().is_some() {
            return Err(io::Error::other("an earlier read of the archive failed"));
        }
        let failure = match self.inner.read(buffer) {
            Ok(read) => match self.meter.count(read as u64) {
                Ok(()) => return Ok(read),
                Err(limit) => IngestError::Limit(limit),
            },
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
            // Some decoders enforce a limit.
            Err(error) => match error.downcast::<Limit>() {
                Ok(limit) => IngestError::Limit(limit),
                Err(error) => unreadable(error),
            },
        };
        // Of several stages, the first that failed has the cause.
        self.meter.0.failure.borrow_mut().get_or_insert(failure);
        Err(io::Error::other("the archive cannot be read further"))
    }
}
