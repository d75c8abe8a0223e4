//! The choices on a repository's page; the address holds all of them.

use super::{HistoryPosition, RepositoryTab};
use crate::{
    BranchColumn, BranchName, CHART_LINES, Day, FileSort, Language, Metric, NewSince, Order,
    Timestamp, TrendRange, Values, ViewName,
    query::{Parameter, query, text},
};

query! {
    /// The choices for a repository's page.
    #[derive(Default)]
    pub struct RepositoryQuery {
        /// The branch that the page shows; the main branch if `None`.
        pub branch: Option<BranchName> = "branch_name",
        /// The branches to compare with in the chart.
        pub compared: Compared = "compare",
        /// The part of the page that is shown.
        pub tab: RepositoryTab = "tab",
        /// The folder of files, without a `/` at the end; empty for the root.
        pub folder: String = "dir",
        /// The order in which all files below the folder are listed. `None`: the content of the folder, folders first.
        pub files: Option<FileSort> = "sort",
        /// Only this language; all if `None`.
        pub language: Option<Language> = "language",
        /// How far back the chart goes, if no date is given.
        pub range: TrendRange = "range",
        /// The first day of the chart; overrides the range.
        pub from: Option<Day> = "from",
        /// The last day of the chart; today if `None`.
        pub to: Option<Day> = "to",
        /// The files that the chart counts; all if `None`.
        pub view: Option<ViewName> = "view",
        /// What the chart counts.
        pub metric: Metric = "metric",
        /// Since when lines count as new; a default if `None`.
        pub since: Option<NewSince> = "since",
        /// Which part of the history is shown.
        pub place: HistoryPosition = "history",
        /// Only branches whose name contains this text; empty for all.
        pub keyword: String = "keyword",
        /// The order of the branches. `None`: the main branch first, then by last upload.
        pub branches: Option<Order<BranchColumn>> = "branches",
        /// The page of the branches, counted from 1.
        pub page: u32 = "p",
    }
}

/// The branches that the chart shows next to the chosen one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Compared {
    /// The main branch.
    #[default]
    Main,
    /// Only these; if empty, the chart shows the chosen branch alone.
    Branches(Vec<BranchName>),
}

impl Parameter for Compared {
    /// `-` stands for no branch, because no branch has this name: git would read it as an option.
    fn read(name: &str, values: Values<'_>) -> Self {
        let names = values(name);
        if names.iter().all(String::is_empty) {
            return Self::Main;
        }
        let names = names.iter().filter(|name| *name != "-");
        let branches = names.filter_map(|name| name.parse().ok());
        Self::Branches(branches.take(CHART_LINES - 1).collect())
    }

    fn write(&self, name: &'static str, into: &mut Vec<(&'static str, String)>) {
        match self {
            Self::Main => {}
            Self::Branches(branches) if branches.is_empty() => into.push((name, "-".to_owned())),
            Self::Branches(branches) => {
                into.extend(branches.iter().map(|branch| (name, branch.to_string())));
            }
        }
    }
}

impl Parameter for HistoryPosition {
    fn read(name: &str, values: Values<'_>) -> Self {
        let key = |name| text(name, values).parse().ok();
        let older = key("before").map(Self::OlderThan);
        let newer = || key("after").map(Self::NewerThan);
        let sorted = || text(name, values).parse().ok().map(Self::Sorted);
        older.or_else(newer).or_else(sorted).unwrap_or_default()
    }

    fn write(&self, name: &'static str, into: &mut Vec<(&'static str, String)>) {
        into.extend(match self {
            Self::Newest => None,
            Self::OlderThan(key) => Some(("before", key.to_string())),
            Self::NewerThan(key) => Some(("after", key.to_string())),
            Self::Sorted(order) => Some((name, order.to_string())),
        });
    }
}

impl RepositoryQuery {
    /// The maximum number of files and folders that the page shows; the record's page has all of them.
    pub const FILES: usize = 15;

    /// Reads the query like [`Self::of`]; `None` for an invalid branch name, because a page for another branch would be wrong.
    pub fn of_valid_branch(values: Values<'_>) -> Option<Self> {
        let query = Self::of(values);
        let is_valid = query.branch.is_some() || text("branch_name", values).is_empty();
        is_valid.then_some(query)
    }

    /// The compared branches without the chosen one, each once.
    pub fn compared_branches(&self, chosen: &BranchName, main: &BranchName) -> Vec<BranchName> {
        let requested = match &self.compared {
            Compared::Main => std::slice::from_ref(main),
            Compared::Branches(branches) => branches,
        };
        let mut others: Vec<BranchName> = Vec::new();
        for branch in requested {
            if branch != chosen && !others.contains(branch) {
                others.push(branch.clone());
            }
        }
        others
    }

    /// Whether dates are set, which override the range.
    pub fn has_dates(&self) -> bool {
        self.from.is_some() || self.to.is_some()
    }

    /// The query with other dates.
    pub fn between(self, from: Option<Day>, to: Option<Day>) -> Self {
        Self { from, to, ..self }
    }

    /// The first moment of the chart; `None` if it begins with the first record.
    pub fn since(&self, now: Timestamp) -> Option<Timestamp> {
        match self.dates(now) {
            (Some(from), _) => Some(from.start()),
            // A last day ends with the first moment of the next day.
            (None, _) => self.range.since(Timestamp(self.until(now).0 - 1)),
        }
    }

    /// The first moment after the last day; `None` if the chart ends now.
    pub fn end(&self, now: Timestamp) -> Option<Timestamp> {
        self.dates(now).1.map(Day::end)
    }

