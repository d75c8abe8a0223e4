//! The queries of the overview, for tests of query plans.

use super::{Filter, attention, choices, counting, listing, orgs, trends};
use domain::{OverviewColumn, OverviewQuery, Percentage, Show, Timestamp};

/// All queries in all their forms.
pub(crate) fn queries() -> Vec<String> {
    let mut all = vec![
        trends::query(&[1, 2], Timestamp(0)).text().to_owned(),
        orgs::query(&["acme".to_owned()].into()).text().to_owned(),
    ];
    for &show in Show::ALL {
        let query = OverviewQuery {
            keyword: "a".to_owned(),
            org: "acme".parse().ok(),
            language: "rust".parse().ok(),
            show,
            ..OverviewQuery::default()
        };
        let target = Percentage::from_basis_points(8_000);
        let filter = Filter::new(&query, target, Timestamp(0));
        all.push(counting(&filter).text().to_owned());
        all.push(choices::of_orgs(&filter).text().to_owned());
        all.push(choices::of_languages(&filter).text().to_owned());
        for sort in OverviewColumn::orders() {
            let query = OverviewQuery {
                sort,
                ..query.clone()
            };
            all.push(listing(&filter, &query, 0).text().to_owned());
        }
        for kind in [Show::Dropped, Show::Below, Show::Stale] {
            all.push(
                attention::query(
                    &Filter {
                        show: kind,
                        ..filter.clone()
                    },
                    kind,
                )
                .text()
                .to_owned(),
            );
        }
    }
    all
}
