//! Questions that are put together of parts, with their values beside them: `$1`, `$2`, … as every engine reads them.
//!
//! sqlx's own builder writes `?` for the `Any` driver, which PostgreSQL does not know.

use sqlx::{Any, AssertSqlSafe, FromRow, any::AnyArguments, any::AnyRow, query::QueryAs};

/// A question in the making. Parts are written in this service's code; what comes from outside is a value.
pub(super) struct Sql {
    text: String,
    values: Vec<Value>,
}

/// What stands for a `$1`.
pub(super) enum Value {
    Integer(i64),
    Text(String),
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Text(value)
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

    /// A value, where it stands in the text.
    pub(super) fn push_bind(&mut self, value: impl Into<Value>) -> &mut Self {
        self.values.push(value.into());
        let place = self.values.len().to_string();
        self.push("$").push(&place)
    }

    /// Values with commas between them.
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

    /// The whole question, whose answer is rows of this kind.
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

    /// Its text.
    #[cfg(test)]
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}
