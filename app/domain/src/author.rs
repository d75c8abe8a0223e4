//! The data of an author's page.

use super::{
    AuthorColumn, BranchName, Change, CommitAuthor, CommitHash, Count, Language, ListOrder,
    Percentage, Repository, Timestamp,
};

/// A query for an author's page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorQuery {
    /// The name, as sent by CI jobs.
    pub author: CommitAuthor,
    /// Only records of this repository.
    pub repository: Option<Repository>,
    /// Only records in this language.
    pub language: Option<Language>,
    /// Only records after this place in the list; the newest records if `None`.
    pub after: Option<RecordPlace>,
    /// The first records in this order; the newest first if `None`. `after` overrides it.
    pub order: Option<ListOrder<AuthorColumn>>,
}

impl AuthorQuery {
    /// Reads the query from an address. `value` returns the value of a parameter, or an empty text. Invalid values are ignored.
    pub fn of(author: CommitAuthor, value: impl Fn(&str) -> String) -> Self {
        Self {
            author,
            repository: value("repo").parse().ok(),
            language: value("language").parse().ok(),
            after: RecordPlace::parse(&value("after")),
            order: value("records").parse().ok(),
        }
    }
}

/// A record's place in the author's list, newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordPlace {
    /// When it was last uploaded.
    pub updated_at: Timestamp,
    /// The record.
    pub record_id: i64,
}

impl RecordPlace {
    /// The text in an address.
    pub fn as_text(self) -> String {
        format!("{}.{}", self.updated_at.0, self.record_id)
    }

    /// Parses the text from an address.
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
    /// When the page was built; ages are relative to it.
    pub now: Timestamp,
    /// The query.
    pub query: AuthorQuery,
    /// Summary of the newest records.
    pub summary: AuthorSummary,
    /// The records of this page, the newest first or in the order of the query.
    pub records: Vec<AuthorRecord>,
    /// Where the next page starts; `None` on the last page, and if the order is not newest first.
    pub next: Option<RecordPlace>,
    /// Whether these are all records that the query selects.
    pub is_whole: bool,
}

/// Counts over the newest records of an author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorSummary {
    /// The number of records.
    pub records: u32,
    /// Whether older records were not counted: the cost of a page must not grow with the history.
    pub is_cut: bool,
    /// The repositories, each with its number of records, the most recently uploaded first.
    pub repositories: Vec<(Repository, u32)>,
    /// The languages, by name.
    pub languages: Vec<Language>,
    /// When the newest record was uploaded.
    pub last_upload: Timestamp,
}

/// One record of an author.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "sql", derive(sqlx::FromRow))]
pub struct AuthorRecord {
    /// The record.
    pub record_id: i64,
    /// The repository.
    #[cfg_attr(feature = "sql", sqlx(flatten))]
    pub repository: Repository,
    /// The branch.
    pub branch: BranchName,
    /// The commit that was measured.
    #[cfg_attr(feature = "sql", sqlx(rename = "commit_hash"))]
    pub commit: CommitHash,
    /// The language.
    pub language: Language,
    /// Its coverage.
    pub percentage: Percentage,
    /// Covered and total lines, if the coverage file counts them.
    #[cfg_attr(feature = "sql", sqlx(flatten, try_from = "crate::sql::LineColumns"))]
    pub lines: Option<Count>,
    /// The change since the previous record on its branch, of any author.
    pub change: Option<Change>,
    /// When it was last uploaded.
    pub updated_at: Timestamp,
    /// Whether its HTML report is stored.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::Flag"))]
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
