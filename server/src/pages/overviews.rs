//! Overviews, which are valid until the database changes, for up to a minute: ages and changes are relative to the time of an overview.

use crate::fresh_cache::{FreshCache, Weighed};
use domain::{Overview, OverviewQuery, Percentage};
use std::sync::Arc;
use store::{ReadScope, Reader, Store, StoreError, now};

/// Memory for overviews.
const ALL_BYTES: usize = 8 << 20;

/// What an overview takes at most: 50 rows with 31 points each, and 300 choices of a filter, with names of the maximum length.
const BYTES: usize = 192 << 10;

const MINUTE: i64 = 60_000_000;

pub(super) struct Overviews(FreshCache<Asked, Arc<Overview>>);

/// What an overview depends on, except the database.
#[derive(PartialEq, Eq, Hash)]
struct Asked {
    scope: ReadScope,
    parameters: Vec<(&'static str, String)>,
    minute: i64,
}

impl Overviews {
    pub(super) fn new(store: &Store) -> Self {
        Self(FreshCache::new(store.watcher(), ALL_BYTES))
    }

    /// Like [`Reader::overview`]. The target is the same for all requests.
    pub(super) async fn get(
        &self,
        reader: &Reader,
        query: OverviewQuery,
        target: Percentage,
    ) -> Result<Overview, StoreError> {
        let asked = Asked {
            scope: reader.scope().clone(),
            parameters: query.parameters(),
            minute: now().0 / MINUTE,
        };
        let read = async { reader.overview(query, target).await.map(Arc::new) };
        self.0.get(asked, read).await.map(Arc::unwrap_or_clone)
    }
}

impl Weighed for Asked {
    fn bytes(&self) -> usize {
        let values = self.parameters.iter().map(|(_, value)| value.len());
        self.scope.bytes() + values.sum::<usize>()
    }
}

impl Weighed for Arc<Overview> {
    fn bytes(&self) -> usize {
        BYTES
    }
}
