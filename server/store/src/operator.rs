//! Access for operators and administrators: tokens, gates, names, deletion, history, storage, verification, the audit log.

use crate::Store;

/// Reads and changes all repositories for operators and administrators. Only [`Store::operator`] creates one.
#[derive(Clone, Copy, Debug)]
pub struct Operator<'a> {
    pub(crate) store: &'a Store,
}

impl Store {
    /// Returns the access for an operator or an administrator.
    pub fn operator(&self) -> Operator<'_> {
        Operator { store: self }
    }
}
