//! The key of the records of one branch in one language.

#[derive(Clone, Copy, Debug)]
pub(crate) struct Series<'a> {
    pub(crate) branch_id: i64,
    pub(crate) language: &'a str,
}
