//! The key of the records of one branch in one language.

use crate::run::Parameter;
use sqlx::any::AnyArguments;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Series<'a> {
    pub(crate) branch_id: i64,
    pub(crate) language: &'a str,
}

impl Parameter for Series<'_> {
    fn add_to(self, arguments: &mut AnyArguments) -> Result<(), sqlx::Error> {
        self.branch_id.add_to(arguments)?;
        self.language.add_to(arguments)
    }
}
