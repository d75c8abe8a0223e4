//! Repairing what was found. Every repair looks once more at what it changes, within the statement that changes it.

use super::{Finding, Outcome, Repair, VerifyError};
use crate::{
    store::{Store, StoreError},
    text::chain,
};

/// Repairs what can be, and returns how many findings that were.
///
/// # Errors
///
/// When the output is closed. What was repaired until then was told; what cannot be repaired is.
pub async fn repair(store: &Store, outcome: &mut Outcome<'_>) -> Result<u64, VerifyError> {
    let (mut repaired, mut last) = (0, None);
    for finding in std::mem::take(&mut outcome.repairable) {
        let Some(repair) = &finding.repair else {
            continue;
        };
        // Several findings may be about one repository, which is computed anew as a whole.
        if last.as_ref() != Some(repair) {
            match apply(store, repair).await {
                Ok(true) => {}
                Ok(false) => continue,
                Err(error) => {
                    let cause = chain(&error);
                    outcome.note(&format!("{finding}: cannot be repaired: {cause}"))?;
                    continue;
                }
            }
        }
        last = Some(repair.clone());
        outcome.repaired(&finding)?;
        repaired += 1;
    }
    Ok(repaired)
}

/// Whether there was still something to be repaired.
async fn apply(store: &Store, repair: &Repair) -> Result<bool, StoreError> {
    Ok(match repair {
        Repair::Repository(id) => {
            store.recompute_summaries(*id).await?;
            true
        }
        Repair::Org(org) => {
            store.recompute_org(org).await?;
            true
        }
        Repair::Missing(report) => store.let_go_of_missing(report).await?,
        Repair::Orphan(key) => store.mark_orphan(key).await?,
        Repair::Keep(report) => store.keep_report(report).await?,
    })
}

impl Finding {
    /// Whether its repair is about a stored report: dangerous where the storage is another one than the service's.
    pub(crate) fn is_about_storage(&self) -> bool {
        matches!(self.repair, Some(Repair::Missing(_) | Repair::Orphan(_)))
    }
}
