//! The totals of new lines, from the counts that are stored with a history: no lines are read.

use super::chain::Chain;
use crate::{Store, StoreError, blocking::decoding, run::Run};
use ::lines::{Limits, OriginCounts};
use domain::{Count, NewSince, NewTotals, Timestamp, text::chain};

const COUNTS: &str = "
    select h.counts from record_histories h
    join records r on r.id = h.record_id and r.revision = h.revision
    where h.record_id = $1";

impl Store {
    /// The new lines of a record since 90 days ago, or since its history begins; `None` without a history. Damaged counts are
    /// logged and count as no history.
    pub(crate) async fn new_totals(
        &self,
        record_id: i64,
        now: Timestamp,
    ) -> Result<Option<NewTotals>, StoreError> {
        let counts: Option<Vec<u8>> = self.first_value(COUNTS, [record_id]).await?;
        let Some(counts) = counts else {
            return Ok(None);
        };
        let decode = move || OriginCounts::decode(&counts, &Limits::default());
        let counts = match decoding(record_id, decode).await {
            Ok(counts) => counts,
            Err(error @ StoreError::Lines { .. }) => {
                tracing::error!(
                    cause = chain(&error),
                    "a page lacks the new code of a record"
                );
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let of_record = Chain::of(self, record_id).await?;
        let time = NewSince::default().time(now).unwrap_or(now);
        let position = of_record.at_time_or_begin(time);
        let Some(record) = &position.record else {
            return Ok(None);
        };
        let deleted = of_record.deleted();
        let mut totals = NewTotals {
            record_id,
            since: record.created_at,
            lines: Count::default(),
            unknown: 0,
        };
        for count in counts.files().flat_map(|(_, counts)| counts) {
            let (covered, total) = (u64::from(count.covered), u64::from(count.coverable));
            match position.since.is_new(deleted.without(count.origin)) {
                Some(true) => totals.lines = totals.lines.plus(Count { covered, total }),
                Some(false) => {}
                None => totals.unknown += total,
            }
        }
        Ok(Some(totals))
    }
}
