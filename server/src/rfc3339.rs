//! Moments as the API writes them.

use chrono::{DateTime, SecondsFormat, Utc};
use domain::Timestamp;

/// RFC 3339 with microseconds and a numeric offset: `2026-04-05T17:15:59.624890+00:00`.
pub(crate) fn rfc3339(timestamp: Timestamp) -> String {
    let time: DateTime<Utc> = DateTime::from_timestamp_micros(timestamp.0).unwrap_or_default();
    time.to_rfc3339_opts(SecondsFormat::Micros, false)
}
