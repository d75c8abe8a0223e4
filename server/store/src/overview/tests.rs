//! The queries of the overview, for tests of query plans.

use super::{Filter, attention, choices, listing, orgs, trends};
use domain::{OverviewColumn, OverviewQuery, Percentage, Show, StatedMetric, Timestamp};

/// All queries in all their forms.
pub(crate) fn queries() -> Vec<String> {
    let mut all = Vec::new();
    for &metric in StatedMetric::ALL {
        all.push(
            trends::query(&[1, 2], Timestamp(0), metric)
                .text()
                .to_owned(),
        );
        let of_org = orgs::query(&["acme".to_owned()].into(), metric);
        all.push(of_org.text().to_owned());
    }
    let of_each = StatedMetric::ALL
        .iter()
        .flat_map(|&metric| Show::ALL.iter().map(move |&show| (metric, show)));
    for (metric, show) in of_each {
        let query = OverviewQuery {
            keyword: "a".to_owned(),
            org: "acme".parse().ok(),
            language: "rust".parse().ok(),
            show,
            metric,
            ..OverviewQuery::default()
        };
        let target = Percentage::from_basis_points(8_000);
        let filter = Filter::new(&query, target, Timestamp(0));
        all.push(choices::of_orgs(&filter).text().to_owned());
        all.push(choices::of_languages(&filter).text().to_owned());
        for sort in OverviewColumn::orders() {
            let query = OverviewQuery {
                sort,
                ..query.clone()
            };
            all.push(listing(&filter, &query, 0).text().to_owned());
        }
        all.push(attention::counting(&filter).text().to_owned());
        for kind in attention::KINDS {
            all.push(attention::listing(&filter, kind).text().to_owned());
        }
    }
    all
}
