//! Tests of the address of a period.

use super::day;
use crate::islands::trend_chart::state::with_dates;
use domain::Period;

#[test]
fn a_period_replaces_the_dates_of_an_address_and_keeps_the_other_choices() {
    let period = Some(Period {
        from: day("2026-03-01"),
        to: day("2026-03-31"),
    });
    for (address, expected) in [
        ("/repos/a/b", "/repos/a/b?from=2026-03-01&to=2026-03-31"),
        (
            "/repos/a/b?from=2025-01-01&branches=-coverage&to=2025-02-01&range=12m",
            "/repos/a/b?branches=-coverage&range=12m&from=2026-03-01&to=2026-03-31",
        ),
    ] {
        assert_eq!(with_dates(address, period), expected);
    }
    let dated = "/orgs/a?from=2025-01-01&to=2025-02-01";
    assert_eq!(with_dates(dated, None), "/orgs/a");
}
