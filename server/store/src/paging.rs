//! Pages of long lists.

use super::{Store, StoreError, run::Run};

/// The maximum number of rows that one page with a filter searches, which limits the cost of a rare filter. The next page
/// continues after them.
pub(crate) const LOOKED_THROUGH: i64 = 10_000;

/// Removes the rows after the first `size` ones. Returns whether there were more.
pub(crate) fn cut<T>(rows: &mut Vec<T>, size: usize) -> bool {
    let has_more = rows.len() > size;
    rows.truncate(size);
    has_more
}

impl Store {
    /// Where the next page continues if the page before the row `before` finds no more among the rows that it searches. `sql`
    /// selects the last row that the page searches, and the row after it.
    pub(crate) async fn window_end(
        &self,
        sql: &'static str,
        before: i64,
    ) -> Result<Option<i64>, StoreError> {
        let rows: Vec<i64> = self.values(sql, (before, LOOKED_THROUGH - 1)).await?;
        Ok(match rows.as_slice() {
            [last, _] => Some(*last),
            _ => None,
        })
    }
}
