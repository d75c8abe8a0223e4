//! Counts as the values of two columns; both are null if there is no count.

use crate::run::Parameter;
use domain::Count;
use sqlx::any::AnyArguments;

pub(crate) struct Columns(pub(crate) Option<Count>);

impl Parameter for Columns {
    fn add_to(self, arguments: &mut AnyArguments) -> Result<(), sqlx::Error> {
        let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        self.0
            .map(|count| number(count.covered))
            .add_to(arguments)?;
        self.0.map(|count| number(count.total)).add_to(arguments)
    }
}
