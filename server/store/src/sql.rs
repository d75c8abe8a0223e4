//! Builds queries from parts, with their values as parameters `$1`, `$2`, …, which every engine accepts.
//!
//! sqlx's own builder writes `?` for the `Any` driver, which PostgreSQL does not accept.

mod readable;

pub(super) use readable::{ScopedSql, ScopedText, readable, readable_record};

use sqlx::{Any, AssertSqlSafe, FromRow, any::AnyArguments, any::AnyRow, query::QueryAs};

/// A query under construction. Its parts are constants in this service's code; outside input is always a value.
pub(super) struct Sql {
    text: String,
    values: Vec<Value>,
}

pub(super) enum Value {
    Integer(i64),
    Text(Option<String>),
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Text(Some(value))
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(Some(value.to_owned()))
    }
}

/// `None` becomes null.
impl From<Option<&str>> for Value {
    fn from(value: Option<&str>) -> Self {
        Self::Text(value.map(str::to_owned))
    }
}

impl Sql {
    pub(super) fn new(part: &str) -> Self {
        Self {
            text: part.to_owned(),
            values: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, part: &str) -> &mut Self {
        self.text.push_str(part);
        self
    }

    pub(super) fn push_bind(&mut self, value: impl Into<Value>) -> &mut Self {
        let place = self.place(value);
        self.push(&place)
    }

    /// Adds a value and returns its parameter, for a query that uses the value several times.
    pub(super) fn place(&mut self, value: impl Into<Value>) -> String {
        self.values.push(value.into());
        format!("${}", self.values.len())
    }

    /// Adds the value of the next parameter that the text already has.
    pub(super) fn bind(&mut self, value: impl Into<Value>) -> &mut Self {
        self.values.push(value.into());
        self
    }

    /// Adds parameters, separated by commas.
    pub(super) fn push_list(
        &mut self,
        values: impl IntoIterator<Item = impl Into<Value>>,
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

    /// Completes the query, for rows of the type `Row`.
    pub(super) fn rows<Row>(self) -> QueryAs<'static, Any, Row, AnyArguments>
    where
        Row: for<'row> FromRow<'row, AnyRow>,
    {
        let query = sqlx::query_as(AssertSqlSafe(self.text));
        self.values
            .into_iter()
            .fold(query, |query, value| match value {
                Value::Integer(value) => query.bind(value),
                Value::Text(value) => query.bind(value),
            })
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }
}
