//! The choices on a repository's page; the address holds all of them.

use super::HistoryPlace;
use crate::{
    BranchColumn, BranchName, Day, Language, Order, Timestamp, TrendRange, order::current,
};

/// The choices for a repository's page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RepositoryQuery {
    /// The branch that the page shows; the main branch if `None`.
    pub branch: Option<BranchName>,
    /// The branches to compare with in the chart.
    pub compared: Compared,
    /// Only this language; all if `None`.
    pub language: Option<Language>,
    /// How far back the chart goes, if no date is given.
    pub range: TrendRange,
    /// The first day of the chart; overrides the range.
    pub from: Option<Day>,
    /// The last day of the chart; today if `None`.
    pub to: Option<Day>,
    /// Which part of the history is shown.
    pub place: HistoryPlace,
    /// Only branches whose name contains this text; empty for all.
    pub keyword: String,
    /// The order of the branches. `None`: the main branch first, then by last upload.
    pub branches: Option<Order<BranchColumn>>,
    /// The page of the branches, counted from 1.
    pub page: u32,
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

impl Compared {
    /// Reads the names in an address. `-` stands for no branch, because no branch has this name.
    fn of(names: &[String], most: usize) -> Self {
        if names.iter().all(String::is_empty) {
            return Self::Main;
        }
        let names = names.iter().filter(|name| *name != "-");
        let branches = names.filter_map(|name| name.parse().ok());
        Self::Branches(branches.take(most).collect())
    }
}

impl RepositoryQuery {
    /// Reads the query from an address. `values` returns all values of a parameter; the last value counts. At most `most` branches
    /// are compared. `None` for an invalid branch name, because a page for another branch would be wrong. Other invalid
    /// values are ignored.
    pub fn of(values: impl Fn(&str) -> Vec<String>, most: usize) -> Option<Self> {
        let text = |name| values(name).pop().unwrap_or_default();
        let branch = match text("branch") {
            none if none.is_empty() => None,
            branch => Some(branch.parse().ok()?),
        };
        let older = text("before").parse().ok().map(HistoryPlace::OlderThan);
        let newer = || text("after").parse().ok().map(HistoryPlace::NewerThan);
        let sorted = || {
            // Builds before 0.1 called it `order`.
            let order = text("history")
                .parse()
                .or_else(|_| current(&text("order")).parse());
            order.ok().map(HistoryPlace::Sorted)
        };
        Some(Self {
            branch,
            compared: Compared::of(&values("compare"), most),
            language: text("language").parse().ok(),
            range: text("range").parse().unwrap_or_default(),
            from: text("from").parse().ok(),
            to: text("to").parse().ok(),
            place: older.or_else(newer).or_else(sorted).unwrap_or_default(),
            keyword: text("find").trim().to_owned(),
            branches: text("branches").parse().ok(),
            page: text("p").parse().unwrap_or(1),
        })
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
}
