//! The records of one branch in one language.

/// The branch and the language of a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Series<'a> {
    pub(crate) branch_id: i64,
    pub(crate) language: &'a str,
}
