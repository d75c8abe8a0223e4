//! How many bytes HTML reports use after some days, if uploads continue as before.

/// The days after which [`Forecast`] states the bytes.
pub const FORECAST_DAYS: [u32; 2] = [30, 90];

/// The maximum number of days that the growth is measured over.
pub const MONTH_DAYS: u32 = 30;

/// The minimum: a forecast from fewer days would mostly show the day of the week.
const LEAST_DAYS: u32 = 7;

/// The bytes of HTML reports that were uploaded in the last days and are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The number of days, from 1.
    pub days: u32,
    /// The bytes.
    pub bytes: u64,
}

impl Growth {
    /// The days to measure the growth over: at most [`MONTH_DAYS`], and not more than the service has run. `all_days` is the
    /// age at which HTML reports are pruned every day: older ones are already removed. `None` for less than a week.
    pub fn window(age_days: u32, all_days: Option<u32>) -> Option<u32> {
        let days = age_days.min(MONTH_DAYS).min(all_days.unwrap_or(MONTH_DAYS));
        (days >= LEAST_DAYS).then_some(days)
    }

    /// The bytes that this growth adds in `days`.
    pub fn after(self, days: u32) -> u64 {
        let bytes = u128::from(self.bytes) * u128::from(days) / u128::from(self.days.max(1));
        u64::try_from(bytes).unwrap_or(u64::MAX)
    }
}

/// The growth of HTML reports, and the bytes after some days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forecast {
    /// The growth.
    pub growth: Growth,
    /// The bytes after each of [`FORECAST_DAYS`].
    pub bytes: [u64; FORECAST_DAYS.len()],
}

impl Forecast {
    /// Computes the forecast from the present bytes, and from how many of them the service prunes in each of [`FORECAST_DAYS`].
    /// With `kept_days`, the service also prunes future uploads after that many days.
    pub fn new(
        growth: Growth,
        bytes: u64,
        pruned: [u64; FORECAST_DAYS.len()],
        kept_days: Option<u32>,
    ) -> Self {
        let mut after = [0; FORECAST_DAYS.len()];
        for ((after, days), pruned) in after.iter_mut().zip(FORECAST_DAYS).zip(pruned) {
            let kept = growth.after(kept_days.map_or(days, |kept| kept.min(days)));
            *after = bytes.saturating_sub(pruned).saturating_add(kept);
        }
        Self {
            growth,
            bytes: after,
        }
    }
}

/// In how many days `bytes` reach `limit` at that growth; 0 if they already do, `None` if they never do.
pub fn days_until(limit: u64, bytes: u64, growth: Growth) -> Option<u64> {
    let missing = u128::from(limit.saturating_sub(bytes));
    match (missing, growth.bytes) {
        (0, _) => Some(0),
        (_, 0) => None,
        (missing, bytes) => {
            let days = (missing * u128::from(growth.days)).div_ceil(u128::from(bytes));
            Some(u64::try_from(days).unwrap_or(u64::MAX))
        }
    }
}
