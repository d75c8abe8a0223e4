//! The address of the page that compares two records.

use super::{with, with_query};
use crate::CompareQuery;

/// The page with no records chosen.
pub const COMPARE: &str = "/compare";

/// The parameter that shows text fields instead of lists.
pub const OTHERS: &str = "others";

/// The page that compares the records of `query`; records not yet chosen are left out.
pub fn compare(query: &CompareQuery) -> String {
    with(COMPARE, &query.parameters())
}

/// The same page with a text field for each record, filled in from `query`.
pub fn compare_others(query: &CompareQuery) -> String {
    with_query(&compare(query), &[(OTHERS, Some("1"))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Metric, RecordRef};

    #[test]
    fn a_comparison_names_its_two_records() {
        assert_eq!(
            compare(&CompareQuery::between(7, 9)),
            "/compare?base=7&head=9"
        );
        let of_branches = CompareQuery {
            base: "acme/shop@main".parse().ok(),
            head: Some(RecordRef::Id(9)),
            language: "c++".parse().ok(),
            view: "owner:@acme/pay".parse().ok(),
            metric: Metric::Branches,
        };
        assert_eq!(
            compare(&of_branches),
            "/compare?base=acme%2Fshop%40main&head=9&language=c%2B%2B&view=owner%3A%40acme%2Fpay&metric=branches"
        );
        assert_eq!(compare(&CompareQuery::default()), COMPARE);
        let head_only = CompareQuery {
            head: Some(RecordRef::Id(9)),
            ..CompareQuery::default()
        };
        assert_eq!(compare_others(&head_only), "/compare?head=9&others=1");
    }
}
