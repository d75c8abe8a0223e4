//! The history of the lines of records of main branches: computed after an upload, stored beside the lines, and read with them.

mod base;
mod chain;
mod cold;
mod keep;
mod moved;
mod new_code;
mod of_main;
mod position;
mod ranges;
#[cfg(test)]
mod tests;
mod totals;
mod waiting;

pub use moved::RecordChain;
pub(crate) use moved::{MAX_DELETED, bases};
pub use new_code::{NewCode, NewFile};
pub(crate) use of_main::FORGET_NEW_CODE;
pub use ranges::{FileHistory, RangeHistory};
pub use waiting::WaitingHistories;

/// The queries whose plans are tested.
#[cfg(test)]
pub(crate) const QUERIES: [&str; 15] = [
    FIND,
    base::FOLLOWS,
    base::IS_BASE,
    base::LATER,
    base::STATE,
    base::VERSION,
    chain::CHAIN,
    cold::NEWEST_OF_MAIN,
    keep::LINK,
    keep::STORED,
    moved::BASES,
    position::OF_COMMIT,
    position::OF_ID,
    position::OF_TAG,
    totals::COUNTS,
];

use super::run::Run;
use super::{Store, StoreError};
use crate::blocking::decoding;
use ::lines::{History, Limits, Lines};

const FIND: &str = "
    select l.lines, h.history from record_lines l
    join records r on r.id = l.record_id
    join record_histories h on h.record_id = l.record_id and h.revision = r.revision
    where l.record_id = $1";

impl Store {
    /// The lines of a record with their history; `None` if the history is not kept, or is not computed yet.
    async fn lines_with_history(
        &self,
        record_id: i64,
    ) -> Result<Option<(Lines, History)>, StoreError> {
        let found: Option<(Vec<u8>, Vec<u8>)> = self.first(FIND, [record_id]).await?;
        let Some((lines, history)) = found else {
            return Ok(None);
        };
        let decode = move || {
            let limits = Limits::default();
            let lines = Lines::decode(&lines, &limits)?;
            let history = History::decode(&history, &lines, &limits)?;
            Ok((lines, history))
        };
        decoding(record_id, decode).await.map(Some)
    }
}
