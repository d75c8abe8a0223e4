//! What the overview page shows.

use super::{BranchName, Change, Count, Language, OrgName, Percentage, Repository, Timestamp};

/// A day, in microseconds.
pub const DAY: i64 = 86_400_000_000;

/// A repository that was silent for this many days is stale.
pub const STALE_DAYS: i64 = 14;

/// A drop counts as one of late for this many days.
pub const DROP_DAYS: i64 = 7;

/// The days that the trend of a row spans.
pub const TREND_DAYS: i64 = 30;

/// What a visitor of the overview asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OverviewQuery {
    /// A case-insensitive part of `org/repo`; empty for all.
    pub keyword: String,
    /// Only of this organisation and its groups.
    pub org: Option<OrgName>,
    /// Only in this language.
    pub language: Option<Language>,
    /// Only what needs attention in this way.
    pub show: Show,
    /// What comes first.
    pub sort: Sort,
    /// The page, counted from 1.
    pub page: u32,
}

impl OverviewQuery {
    /// Whether anything but the order and the page is asked for.
    pub fn is_filtered(&self) -> bool {
        !self.keyword.is_empty()
            || self.org.is_some()
            || self.language.is_some()
            || self.show != Show::All
    }

    /// Whether what needs attention stands above the list: on its first page in the usual order. Whoever searches, sorts or
    /// looks at one kind of that has a question of his own, which the list answers.
    pub fn has_attention(&self) -> bool {
        self.page <= 1
            && self.keyword.is_empty()
            && self.show == Show::All
            && self.sort == Sort::Name
    }

    /// The days over which the second change of a row is told: what the list is about.
    pub fn change_days(&self) -> i64 {
        match (self.sort, self.show) {
            (Sort::Drop, _) | (_, Show::Dropped) => DROP_DAYS,
            _ => TREND_DAYS,
        }
    }
}

/// The order of the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// By organisation and repository.
    #[default]
    Name,
    /// The lowest coverage first.
    Lowest,
    /// The biggest drop of the last week first.
    Drop,
    /// The last upload first.
    Recent,
}

impl Sort {
    /// All of them, as they are offered.
    pub const ALL: [Self; 4] = [Self::Name, Self::Lowest, Self::Drop, Self::Recent];

    /// How addresses write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Lowest => "lowest",
            Self::Drop => "drop",
            Self::Recent => "recent",
        }
    }

    /// What an address means; the order by name where it means nothing.
    pub fn of_name(name: &str) -> Self {
        let meant = Self::ALL.into_iter().find(|sort| sort.name() == name);
        meant.unwrap_or_default()
    }
}

/// What needs attention in one of these ways, or everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Show {
    /// Everything.
    #[default]
    All,
    /// What has less coverage than a week ago.
    Dropped,
    /// What is below the target.
    Below,
    /// What was silent for two weeks.
    Stale,
}

impl Show {
    /// All of them, as they are offered.
    pub const ALL: [Self; 4] = [Self::All, Self::Dropped, Self::Below, Self::Stale];

    /// How addresses write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Dropped => "dropped",
            Self::Below => "below",
            Self::Stale => "stale",
        }
    }

    /// What an address means; everything where it means nothing.
    pub fn of_name(name: &str) -> Self {
        let meant = Self::ALL.into_iter().find(|show| show.name() == name);
        meant.unwrap_or_default()
    }
}

/// One page of repositories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overview {
    /// When it was put together; ages are relative to it.
    pub now: Timestamp,
    /// What was asked for, with the page that is shown.
    pub query: OverviewQuery,
    /// How many repositories match on all pages.
    pub matching: u32,
    /// How many pages there are; at least 1.
    pub pages: u32,
    /// Whether no record was ever uploaded.
    pub is_new: bool,
    /// The rows of this page, in the order that was asked for.
    pub rows: Vec<RepositoryRow>,
    /// The organisations of these rows, each as a whole, by name.
    pub orgs: Vec<OrgSummary>,
    /// What there is to choose from.
    pub choices: Choices,
    /// What needs attention, where that stands above the list.
    pub attention: Option<Attention>,
}

/// An organisation as a whole: the current records of its main branches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrgSummary {
    /// The organisation.
    pub org: OrgName,
    /// How many repositories it has.
    pub repositories: u32,
    /// Its coverage, weighted by lines; none where no report counts them.
    pub percentage: Option<Percentage>,
    /// Whether it has nested groups, which count by themselves here.
    pub has_groups: bool,
}

/// The current record of a repository's main branch in one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepositoryRow {
    /// The repository.
    pub repository: Repository,
    /// Its main branch, or what comes closest to one.
    pub branch: BranchName,
    /// The language of the record.
    pub language: Language,
    /// Its coverage.
    pub percentage: Percentage,
    /// Covered and total lines, where the report counts them.
    pub lines: Option<Count>,
    /// The change since the record before it.
    pub change: Option<Change>,
    /// When it was last uploaded.
    pub updated_at: Timestamp,
    /// The record.
    pub record_id: i64,
    /// Whether its HTML is there.
    pub has_report: bool,
    /// The last record of each of the last days, counted back from now, and before them what was there when they began,
    /// or the first record ever where there was nothing yet; oldest first.
    pub trend: Vec<DayPoint>,
}

