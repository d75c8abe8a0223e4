//! The totals of new lines, from the counts that are stored with a history: no lines are read.

use super::{
    chain::Chain,
    position::{Place, SinceRecord},
};
use crate::{
    Store, StoreError,
    blocking::{blocking, decoding},
    run::Run,
    views::{ViewFiles, is_in},
};
use ::lines::{Limits, OriginCount, OriginCounts};
use domain::{ChainRecord, Count, NewCount, NewSince, NewTotals, Timestamp, text::chain};
use std::sync::Arc;

pub(super) const COUNTS: &str = "
    select h.counts from record_histories h
    join records r on r.id = h.record_id and r.revision = h.revision
    where h.record_id = $1";

/// The new lines of the files of a record.
pub(crate) struct NewByFile {
    /// The newest record that is not after the position, if there is one.
    pub(crate) since: Option<ChainRecord>,
    /// The files, by path.
    pub(crate) files: Vec<(Box<str>, NewCount)>,
}

impl Store {
    /// The new lines of a record since 90 days ago, or since its history begins; only of files in `view`, if given. `None` without a
    /// history.
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
        let Some(new) = position.map(|position| of_record.new_by_file(&counts, position)) else {
            return Ok(None);
        };
        let files = new.files.iter().filter(|(path, _)| is_in(view, path));
        let sum = files.map(|(_, count)| *count);
        Ok(new.since.map(|record| NewTotals {
            record_id,
            since: record.created_at,
            new: sum.fold(NewCount::default(), NewCount::plus),
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
        Ok(position.map(|position| chain.new_by_file(&counts, position)))
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
                let new = own.new_by_file(&counts, own.at(&place, at));
                new.files
                    .iter()
                    .try_fold(NewCount::default(), |sum, (path, count)| {
                        let is_in = view.as_ref().map_or(Some(true), |view| view.has(path));
                        is_in.map(|is_in| if is_in { sum.plus(*count) } else { sum })
                    })
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
    pub(super) fn new_by_file(&self, counts: &OriginCounts, position: SinceRecord) -> NewByFile {
        let deleted = self.deleted();
        let of_origin = |count: &OriginCount| {
            let (covered, total) = (u64::from(count.covered), u64::from(count.coverable));
            match position.since.is_new(deleted.without(count.origin)) {
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
        };
        let files = counts.files().map(|(path, origins)| {
            let counts = origins.iter().map(of_origin);
            (
                path.into(),
                counts.fold(NewCount::default(), NewCount::plus),
            )
        });
        NewByFile {
            files: files.collect(),
            since: position.record,
        }
    }
}
