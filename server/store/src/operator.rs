//! The database as operators and administrators use it: tokens, gates, names, deletion, history, storage, verification, the audit log.

use crate::Store;

/// What operators and administrators read and change, in all repositories. Only [`Store::operator`] makes one.
#[derive(Clone, Copy, Debug)]
pub struct Operator<'a> {
    pub(crate) store: &'a Store,
}

impl Store {
    /// The database for an operator or an administrator.
    pub fn operator(&self) -> Operator<'_> {
        Operator { store: self }
    }
}
