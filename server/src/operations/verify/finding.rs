//! A finding of the check, and its repair. Every repair checks its condition again within the statement that makes the change.

use super::{Outcome, VerifyError};
use domain::text::{chain, shown};
use serde::Serialize;
use std::fmt;
use store::{PointedReport, Store, StoreError};

/// Something that is wrong.
#[derive(Clone, Debug, Default, Serialize, PartialEq, Eq)]
pub(crate) struct Finding {
    /// Its kind, as a name in lower case.
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub org: Option<String>,
    pub detail: String,
    #[serde(skip)]
    pub repair: Option<Repair>,
}

/// The repair of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Repair {
    /// Recomputes everything derived from a repository's records.
    Repository(i64),
    Org(String),
    /// Marks the record's report as removed.
    Missing(PointedReport),
    /// Removes the report after the grace period.
    Orphan(String),
    Keep(PointedReport),
}

impl Finding {
    pub(super) fn new(kind: &'static str, detail: impl Into<String>) -> Self {
        Self {
            kind,
            detail: detail.into(),
            ..Self::default()
        }
    }

    pub(super) fn of_report(
        kind: &'static str,
        report: &PointedReport,
        detail: impl Into<String>,
    ) -> Self {
        Self {
            record: Some(report.record_id),
            key: Some(report.key.clone()),
            ..Self::new(kind, detail)
        }
    }

    /// Whether its repair affects a stored report. Such a repair is dangerous if the command uses another storage than the service.
    pub(crate) fn is_about_storage(&self) -> bool {
        matches!(self.repair, Some(Repair::Missing(_) | Repair::Orphan(_)))
    }
}

/// Its kind, the affected object and its sentence, separated by tabs.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\t", self.kind)?;
        match (&self.record, &self.key, &self.repository, &self.org) {
            (Some(record), ..) => write!(f, "record {record}")?,
            (None, Some(key), ..) => write!(f, "report {}", shown(key))?,
            (None, None, Some(repository), _) => f.write_str(&shown(repository))?,
            (None, None, None, Some(org)) => f.write_str(&shown(org))?,
            (None, None, None, None) => f.write_str("database")?,
        }
        // A sentence may contain text from a damaged database.
        write!(f, "\t{}", shown(&self.detail))
    }
}

/// Repairs what can be repaired, and returns the number of repaired findings.
///
/// # Errors
///
/// When the output is closed. Earlier repairs were printed. A failed repair is printed and is not an error.
pub(crate) async fn repair(store: &Store, outcome: &mut Outcome<'_>) -> Result<u64, VerifyError> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_stays_one_line_with_any_database_content() {
        let bad = || Some("a\n\u{1b}[2Jb\u{202e}".to_owned());
        let empty = Finding::new("odd", "it says\n\u{1b}[2J");
        for finding in [
            Finding {
                key: bad(),
                ..empty.clone()
            },
            Finding {
                repository: bad(),
                ..empty.clone()
            },
            Finding {
                org: bad(),
                ..empty.clone()
            },
        ] {
            let line = finding.to_string();
            assert!(!line.contains(['\n', '\u{1b}', '\u{202e}']), "{line:?}");
            assert_eq!(line.matches('\t').count(), 2, "{line:?}");
        }
    }
}
