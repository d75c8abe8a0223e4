//! The calls to a forge for one upload, with a common limit on number, bytes and time.

use super::why::Why;
use crate::{Api, outbound::OutboundError};
use http::StatusCode;
use reqwest::Url;
use serde_json::Value;
use std::{ops::ControlFlow, time::Duration};
use tokio::time::Instant;

/// The most calls. Before its record is stored, an upload makes two more, which prove its token.
const MAX_CALLS: u8 = 6;

pub(super) struct Calls<'a> {
    pub(super) api: &'a Api,
    token: &'a str,
    left: u8,
    bytes_left: usize,
    start: Instant,
    within: Duration,
}

impl<'a> Calls<'a> {
    pub(super) fn new(api: &'a Api, token: &'a str, max_bytes: usize) -> Self {
        Self {
            api,
            token,
            left: MAX_CALLS,
            bytes_left: max_bytes,
            start: Instant::now(),
            within: api.changes_within,
        }
    }

    /// Permits one call more, for the tree of the commit that was measured.
    pub(super) fn permit_one(&mut self) {
        self.left += 1;
    }

    /// Returns the number of calls that are left if `kept` others follow. A quarter of the time is reserved for these.
    pub(super) fn left(&self, kept: u8) -> u8 {
        let is_late = self.start.elapsed() > self.within.mul_f64(0.75);
        if is_late {
            0
        } else {
            self.left.saturating_sub(kept)
        }
    }

    pub(super) async fn json(&mut self, url: Url) -> Result<Value, Why> {
        let body = self.body(url).await?;
        serde_json::from_slice(&body).map_err(|_| Why::Strange)
    }

    pub(super) async fn body(&mut self, url: Url) -> Result<Vec<u8>, Why> {
        let mut body = Vec::new();
        self.read(url, None, |bytes| {
            body.extend_from_slice(bytes);
            ControlFlow::Continue(())
        })
        .await?;
        Ok(body)
    }

    /// Passes the body of a successful answer in pieces to `take`, until `take` breaks.
    pub(super) async fn read(
        &mut self,
        url: Url,
        media_type: Option<&'static str>,
        mut take: impl FnMut(&[u8]) -> ControlFlow<()> + Send,
    ) -> Result<(), Why> {
        let Some(left) = self.left.checked_sub(1) else {
            return Err(Why::Many);
        };
        self.left = left;
        let (bytes_left, mut is_large) = (&mut self.bytes_left, false);
        let mut limited = |bytes: &[u8]| match bytes_left.checked_sub(bytes.len()) {
            Some(left) => {
                *bytes_left = left;
                take(bytes)
            }
            None => {
                is_large = true;
                ControlFlow::Break(())
            }
        };
        let until = self.start + self.within;
        let called = self
            .api
            .read(self.token, url, media_type, until, &mut limited);
        let answer = called.await.map_err(|error| match error {
            OutboundError::Limited(_) => Why::Limited,
            error => Why::Failed(error),
        })?;
        if is_large {
            return Err(Why::Large);
        }
        Err(match answer.status {
            StatusCode::OK => return Ok(()),
            _ if self.api.forge.found_too_large(&answer) => Why::Large,
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::NOT_FOUND => {
                Why::Withheld
            }
            status if status.is_server_error() => Why::Down(status),
            _ => Why::Strange,
        })
    }
}
