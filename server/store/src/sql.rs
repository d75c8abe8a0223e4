//! Builds queries from parts, with their values as parameters `$1`, `$2`, …, which every engine accepts.
//!
//! sqlx's own builder writes `?` for the `Any` driver, which PostgreSQL does not accept.

mod restricted;

pub(super) use restricted::{ScopedSql, ScopedText, readable, readable_record};

use crate::{
    StoreError,
    run::{Parameter, Parameters, Row},
};
use sqlx::{Any, Arguments, AssertSqlSafe, any::AnyArguments, query::QueryAs};

/// A complete query for rows of the type `T`.
pub(super) type Rows<T> = QueryAs<'static, Any, T, AnyArguments>;

/// A query under construction. Its parts are constants in this service's code; outside input is always a value.
pub(super) struct Sql {
    text: String,
    /// The error of the first value that could not be encoded.
    values: Result<AnyArguments, sqlx::Error>,
}

impl Sql {
    pub(super) fn new(part: &str) -> Self {
        Self::with(part, ())
    }

    /// Begins with a part that has the parameters of these values.
    fn with(part: &str, values: impl Parameters) -> Self {
        Self {
            text: part.to_owned(),
            values: values.arguments(),
        }
    }

    pub(super) fn push(&mut self, part: &str) -> &mut Self {
        self.text.push_str(part);
        self
    }

    pub(super) fn push_bind(&mut self, value: impl Parameter) -> &mut Self {
        let place = self.place(value);
        self.push(&place)
    }

    /// Adds the condition that a text matches a pattern, whose escape character is `!`.
    pub(super) fn push_like(&mut self, text: &str, pattern: &str) -> &mut Self {
        self.push(text)
            .push(" like ")
            .push_bind(pattern.to_owned())
            .push(" escape '!'")
    }

    /// Adds a value and returns its parameter, for a query that uses the value several times.
    pub(super) fn place(&mut self, value: impl Parameter) -> String {
        if let Ok(values) = &mut self.values
            && let Err(error) = value.add_to(values)
        {
            self.values = Err(error);
        }
        format!("${}", self.values.as_ref().map_or(0, Arguments::len))
    }

    /// Adds parameters, separated by commas.
    pub(super) fn push_list(
        &mut self,
        values: impl IntoIterator<Item = impl Parameter>,
    ) -> &mut Self {
        for (at, value) in values.into_iter().enumerate() {
            if at > 0 {
                self.push(", ");
            }
            self.push_bind(value);
        }
        self
    }

    /// Removes and returns the text, so that it can be replaced.
    pub(super) fn take_text(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// Completes the query, for rows of the type `T`.
    ///
    /// # Errors
    ///
    /// If a value could not be encoded.
    pub(super) fn rows<T: Row>(self) -> Result<Rows<T>, StoreError> {
        let values = self.values?;
        Ok(sqlx::query_as_with(AssertSqlSafe(self.text), values))
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }
}
