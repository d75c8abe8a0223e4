//! The clock, as the database stores it.

use app::domain::Timestamp;
use chrono::Utc;

/// Now, in whole microseconds.
pub(crate) fn now() -> Timestamp {
    Timestamp(Utc::now().timestamp_micros())
}
