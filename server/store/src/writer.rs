//! Access for the service itself: uploads, logins, pull requests, and jobs that run on a timer.

use crate::Store;

/// Reads and writes all repositories for the service itself. Only [`Store::writer`] creates one.
#[derive(Clone, Copy, Debug)]
pub struct Writer<'a> {
    pub(crate) store: &'a Store,
}

impl Store {
    /// Returns the access for the service itself.
    pub fn writer(&self) -> Writer<'_> {
        Writer { store: self }
    }
}