/// The last record of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayPoint {
    /// When it was uploaded.
    pub at: Timestamp,
    /// Its coverage.
    pub percentage: Percentage,
}

impl RepositoryRow {
    /// The change over the last `days`, or since the first record where that is younger; none where it is the only one.
    pub fn change_over(&self, days: i64, now: Timestamp) -> Option<Change> {
        let then = now.0 - days * DAY;
        let base = self.trend.iter().rfind(|point| point.at.0 <= then);
        let first = self.trend.first().filter(|_| self.trend.len() > 1);
        Some(Change::between(base.or(first)?.percentage, self.percentage))
    }

    /// Whether it was silent for so long that its numbers may say nothing any more.
    pub fn is_stale(&self, now: Timestamp) -> bool {
        is_stale(self.updated_at, now)
    }
}

/// Whether what was last uploaded at `updated_at` is stale.
pub fn is_stale(updated_at: Timestamp, now: Timestamp) -> bool {
    updated_at.0 <= now.0 - STALE_DAYS * DAY
}

/// What the list can be narrowed down to, beside everything else that it is narrowed down to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// The organisations, each with its groups, by name; those with the most repositories where there are too many.
    pub orgs: Vec<Choice<OrgName>>,
    /// How many organisations there are beside these.
    pub further_orgs: u32,
    /// The languages, by name; those of the most repositories where there are too many.
    pub languages: Vec<Choice<Language>>,
}

/// Something to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice<Name> {
    /// What.
    pub name: Name,
    /// How many repositories are found where it is chosen.
    pub repositories: u32,
}

/// What needs attention, of the organisation and language that was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attention {
    /// What has less coverage than a week ago; the biggest drop first.
    pub dropped: AttentionList,
    /// What is below the target; the lowest first.
    pub below: AttentionList,
    /// What was silent for two weeks; what fell silent last first, as that can still be news.
    pub stale: AttentionList,
}

/// The first few of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttentionList {
    /// How many repositories there are of the kind.
    pub repositories: u32,
    /// The first of them.
    pub rows: Vec<AttentionRow>,
}

/// A repository and language that needs attention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttentionRow {
    /// The repository.
    pub repository: Repository,
    /// The language.
    pub language: Language,
    /// Its coverage.
    pub percentage: Percentage,
    /// The change over the last week, where that is what it is listed for.
    pub change: Option<Change>,
    /// When it was last uploaded.
    pub updated_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_794_232_920_000_000);

    fn row(trend: &[(i64, u16)]) -> RepositoryRow {
        let percentage = Percentage::from_basis_points;
        RepositoryRow {
            repository: "acme/payments".parse().expect("a repository"),
            branch: "main".parse().expect("a branch"),
            language: "rust".parse().expect("a language"),
            percentage: percentage(8_000),
            lines: None,
            change: None,
            updated_at: NOW,
            record_id: 1,
            has_report: false,
            trend: trend
                .iter()
                .map(|&(days, basis_points)| DayPoint {
                    at: Timestamp(NOW.0 - days * DAY),
                    percentage: percentage(basis_points),
                })
                .collect(),
        }
    }

    #[test]
    fn a_change_over_days_is_against_the_record_before_them() {
        let row = row(&[(40, 7_000), (30, 7_900), (8, 8_100), (0, 8_000)]);
        let change = |days| row.change_over(days, NOW).map(|change| change.to_string());
        assert_eq!(change(30).as_deref(), Some("+1.00"));
        assert_eq!(change(7).as_deref(), Some("\u{2212}1.00"));
        assert_eq!(change(35).as_deref(), Some("+10.00"));
        assert_eq!(change(50).as_deref(), Some("+10.00"), "it is not as old");
    }

    #[test]
    fn a_single_record_has_no_change_until_it_is_old_enough() {
        assert_eq!(row(&[(3, 8_000)]).change_over(7, NOW), None);
        let change = row(&[(8, 8_000)]).change_over(7, NOW);
        assert_eq!(
            change.map(|change| change.to_string()).as_deref(),
            Some("0.00")
        );
    }

    #[test]
    fn fourteen_days_of_silence_make_a_row_stale() {
        let at = |silence: i64| Timestamp(NOW.0 - silence);
        assert!(is_stale(at(14 * DAY), NOW) && !is_stale(at(14 * DAY - 1), NOW));
        assert!(!is_stale(at(-DAY), NOW), "a clock may have been set back");
    }

    #[test]
    fn invalid_parameters_of_an_address_get_the_default() {
        for sort in Sort::ALL {
            assert_eq!(Sort::of_name(sort.name()), sort);
        }
        for show in Show::ALL {
            assert_eq!(Show::of_name(show.name()), show);
        }
        assert_eq!(
            (Sort::of_name("Lowest"), Show::of_name("")),
            (Sort::Name, Show::All)
        );
    }
}
