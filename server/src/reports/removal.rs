//! Removing stored reports that no record points to.

use crate::{
    reports::{Reports, ReportsError},
    store::Store,
    text::chain,
};
use std::error::Error;
use tokio::task;

/// Removes reports that no record points to any more, and that are marked for deletion. What does not work now, or is not there, is left
/// for later: whoever removes may look in another place than the service does.
pub async fn remove_marked(store: &Store, reports: &Reports, keys: &[String]) {
    for key in keys {
        let removed = remove(store, reports, key, IfMissing::Remember).await;
        report_failure(key, removed);
    }
}

/// What to make of a report that is not there.
#[derive(Clone, Copy)]
pub(crate) enum IfMissing {
    /// It was never stored, or a crash came between removing and forgetting it.
    Forget,
    /// It may still come, from another process or from a storage that has not said: a later sweep looks once more.
    Remember,
}

impl IfMissing {
    /// When storing it failed so.
    pub(crate) fn after(error: &ReportsError) -> Self {
        match error {
            ReportsError::Storage(_) => Self::Remember,
            _ => Self::Forget,
        }
    }
}

/// Removes a marked for deletion report, and forgets it.
pub(crate) async fn remove(
    store: &Store,
    reports: &Reports,
    key: &str,
    if_missing: IfMissing,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let (reports, removed) = (reports.clone(), key.to_owned());
    let removed = task::spawn_blocking(move || reports.remove(&removed));
    match (removed.await?, if_missing) {
        (Err(ReportsError::Missing), IfMissing::Remember) => Ok(()),
        (Ok(()) | Err(ReportsError::Missing), _) => Ok(store.forget_report(key).await?),
        (Err(error), _) => Err(error.into()),
    }
}

pub(crate) fn report_failure(key: &str, removed: Result<(), Box<dyn Error + Send + Sync>>) {
    if let Err(error) = removed {
        let cause = chain(&*error);
        tracing::warn!(
            key,
            cause,
            "a report that no record points to cannot be removed now; a later sweep tries again"
        );
    }
}
