//! Access for the service itself (uploads, logins, pull requests, and jobs that run on a timer), and for operators and
//! administrators (tokens, gates, names, deletion, history, storage, verification, the audit log).

use crate::Store;

/// Reads and writes all repositories for the service itself. Only [`Store::writer`] creates one.
#[derive(Clone, Copy, Debug)]
pub struct Writer<'a> {
    pub(crate) store: &'a Store,
}

/// Reads and changes all repositories for operators and administrators. Only [`Store::operator`] creates one.
#[derive(Clone, Copy, Debug)]
pub struct Operator<'a> {
    pub(crate) store: &'a Store,
}

impl Store {
    /// Returns the access for the service itself.
    pub fn writer(&self) -> Writer<'_> {
        Writer { store: self }
    }

    /// Returns the access for an operator or an administrator.
    pub fn operator(&self) -> Operator<'_> {
        Operator { store: self }
    }
}
