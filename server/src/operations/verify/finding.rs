//! A finding of the check, and its repair.

use domain::text::shown;
use serde::Serialize;
use std::fmt;
use store::PointedReport;

/// Something that is wrong.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct Finding {
    /// Its kind, as a name in lower case.
    pub kind: &'static str,
    /// The affected record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<i64>,
    /// The key of the affected report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The affected repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// The affected org.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub org: Option<String>,
    /// One sentence for people.
    pub detail: String,
    /// Its repair, if there is one.
    #[serde(skip)]
    pub repair: Option<Repair>,
}

/// The repair of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repair {
    /// Recomputes everything derived from a repository's records.
    Repository(i64),
    /// Recomputes the counts of an org.
    Org(String),
    /// Marks the record's report as removed.
    Missing(PointedReport),
    /// Removes the report after the grace period.
    Orphan(String),
    /// Keeps the report.
    Keep(PointedReport),
}

impl Finding {
    pub(super) fn new(kind: &'static str, detail: impl Into<String>) -> Self {
        Self {
            kind,
            record: None,
            key: None,
            repository: None,
            org: None,
            detail: detail.into(),
            repair: None,
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
