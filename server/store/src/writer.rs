//! The database as the service itself uses it: for uploads, logins, pull requests, and what runs on a timer.

use crate::Store;

/// What the service itself reads and writes, in all repositories. Only [`Store::writer`] makes one.
#[derive(Clone, Copy, Debug)]
pub struct Writer<'a> {
    pub(crate) store: &'a Store,
}

impl Store {
    /// The database for the service itself.
    pub fn writer(&self) -> Writer<'_> {
        Writer { store: self }
    }
}
