//! Counts as the values of two columns; both are null if there is no count.

use crate::{Unsigned, run::Parameter};
use domain::Count;
use sqlx::any::AnyArguments;

pub(crate) struct Columns(pub(crate) Option<Count>);

impl Parameter for Columns {
    fn add_to(self, arguments: &mut AnyArguments) -> Result<(), sqlx::Error> {
        let count = self.0;
        count
            .map(|count| Unsigned(count.covered))
            .add_to(arguments)?;
        count.map(|count| Unsigned(count.total)).add_to(arguments)
    }
}
