//! Numbers and shares of HTML reports as text.

use crate::{components::measures::size, numbers::grouped};
use domain::Stored;

/// `1 report`, `4,312 reports`.
pub(super) fn reports(count: u64) -> String {
    match count {
        1 => "1 report".to_owned(),
        _ => format!("{} reports", grouped(count)),
    }
}

/// `1 report, 1.2 MB`.
pub(super) fn both(stored: Stored) -> String {
    format!("{}, {}", reports(stored.reports), size(stored.bytes))
}

/// A share in tenths of a percent: `33.3 %`.
pub(super) fn share(of: Option<u64>) -> String {
    match of {
        // The numbers are read one after another, so a part may be larger than the total.
        Some(tenths) if tenths >= 1_000 => "100.0\u{202f}%".to_owned(),
        Some(tenths) => format!("{}.{}\u{202f}%", tenths / 10, tenths % 10),
        None => "–".to_owned(),
    }
}
