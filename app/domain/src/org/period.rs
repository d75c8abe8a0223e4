//! The days of a trend, and which of them get a point.

use crate::Day;

/// The maximum number of points of a trend; in a longer period, one point covers several days.
pub const MAX_POINTS: i64 = 200;

/// The maximum number of values read for one trend; an org with very many repositories gets fewer points.
pub const MAX_READINGS: i64 = 100_000;

/// From one day to another, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The first day: changes are relative to its end.
    pub from: Day,
    /// The last day.
    pub to: Day,
}

/// The number of days from one point of a trend to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval(i32);

impl Interval {
    /// A point for each day.
    pub const DAY: Self = Self(1);

    /// Returns the shortest interval that stays within [`MAX_POINTS`] and [`MAX_READINGS`] for this number of series.
    pub fn of(period: Period, series: usize) -> Self {
        let series = i64::try_from(series).unwrap_or(i64::MAX).max(1);
        let days = i64::from(period.to.since(period.from));
        let fits = |interval: i32| {
            let points = days / i64::from(interval) + 2;
            points <= MAX_POINTS && points.saturating_mul(series) <= MAX_READINGS.max(2 * series)
        };
        let mut interval = 1;
        while !fits(interval) {
            interval = match interval {
                1 => 2,
                2 => 7,
                longer => longer * 2,
            };
        }
        Self(interval)
    }

    /// The number of days.
    pub fn days(self) -> i32 {
        self.0
    }

    /// Words that follow "one point".
    pub fn words(self) -> String {
        match self.0 {
            1 => "a day".to_owned(),
            2 => "every 2 days".to_owned(),
            7 => "a week".to_owned(),
            days => format!("every {} weeks", days / 7),
        }
    }
}

impl Period {
    /// Splits it into consecutive parts of whole days, so that a part has no more than [`MAX_READINGS`] values of this number
    /// of series.
    pub fn parts(self, series: usize) -> impl Iterator<Item = Self> {
        let series = i64::try_from(series).unwrap_or(i64::MAX).max(1);
        let days = i32::try_from(MAX_READINGS / series)
            .unwrap_or(i32::MAX)
            .max(1);
        let mut next = Some(self.from);
        std::iter::from_fn(move || {
            let from = next.filter(|from| *from <= self.to)?;
            let after = Day(from.0.saturating_add(days));
            next = Some(after);
            Some(Self {
                from,
                to: after.days_before(1).min(self.to),
            })
        })
    }

    /// The days that get a point, in order: the last day, one day for each interval before it, and the first day.
    pub fn points(self, interval: Interval) -> Vec<Day> {
        let days = self.to.since(self.from).max(0);
        let mut points: Vec<_> = (0..=days)
            .step_by(usize::try_from(interval.0).unwrap_or(1).max(1))
            .map(|back| self.to.days_before(back))
            .collect();
        if points.last() != Some(&self.from) {
            points.push(self.from);
        }
        points.reverse();
        points
    }
}
