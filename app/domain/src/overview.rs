//! The data of the overview page.

use super::{
    BranchName, Change, Count, Day, Language, NewCount, Order, OrgName, OverviewColumn, Percentage,
    Repository, StatedMetric, Timestamp,
    choice::choices,
    query::{query, with_default},
};

/// A day, in microseconds.
pub const DAY: i64 = 86_400_000_000;

/// A repository without uploads for this many days is stale.
pub const STALE_DAYS: i64 = 14;

/// A drop counts as recent for this many days.
pub const DROP_DAYS: i64 = 7;

/// The number of days in the trend of a row.
pub const TREND_DAYS: i64 = 30;

query! {
    /// A query for the overview.
    #[derive(Default)]
    pub struct OverviewQuery {
        /// A case-insensitive part of `org/repo`; empty for all.
        pub keyword: String = "keyword",
        /// Only this org and its groups.
        pub org: Option<OrgName> = "org_name",
        /// Only in this language.
        pub language: Option<Language> = "language",
        /// What is counted.
        pub metric: StatedMetric = "metric",
        /// Only what needs attention for this reason.
        pub show: Show = "show",
        /// The order.
        pub sort: Sort = "sort",
        /// The page, counted from 1.
        pub page: u32 = "p",
    }
}

impl OverviewQuery {
    /// Whether a filter is set.
    pub fn is_filtered(&self) -> bool {
        !self.keyword.is_empty()
            || self.org.is_some()
            || self.language.is_some()
            || self.show != Show::All
    }

    /// Whether the page shows what needs attention above the list: only on the first page, in the default order and
    /// without a search. Otherwise the reader looks for something else.
    pub fn has_attention(&self) -> bool {
        self.page <= 1
            && self.keyword.is_empty()
            && self.show == Show::All
            && self.sort == Sort::default()
    }

    /// The number of days of a row's second change; depends on what the list shows.
    pub fn change_days(&self) -> i64 {
        if self.sort.column == OverviewColumn::Change || self.show == Show::Dropped {
            DROP_DAYS
        } else {
            TREND_DAYS
        }
    }
}

/// The order of the list; by default by org and repository.
pub type Sort = Order<OverviewColumn>;

impl Default for Sort {
    fn default() -> Self {
        Self::ascending(OverviewColumn::Name)
    }
}

choices! {
    /// The rows to show: everything, or what needs attention for one reason.
    #[derive(Default)]
    Show:
    /// Everything.
    #[default]
    All = "all",
    /// Less coverage than a week ago.
    Dropped = "dropped",
    /// Below the target.
    Below = "below",
    /// No uploads for two weeks.
    Stale = "stale",
}

with_default!(Show, Sort);

/// One page of repositories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overview {
    /// When the page was built; ages are relative to it.
    pub now: Timestamp,
    /// The query, with the page number that is shown.
    pub query: OverviewQuery,
    /// The number of matching repositories on all pages.
    pub matching: u32,
    /// The number of pages; at least 1.
    pub pages: u32,
    /// Whether the service never had a record.
    pub is_new: bool,
    /// The rows of this page, in the requested order.
    pub rows: Vec<RepositoryRow>,
    /// The orgs of these rows, sorted by name; each summary covers the whole org.
    pub orgs: Vec<OrgSummary>,
    /// The choices of the filters.
    pub choices: Choices,
    /// What needs attention, if the page shows it above the list.
    pub attention: Option<Attention>,
}

/// An org as a whole: the current records of its main branches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrgSummary {
    /// The org.
    pub org: OrgName,
    /// The number of its repositories.
    pub repositories: u32,
    /// Its coverage with its groups, weighted by lines or by what the metric counts; `None` if no coverage file counts them.
    pub percentage: Option<Percentage>,
    /// Whether it has nested groups.
    pub has_groups: bool,
}

