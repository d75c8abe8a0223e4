//! The times of main branches and languages, without names and values: how many repositories of an org count on each day.

use domain::{Day, Interval, OrgPoint, Over, Period, Timestamp};

/// The times of one language of a main branch.
pub(super) struct Span {
    repository_id: i64,
    first_at: Timestamp,
    pub(super) ended_at: Option<Timestamp>,
    /// The day of its first record with a count of lines.
    counted_day: Option<Day>,
}

impl Span {
    /// Reads all spans from their four numbers; -1 is an absent number. One text takes a third of the time of as many rows.
    pub(super) fn all(text: &str) -> Vec<Self> {
        let numbers = text.split_ascii_whitespace();
        let numbers: Vec<i64> = numbers.filter_map(|one| one.parse().ok()).collect();
        let spans = numbers.chunks_exact(4).map(|numbers| {
            let known = |at: usize| numbers.get(at).copied().filter(|number| *number >= 0);
            let day = known(3).and_then(|day| i32::try_from(day).ok());
            Some(Self {
                repository_id: known(0)?,
                first_at: Timestamp(known(1)?),
                ended_at: known(2).map(Timestamp),
                counted_day: day.map(Day),
            })
        });
        let mut spans: Vec<_> = spans.flatten().collect();
        // The text has no order that is guaranteed.
        spans.sort_by_key(|span: &Self| span.repository_id);
        spans
    }

    /// Its repository, and the time of its first record.
    pub(super) fn begins(&self) -> (i64, Timestamp) {
        (self.repository_id, self.first_at)
    }

    /// From which day of a period it counts, and from which day no longer; `None` if it does not count.
    fn counted(&self, period: Period, over: Over) -> Option<(Day, Day)> {
        let after = period.to.days_before(-1);
        let start = self.counted_day?.max(period.from);
        let end = self.ended_at.map_or(after, Day::of).min(after);
        let is_kept = start == period.from && end == after;
        (is_kept || over == Over::All).then_some((start, end))
    }
}

/// A point for each day of a period, with the number of repositories of which at least one language counts. Spans of a repository
/// are beside each other.
pub(super) fn points(spans: &[Span], period: Period, over: Over) -> Vec<OrgPoint> {
    let place = |day: Day| usize::try_from(day.since(period.from)).unwrap_or(0);
    // Of each day, and of the day after the period.
    let mut changes = vec![0; place(period.to) + 2];
    for languages in spans.chunk_by(|one, other| one.repository_id == other.repository_id) {
        let counted = languages
            .iter()
            .filter_map(|span| span.counted(period, over));
        let mut counted: Vec<(Day, Day)> = counted.collect();
        counted.sort_unstable();
        let mut reached = period.from;
        for (start, end) in counted {
            let start = start.max(reached);
            if start < end {
                changes[place(start)] += 1;
                changes[place(end)] -= 1;
                reached = end;
            }
        }
    }
    let mut repositories = 0_i32;
    let days = period.points(Interval::DAY).into_iter().zip(changes);
    let points = days.map(|(day, change)| {
        repositories += change;
        OrgPoint {
            day,
            coverage: None,
            lines: None,
            repositories: u32::try_from(repositories).unwrap_or(0),
        }
    });
    points.collect()
}
