//! The totals of new lines, from the counts that are stored with a history: no lines are read.

use super::{
    chain::{Chain, Deleted},
    position::{Place, SinceRecord},
};
use crate::{
    Store, StoreError,
    blocking::{blocking, decoding},
    run::Run,
    views::ViewFiles,
};
use ::lines::{Limits, OriginCount, OriginCounts};
use domain::{Count, NewCount, NewSince, NewTotals, Timestamp, text::chain};
use std::sync::Arc;

pub(super) const COUNTS: &str = "
    select h.counts from record_histories h
    join records r on r.id = h.record_id and r.revision = h.revision
    where h.record_id = $1";

/// The new lines of the files of a record.
pub(crate) struct NewByFile {
    counts: OriginCounts,
    position: SinceRecord,
    deleted: Deleted,
}

impl NewByFile {
    /// The files, by path.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, NewCount)> {
        self.counts.files().map(|(path, origins)| {
            let counts = origins.iter().map(|count| self.of_origin(count));
            (path, counts.fold(NewCount::default(), NewCount::plus))
        })
    }

    /// The sum over the files of a view; over all files without a view. `None` if finding the files takes too many steps.
    pub(super) fn sum(&self, view: Option<&ViewFiles>) -> Option<NewCount> {
        self.files()
            .try_fold(NewCount::default(), |sum, (path, count)| {
                let is_in = view.map_or(Some(true), |view| view.has(path));
                is_in.map(|is_in| if is_in { sum.plus(count) } else { sum })
            })
    }

    fn of_origin(&self, count: &OriginCount) -> NewCount {
        let (covered, total) = (u64::from(count.covered), u64::from(count.coverable));
        let origin = self.deleted.without(count.origin);
        match self.position.since.is_new(origin) {
            Some(true) => NewCount {
                lines: Count { covered, total },
                unknown: 0,
            },
            Some(false) => NewCount::default(),
            None => NewCount {
                lines: Count::default(),
                unknown: total,
            },
        }
    }
}

impl Store {
    /// The new lines of a record since 90 days ago, or since its history begins; only of files in `view`, if given. `None` without a
    /// history, or if finding the files takes too many steps.
    pub(crate) async fn new_totals(
        &self,
        record_id: i64,
        since: &NewSince,
        now: Timestamp,
        view: Option<&ViewFiles>,
    ) -> Result<Option<NewTotals>, StoreError> {
        let Some(counts) = self.origin_counts(record_id).await? else {
            return Ok(None);
        };
        let of_record = Chain::of(self, record_id).await?;
        let position = match since.time(now) {
            Some(time) => Some(of_record.at_time_or_begin(time)),
            None => of_record.since(self, record_id, since, now).await?,
        };
        let Some(mut position) = position else {
            return Ok(None);
        };
        let Some(record) = position.record.take() else {
            return Ok(None);
        };
        let (new, view) = (of_record.new_by_file(counts, position), view.cloned());
        let sum = blocking(move || new.sum(view.as_ref())).await?;
        Ok(sum.map(|new| NewTotals {
            record_id,
            since: record.created_at,
            new,
        }))
    }

    /// The new lines of the files of a record; `None` without a history, or if there is no such position.
    pub(crate) async fn new_by_file(
        &self,
        record_id: i64,
        since: &NewSince,
        now: Timestamp,
    ) -> Result<Option<NewByFile>, StoreError> {
        let Some(counts) = self.origin_counts(record_id).await? else {
            return Ok(None);
        };
        let chain = Chain::of(self, record_id).await?;
        let position = chain.since(self, record_id, since, now).await?;
        Ok(position.map(|position| chain.new_by_file(counts, position)))
    }

    /// The new lines of several records of a branch, the oldest first; only of files in `view`, if given. `None` for a record without
    /// a history; `None` for all if there is no such position. An age counts back from the time of each record.
    pub(crate) async fn new_of(
        &self,
        records: &[(i64, Timestamp)],
        since: &NewSince,
        view: Option<&ViewFiles>,
    ) -> Result<Option<Vec<Option<NewCount>>>, StoreError> {
        let Some((newest, _)) = records.last() else {
            return Ok(Some(Vec::new()));
        };
        let Some(place) = Place::of(self, *newest, since).await? else {
            return Ok(None);
        };
        let place = Arc::new(place);
        let chain = Chain::of(self, *newest).await?;
        let mut all = Vec::with_capacity(records.len());
        for (id, at) in records {
            let Some(counts) = self.origin_counts(*id).await? else {
                all.push(None);
                continue;
            };
            let own = match chain.from(*id) {
                Some(own) => own,
                None => Chain::of(self, *id).await?,
            };
            let (place, view, at) = (place.clone(), view.cloned(), *at);
            let sum = blocking(move || {
                let new = own.new_by_file(counts, own.at(&place, at));
                new.sum(view.as_ref())
            });
            all.push(sum.await?);
        }
        Ok(Some(all))
    }

    /// The stored counts of a record; `None` without a history. Damaged counts are logged and count as no history.
    pub(super) async fn origin_counts(
        &self,
        record_id: i64,
    ) -> Result<Option<OriginCounts>, StoreError> {
        let counts: Option<Vec<u8>> = self.first_value(COUNTS, [record_id]).await?;
        let Some(counts) = counts else {
            return Ok(None);
        };
        let decode = move || OriginCounts::decode(&counts, &Limits::default());
        match decoding(record_id, decode).await {
            Ok(counts) => Ok(Some(counts)),
            Err(error @ StoreError::Lines { .. }) => {
                tracing::error!(
                    cause = chain(&error),
                    "an answer lacks the new code of a record"
                );
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

impl Chain {
    /// Counts the lines that are new since a position.
    pub(super) fn new_by_file(&self, counts: OriginCounts, position: SinceRecord) -> NewByFile {
        NewByFile {
            counts,
            position,
            deleted: self.deleted(),
        }
    }
}