/// The current record of a repository's main branch in one language.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "sql", derive(sqlx::FromRow))]
pub struct RepositoryRow {
    /// The repository.
    #[cfg_attr(feature = "sql", sqlx(flatten))]
    pub repository: Repository,
    /// Its main branch, or the closest match.
    pub branch: BranchName,
    /// The language of the record.
    pub language: Language,
    /// Its coverage; `None` if the coverage file does not count what the metric counts.
    pub percentage: Option<Percentage>,
    /// Covered and total lines, or what the metric counts, if the coverage file counts them.
    #[cfg_attr(feature = "sql", sqlx(flatten, try_from = "crate::sql::LineColumns"))]
    pub lines: Option<Count>,
    /// The change since the previous record.
    pub change: Option<Change>,
    /// The change over [`OverviewQuery::change_days`], or since the first record if it is younger; `None` if there is only one
    /// record.
    pub period_change: Option<Change>,
    /// Its new code, with the day on which it was counted; `None` if it is not counted, or was not counted since yesterday.
    #[cfg_attr(feature = "sql", sqlx(flatten, try_from = "crate::sql::NewColumns"))]
    pub new_code: Option<(NewCount, Day)>,
    /// When it was last uploaded.
    pub updated_at: Timestamp,
    /// The record.
    pub record_id: i64,
    /// Whether its HTML report is stored.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::Flag"))]
    pub has_report: bool,
    /// The last record of each of the last days, counted back from now, oldest first. The list begins with the last record
    /// before these days, or with the first record of all if no record is older.
    #[cfg_attr(feature = "sql", sqlx(skip))]
    pub trend: Vec<DayPoint>,
}

/// The last record of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "sql", derive(sqlx::FromRow))]
pub struct DayPoint {
    /// When it was uploaded.
    pub at: Timestamp,
    /// Its coverage.
    pub percentage: Percentage,
}

impl RepositoryRow {
    /// Whether it had no upload for so long that its numbers may be outdated.
    pub fn is_stale(&self, now: Timestamp) -> bool {
        is_stale(self.updated_at, now)
    }
}

/// Whether a record that was last uploaded at `updated_at` is stale.
pub fn is_stale(updated_at: Timestamp, now: Timestamp) -> bool {
    updated_at <= stale_since(now)
}

/// A record that was last uploaded at this time or before is stale.
pub fn stale_since(now: Timestamp) -> Timestamp {
    Timestamp(now.0 - STALE_DAYS * DAY)
}

/// The choices of the filters; each list takes the other filters into account.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// The orgs, each with its groups, sorted by name; if there are too many, the orgs with the most repositories.
    pub orgs: Vec<Choice<OrgName>>,
    /// The number of orgs that are not listed.
    pub further_orgs: u32,
    /// The languages, sorted by name; if there are too many, the languages with the most repositories.
    pub languages: Vec<Choice<Language>>,
}

/// One choice of a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice<Name> {
    /// Its name.
    pub name: Name,
    /// The number of repositories that match it.
    pub repositories: u32,
}

/// What needs attention in the requested org and language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attention {
    /// Less coverage than a week ago; the biggest drop first.
    pub dropped: AttentionList,
    /// Below the target; the lowest first.
    pub below: AttentionList,
    /// No uploads for two weeks; the most recently stale first, because that may be news.
    pub stale: AttentionList,
}

/// The first few repositories of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttentionList {
    /// The number of repositories of this kind.
    pub repositories: u32,
    /// The first repositories.
    pub rows: Vec<AttentionRow>,
}

/// A repository and language that needs attention.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "sql", derive(sqlx::FromRow))]
pub struct AttentionRow {
    /// The repository.
    #[cfg_attr(feature = "sql", sqlx(flatten))]
    pub repository: Repository,
    /// The language.
    pub language: Language,
    /// Its coverage, if the coverage file counts what the metric counts.
    pub percentage: Option<Percentage>,
    /// The change over the last week, if it is listed for a drop.
    pub change: Option<Change>,
    /// When it was last uploaded.
    pub updated_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_794_232_920_000_000);

    #[test]
    fn fourteen_days_of_silence_make_a_row_stale() {
        let at = |silence: i64| Timestamp(NOW.0 - silence);
        assert!(is_stale(at(14 * DAY), NOW) && !is_stale(at(14 * DAY - 1), NOW));
        assert!(!is_stale(at(-DAY), NOW), "a clock may have been set back");
    }

    #[test]
    fn invalid_parameters_of_an_address_get_the_default() {
        let sorted = |order: &'static str| {
            let values = move |name: &str| match name {
                "sort" => vec![order.to_owned()],
                _ => Vec::new(),
            };
            OverviewQuery::of(&values)
        };
        for wrong in ["Lowest", "", "--name"] {
            assert_eq!(sorted(wrong), sorted("name"), "{wrong}");
        }
        assert_eq!(
            sorted("-change").parameters(),
            [("sort", "-change".to_owned())]
        );
    }
}
