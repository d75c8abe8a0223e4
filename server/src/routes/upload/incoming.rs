//! The body of an upload: counted, timed, and discarded after a refusal.

mod frame;
mod pace;

use axum::{
    body::{Body, BodyDataStream, Bytes},
    http::{HeaderMap, header},
};
use config::Limits;
use frame::Frame;
use futures::{StreamExt, stream};
use ingest::IngestError;
use pace::Pace;
use std::{
    io,
    sync::{
        Arc, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::{
    sync::{Mutex, mpsc},
    time::timeout,
};

/// How much and how long a client may continue to send after a refusal. Otherwise, a client that sends everything
/// before it reads the answer would see a broken connection instead of the reason.
const LINGER_BYTES: u64 = 64 << 20;
const LINGER_TIME: Duration = Duration::from_secs(10);

/// A client that is silent for this long is reading the answer.
const LINGER_SILENCE: Duration = Duration::from_secs(1);

/// A body whose state can be queried while and after another task reads it.
///
/// The reader holds the lock on `state` until the end, so values that are needed meanwhile are outside of it.
#[derive(Clone)]
pub(in crate::routes) struct Incoming {
    state: Arc<Mutex<State>>,
    is_in_part: Arc<AtomicBool>,
    /// Bytes that may still come between wanted parts.
    allowance: Arc<AtomicUsize>,
    read: Arc<AtomicU64>,
    failure: Failure,
}

struct State {
    chunks: BodyDataStream,
    read: Arc<AtomicU64>,
    limit: u64,
    pace: Pace,
    /// Whether the client waits for `100 Continue`, which reading would send.
    is_waiting: bool,
    failure: Failure,
}

impl Incoming {
    pub(super) fn new(body: Body, headers: &HeaderMap, limits: &Limits) -> Self {
        let read = Arc::new(AtomicU64::new(0));
        let failure = Failure::default();
        let state = State {
            chunks: body.into_data_stream(),
            read: read.clone(),
            limit: limits.max_upload_bytes,
            pace: Pace::new(limits),
            is_waiting: headers.contains_key(header::EXPECT),
            failure: failure.clone(),
        };
        Self {
            state: Arc::new(Mutex::new(state)),
            is_in_part: Arc::default(),
            allowance: Arc::new(AtomicUsize::new(frame::ALLOWANCE)),
            read,
            failure,
        }
    }

    /// Returns the body for reading. Nothing is received before the first read.
    pub(in crate::routes) fn body(&self) -> Body {
        let next = async |mut frame: Frame| Some((frame.next().await?, frame));
        Body::from_stream(stream::unfold(Frame::of(self.clone()), next))
    }

    /// Notes that a wanted part has begun: until it ends, only the total limit applies.
    pub(in crate::routes) fn begin_part(&self) {
        self.is_in_part.store(true, Ordering::Relaxed);
    }

    pub(super) fn end_part(&self) {
        self.allowance.store(frame::ALLOWANCE, Ordering::Relaxed);
        self.is_in_part.store(false, Ordering::Relaxed);
    }

    pub(super) fn bytes(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Returns why reading failed, unless the connection failed.
    pub(in crate::routes) fn failure(&self) -> Option<IngestError> {
        self.failure.lock().take()
    }

    /// Reads and discards the rest, within limits, while the answer is sent. Starts after all other readers have ended.
    pub(super) fn linger(self) {
        tokio::spawn(async move {
            let mut state = self.state.lock().await;
            if !state.is_waiting {
                timeout(LINGER_TIME, state.discard()).await.ok();
            }
        });
    }
}

/// Why reading failed, for the client.
#[derive(Clone, Default)]
struct Failure(Arc<std::sync::Mutex<Option<IngestError>>>);

impl Failure {
    fn set(&self, failure: IngestError) -> io::Error {
        let error = io::Error::other(failure.to_string());
        *self.lock() = Some(failure);
        error
    }

    fn lock(&self) -> MutexGuard<'_, Option<IngestError>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

type Chunks = mpsc::Receiver<io::Result<Bytes>>;

/// Reads in a separate task, at most one chunk ahead, until the receiver is dropped.
///
/// An upload that waits for a permit or the disk does not request its next chunk. This task waits only for the client,
/// so the measured time is the client's.
fn pump(state: Arc<Mutex<State>>) -> Chunks {
    let (sender, chunks) = mpsc::channel(1);
    tokio::spawn(async move {
        let mut state = state.lock().await;
        while let Ok(permit) = sender.reserve().await {
            let chunk = tokio::select! {
                chunk = state.next() => chunk,
                () = sender.closed() => None,
            };
            let Some(chunk) = chunk else { break };
            permit.send(chunk);
        }
    });
    chunks
}

impl State {
    async fn next(&mut self) -> Option<io::Result<Bytes>> {
        self.is_waiting = false;
        let since = Instant::now();
        let chunk = match timeout(self.pace.timeout(), self.chunks.next()).await {
            Ok(chunk) => chunk?.map_err(io::Error::other),
            Err(_) => Err(self.failure.set(IngestError::Slow(self.pace.timed_out()))),
        };
        Some(chunk.and_then(|chunk| {
            let counted = self.count(chunk.len() as u64, since.elapsed());
            counted.map_err(|failure| self.failure.set(failure))?;
            Ok(chunk)
        }))
    }

    fn count(&mut self, bytes: u64, waited: Duration) -> Result<(), IngestError> {
        let in_time = self.pace.record_chunk(bytes, waited);
        in_time.map_err(IngestError::Slow)?;
        match self.read.fetch_add(bytes, Ordering::Relaxed) + bytes > self.limit {
            true => Err(IngestError::TooLarge(self.limit)),
            false => Ok(()),
        }
    }

    async fn discard(&mut self) {
        let mut left = LINGER_BYTES;
        while let Ok(Some(Ok(chunk))) = timeout(LINGER_SILENCE, self.chunks.next()).await {
            left = left.saturating_sub(chunk.len() as u64);
            if left == 0 {
                break;
            }
        }
    }
}
