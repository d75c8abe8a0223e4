//! What an author's page shows.

use super::{
    BranchName, Change, CommitAuthor, CommitHash, Count, Language, Percentage, Repository,
    Timestamp,
};

/// What a visitor of an author's page asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorQuery {
    /// The name, as CI jobs said it.
    pub author: CommitAuthor,
    /// Only records of this repository.
    pub repository: Option<Repository>,
    /// Only records in this language.
    pub language: Option<Language>,
    /// Only records further down than this place; the newest ones without.
    pub after: Option<RecordPlace>,
}

/// Where a record stands among those of its author, the newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordPlace {
    /// When it was last uploaded.
    pub updated_at: Timestamp,
    /// The record.
    pub record_id: i64,
}

impl RecordPlace {
    /// As it stands in an address.
    pub fn as_text(self) -> String {
        format!("{}.{}", self.updated_at.0, self.record_id)
    }

    /// From an address.
    pub fn parse(text: &str) -> Option<Self> {
        let (updated_at, record_id) = text.split_once('.')?;
        Some(Self {
            updated_at: Timestamp(updated_at.parse().ok()?),
            record_id: record_id.parse().ok()?,
        })
    }
}

/// An author with a page of records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorDetail {
    /// When it was put together; ages are relative to it.
    pub now: Timestamp,
    /// What was asked for.
    pub query: AuthorQuery,
    /// What the newest records say all together.
    pub summary: AuthorSummary,
    /// The records of this page, the newest first.
    pub records: Vec<AuthorRecord>,
    /// Where the next page goes on; none on the last one.
    pub next: Option<RecordPlace>,
}

/// The newest records of an author, counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorSummary {
    /// How many there are.
    pub records: u32,
    /// Whether there are older ones that were not counted: what a page costs must not grow with a history.
    pub is_cut: bool,
    /// The repositories that they are of, with the number of records, the most recently uploaded first.
    pub repositories: Vec<(Repository, u32)>,
    /// Their languages, by name.
    pub languages: Vec<Language>,
    /// When the newest was uploaded.
    pub last_upload: Timestamp,
}

/// One record of an author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorRecord {
    /// The record.
    pub record_id: i64,
    /// The repository.
    pub repository: Repository,
    /// The branch.
    pub branch: BranchName,
    /// The commit that was measured.
    pub commit: CommitHash,
    /// The language.
    pub language: Language,
    /// Its coverage.
    pub percentage: Percentage,
    /// Covered and total lines, where the report counts them.
    pub lines: Option<Count>,
    /// The change since the record before it on its branch, whoever made that.
    pub change: Option<Change>,
    /// When it was last uploaded.
    pub updated_at: Timestamp,
    /// Whether its HTML is there.
    pub has_report: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_in_an_address_round_trips() {
        let place = RecordPlace {
            updated_at: Timestamp(1_794_232_920_000_000),
            record_id: 7,
        };
        assert_eq!(place.as_text(), "1794232920000000.7");
        assert_eq!(RecordPlace::parse(&place.as_text()), Some(place));
        for bad in [
            "",
            "1",
            "1.",
            ".1",
            "1.2.3",
            "a.b",
            "99999999999999999999.1",
        ] {
            assert_eq!(RecordPlace::parse(bad), None, "{bad}");
        }
    }
}
