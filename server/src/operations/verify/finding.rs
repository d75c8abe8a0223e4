//! One thing that is wrong, and what would repair it.

use crate::{store::PointedReport, text::shown};
use serde::Serialize;
use std::fmt;

/// One thing that is wrong.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct Finding {
    /// What kind of thing it is, as a name in lower case.
    pub kind: &'static str,
    /// The record that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<i64>,
    /// The key of the report that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The repository that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// The organisation that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub org: Option<String>,
    /// A sentence.
    pub detail: String,
    /// What would repair it.
    #[serde(skip)]
    pub repair: Option<Repair>,
}

/// What repairs something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repair {
    /// All that is kept of a repository is computed anew.
    Repository(i64),
    /// The counts of an organisation are computed anew.
    Org(String),
    /// The record says that its report is gone.
    Missing(PointedReport),
    /// The report is removed after the grace.
    Orphan(String),
    /// The report is not removed.
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

/// Its kind, what it is about, and its sentence, with tabs between them.
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
        // A sentence may hold what a damaged database has in it.
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
