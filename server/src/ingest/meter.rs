//! Readers that count what is received and what it unpacks to, and stop at a limit. They remember why: libraries between
//! them and us wrap errors, or go on reading after one.

use super::{IngestError, Limit};
use crate::config::Limits;
use std::{
    cell::{Cell, RefCell},
    io::{self, Read},
    rc::Rc,
};

/// Up to here an archive may unpack to any multiple of its size: a page of zeros is no bomb.
const RATIO_GRACE_BYTES: u64 = 64 << 20;

/// What has been read of one upload, shared with whoever reads it.
#[derive(Clone)]
pub(super) struct Meter(Rc<State>);

struct State {
    max_unpacked_bytes: u64,
    max_ratio: u64,
    received: Cell<u64>,
    unpacked: Cell<u64>,
    headers: Cell<Option<Allowance>>,
    failure: RefCell<Option<Failure>>,
}

/// How many bytes may be read before the next entry begins: long names and extended headers are read whole into memory.
#[derive(Clone, Copy)]
struct Allowance {
    left: u64,
    limit: u64,
}

enum Failure {
    Limit(Limit),
    Read(io::Error),
}

impl Meter {
    pub(super) fn new(limits: &Limits) -> Self {
        Self(Rc::new(State {
            max_unpacked_bytes: limits.max_unpacked_bytes,
            max_ratio: limits.max_compression_ratio,
            received: Cell::default(),
            unpacked: Cell::default(),
            headers: Cell::default(),
            failure: RefCell::default(),
        }))
    }

    /// Counts what is received through `inner`.
    pub(super) fn receive<R>(&self, inner: R) -> Received<R> {
        Received {
            inner,
            meter: self.clone(),
        }
    }

    /// Counts what is unpacked through `inner`, and holds it to the limits.
    pub(super) fn unpack<R>(&self, inner: R) -> Unpacking<R> {
        Unpacking {
            inner,
            meter: self.clone(),
        }
    }

    /// Bytes unpacked so far.
    pub(super) fn unpacked(&self) -> u64 {
        self.0.unpacked.get()
    }

    /// From now on only `limit` bytes may be unpacked, until [`Self::in_entry`].
    pub(super) fn in_headers(&self, limit: u64) {
        self.0.headers.set(Some(Allowance { left: limit, limit }));
    }

    /// An entry was reached: its content has limits of its own.
    pub(super) fn in_entry(&self) {
        self.0.headers.set(None);
    }

    /// The real reason of an error that came up through a reader of this meter.
    pub(super) fn explain(&self, error: io::Error) -> IngestError {
        match self.0.failure.take() {
            Some(Failure::Limit(limit)) => IngestError::Limit(limit),
            Some(Failure::Read(first)) => unreadable(first),
            None => unreadable(error),
        }
    }

    fn count(&self, bytes: u64) -> Result<(), Limit> {
        let state = &self.0;
        let unpacked = state.unpacked.get() + bytes;
        state.unpacked.set(unpacked);
        if let Some(Allowance { left, limit }) = state.headers.get() {
            let left = left.checked_sub(bytes).ok_or(Limit::HeaderBytes(limit))?;
            state.headers.set(Some(Allowance { left, limit }));
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

    fn fail(&self, failure: Failure) -> io::Error {
        self.0.failure.borrow_mut().get_or_insert(failure);
        io::Error::other("the archive cannot be read on")
    }
}

/// What the system says is of our disk, where a zip is put aside; an archive's own faults have no such code.
fn unreadable(error: io::Error) -> IngestError {
    match error.raw_os_error() {
        Some(_) => IngestError::Reports(error.into()),
        None => IngestError::CorruptArchive(error),
    }
}

pub(super) struct Received<R> {
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

pub(super) struct Unpacking<R> {
    inner: R,
    meter: Meter,
}

impl<R: Read> Read for Unpacking<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // A decoder that has failed may answer anything if it is asked again.
        if self.meter.0.failure.borrow().is_some() {
            return Err(io::Error::other("the archive could not be read before"));
        }
        let failure = match self.inner.read(buffer) {
            Ok(read) => match self.meter.count(read as u64) {
                Ok(()) => return Ok(read),
                Err(limit) => Failure::Limit(limit),
            },
            Err(error) => match error.downcast::<LimitPassed>() {
                Ok(LimitPassed(limit)) => Failure::Limit(limit),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
                Err(error) => Failure::Read(error),
            },
        };
        Err(self.meter.fail(failure))
    }
}

/// A limit that a decoder keeps by itself, as the error that it ends with.
#[derive(Debug, thiserror::Error)]
#[error("the limit of {0} was passed")]
pub(super) struct LimitPassed(pub(super) Limit);
