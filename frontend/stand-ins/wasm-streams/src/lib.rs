//! Takes the place of the crate of this name, through which `server_fn` streams the bodies of server functions.
//!
//! The dashboard has no server functions. But the crate exports classes to JavaScript, so all its code would stay in the WASM
//! that every page loads: 20 kB. These types have the signatures that `server_fn` needs to compile; nothing calls them.

use futures::Stream;
use std::{
    pin::Pin,
    task::{Context, Poll},
};
use wasm_bindgen::{JsCast, JsValue};

/// A stream without data.
#[derive(Debug)]
pub struct ReadableStream;

impl ReadableStream {
    /// Ignores the stream.
    pub fn from_stream<S>(_: S) -> Self
    where
        S: Stream<Item = Result<JsValue, JsValue>> + 'static,
    {
        Self
    }

    /// Ignores the stream.
    pub fn from_raw(_: web_sys::ReadableStream) -> Self {
        Self
    }

    /// Returns `undefined`.
    pub fn into_raw(self) -> web_sys::ReadableStream {
        JsValue::UNDEFINED.unchecked_into()
    }

    /// Returns a stream that ends at once.
    pub fn into_stream(self) -> IntoStream {
        IntoStream
    }
}

/// A stream that ends at once.
#[derive(Debug)]
pub struct IntoStream;

impl Stream for IntoStream {
    type Item = Result<JsValue, JsValue>;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(None)
    }
}
