//! Repairs findings. Every repair checks its condition again within the statement that makes the change.

use super::{Finding, Outcome, Repair, VerifyError};
use domain::text::chain;
use store::{Store, StoreError};

/// Repairs what can be repaired, and returns the number of repaired findings.
///
/// # Errors
///
/// When the output is closed. Earlier repairs were printed. A failed repair is printed and is not an error.
pub async fn repair(store: &Store, outcome: &mut Outcome<'_>) -> Result<u64, VerifyError> {
    let (mut repaired, mut last) = (0, None);
    for finding in std::mem::take(&mut outcome.repairable) {
        let Some(repair) = &finding.repair else {
            continue;
        };
        // Several findings may affect one repository, which is recomputed as a whole.
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

/// Repairs a finding. Returns false if there was nothing left to repair.
async fn apply(store: &Store, repair: &Repair) -> Result<bool, StoreError> {
    Ok(match repair {
        Repair::Repository(id) => {
            store.operator().recompute_summaries(*id).await?;
            true
        }
        Repair::Org(org) => {
            store.operator().recompute_org(org).await?;
            true
        }
        Repair::Missing(report) => store.operator().mark_missing(report).await?,
        Repair::Orphan(key) => store.operator().mark_orphan(key).await?,
        Repair::Keep(report) => store.operator().keep_report(report).await?,
    })
}

impl Finding {
    /// Whether its repair affects a stored report. Such a repair is dangerous if the command uses another storage than the service.
    pub(crate) fn is_about_storage(&self) -> bool {
        matches!(self.repair, Some(Repair::Missing(_) | Repair::Orphan(_)))
    }
}