    /// The last moment of the chart, at most `now`.
    pub fn until(&self, now: Timestamp) -> Timestamp {
        self.end(now).map_or(now, |end| end.min(now))
    }

    /// Whether the chart ends before `now`: then a line that ends with it is not stale.
    pub fn is_past(&self, now: Timestamp) -> bool {
        self.end(now).is_some_and(|end| end < now)
    }

    /// The dates, in ascending order and not after today.
    pub fn dates(&self, now: Timestamp) -> (Option<Day>, Option<Day>) {
        let today = Day::of(now);
        let (from, to) = (
            self.from.map(|day| day.min(today)),
            self.to.map(|day| day.min(today)),
        );
        match (from, to) {
            (Some(from), Some(to)) => (Some(from.min(to)), Some(from.max(to))),
            dates => dates,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Option<Day> {
        Some(text.parse().expect("a day"))
    }

    /// The first day and the last moment of the chart, on 22 November 2026.
    fn shown(from: Option<Day>, to: Option<Day>) -> (Option<Day>, Timestamp) {
        let query = RepositoryQuery::default().between(from, to);
        let now = Timestamp(NOW);
        (query.since(now).map(Day::of), query.until(now))
    }

    /// 22 November 2026, 12:00 UTC.
    const NOW: i64 = 1_795_348_800_000_000;

    #[test]
    fn two_dates_are_whole_days_in_either_order() {
        let (first, last) = (day("2026-03-01"), day("2026-03-31"));
        let march = (first, last.expect("a day").end());
        assert_eq!(shown(first, last), march);
        assert_eq!(shown(last, first), march);
    }

    #[test]
    fn no_period_ends_in_the_future() {
        let (from, until) = shown(day("2027-01-01"), day("2028-01-01"));
        assert_eq!((from, until), (day("2026-11-22"), Timestamp(NOW)));
        assert_eq!(
            shown(day("2026-03-01"), None),
            (day("2026-03-01"), Timestamp(NOW))
        );
    }

    #[test]
    fn a_last_day_alone_ends_the_range() {
        let (from, until) = shown(None, day("2026-03-31"));
        assert_eq!(until, day("2026-03-31").expect("a day").end());
        assert_eq!(from, day("2025-12-31"));
    }

    fn query(parameters: &[(&'static str, &str)]) -> Option<RepositoryQuery> {
        RepositoryQuery::of_valid_branch(&|name| {
            let found = parameters.iter().filter(|(other, _)| *other == name);
            found.map(|(_, value)| (*value).to_owned()).collect()
        })
    }

    #[test]
    fn an_address_without_parameters_is_the_main_branch_and_last_months() {
        let query = query(&[]).expect("a query");
        assert_eq!(
            query,
            RepositoryQuery {
                page: 1,
                ..RepositoryQuery::default()
            }
        );
    }

    #[test]
    fn impossible_choices_are_ignored_except_the_branch() {
        let wrong = [
            ("range", "1y"),
            ("from", "March"),
            ("to", "2026-02-30"),
            ("before", "x"),
            ("language", "C C"),
            ("p", "-1"),
            ("compare", ""),
        ];
        assert_eq!(query(&wrong), query(&[]));
        assert_eq!(query(&[("branch_name", "a\nb")]), None);
        assert_eq!(query(&[("branch_name", "")]), query(&[]));
        let last = query(&[("branch_name", "b")]);
        assert_eq!(query(&[("branch_name", "a"), ("branch_name", "b")]), last);
    }

    #[test]
    fn an_address_without_a_tab_shows_the_tab_that_has_its_choices() {
        let tab = |name, value| query(&[(name, value)]).expect("a query").tab;
        assert_eq!(tab("before", "17-4"), RepositoryTab::History);
        assert_eq!(tab("history", "-coverage"), RepositoryTab::History);
        assert_eq!(tab("keyword", "fix"), RepositoryTab::Branches);
        assert_eq!(tab("range", "all"), RepositoryTab::Files);
        let both = query(&[("tab", "history"), ("branches", "name")]);
        assert_eq!(both.expect("a query").tab, RepositoryTab::History);
    }

    #[test]
    fn branches_are_compared_with_the_named_ones_or_with_none() {
        let compared = |names: &[&str]| {
            let named: Vec<_> = names.iter().map(|name| ("compare", *name)).collect();
            query(&named).expect("a query").compared
        };
        let branches = |names: &[&str]| {
            let names = names.iter().map(|name| name.parse().expect("a branch"));
            Compared::Branches(names.collect())
        };
        assert_eq!(compared(&[]), Compared::Main);
        assert_eq!(compared(&["-"]), branches(&[]));
        assert_eq!(compared(&["-", "a", ""]), branches(&["a"]));
        let many = ["a", "b", "c", "d", "e", "f", "g", "h"];
        assert_eq!(compared(&many), branches(&many[..7]));
    }

    #[test]
    fn every_choice_is_in_the_address_and_read_from_it() {
        let given = [
            ("branch_name", "fix/مرحبا 🚀"),
            ("compare", "-"),
            ("tab", "badge"),
            ("dir", "src/a b"),
            ("sort", "uncovered"),
            ("language", "c++"),
            ("range", "all"),
            ("from", "2026-03-01"),
            ("to", "2026-03-31"),
            ("after", "17-4"),
            ("keyword", "x"),
            ("branches", "-coverage"),
            ("p", "3"),
        ];
        let query = query(&given).expect("a query");
        assert_eq!(query.range, TrendRange::All);
        let address =
            crate::links::repository_page(&"acme/payments".parse().expect("a repository"), &query);
        for (name, _) in given {
            assert!(
                address.contains(&format!("{name}=")),
                "{name} is not in {address}"
            );
        }
    }
}
