//! A metric in SQL: its columns, and the percentage that they give, in the same basis points as [`domain::Percentage::of`].

use domain::StatedMetric;

/// The percentage of a count in hundredths of a percent; null without a total, or with a total over a trillion: such a total is wrong, and
/// would overflow.
macro_rules! percentage {
    ($covered:literal, $total:literal) => {
        concat!(
            "(case when ",
            $total,
            " <= 0 or ",
            $total,
            " > 1000000000000 then null
                   when ",
            $covered,
            " >= ",
            $total,
            " then 10000
                   when ",
            $covered,
            " <= 0 then 0
                   when 20000 * ",
            $covered,
            " < ",
            $total,
            " then 1
                   when 20000 * (",
            $total,
            " - ",
            $covered,
            ") <= ",
            $total,
            " then 9999
                   else (20000 * ",
            $covered,
            " + ",
            $total,
            ") / (2 * ",
            $total,
            ") end)"
        )
    };
}

pub(crate) use percentage;

/// The columns with the covered and the total number of a metric.
pub(crate) fn columns(metric: StatedMetric) -> [&'static str; 2] {
    match metric {
        StatedMetric::Lines => ["lines_covered", "lines_total"],
        StatedMetric::Branches => ["branches_covered", "branches_total"],
        StatedMetric::Functions => ["functions_covered", "functions_total"],
    }
}

/// The percentage of a row of `table` in hundredths of a percent; null if it is unknown. The percentage of lines is stored.
pub(crate) fn percentage_of(metric: StatedMetric, table: &str) -> String {
    let [covered, total] = columns(metric);
    match metric {
        StatedMetric::Lines => format!("{table}.percentage_basis_points"),
        _ => percentage!("$covered", "$total")
            .replace("$covered", &format!("{table}.{covered}"))
            .replace("$total", &format!("{table}.{total}")),
    }
}

/// Restricts records `h` to records with a percentage. The condition is written as in the indexes of `0004_main_records.sql`, so that the
/// database uses them. There is no condition for lines.
pub(crate) fn has_percentage(metric: StatedMetric) -> String {
    let [_, total] = columns(metric);
    match metric {
        StatedMetric::Lines => String::new(),
        _ => format!(" and h.{total} > 0 and h.{total} <= 1000000000000"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{sql::Sql, testing::TestStore};
    use domain::{Count, Percentage};

    /// The basis points of a count, as the database computes them.
    async fn shown(store: &TestStore, covered: &str, total: &str) -> Option<i64> {
        let query = format!(
            "select cast({} as bigint) from (select cast({covered} as bigint) as branches_covered,
                    cast({total} as bigint) as branches_total) s",
            percentage_of(StatedMetric::Branches, "s")
        );
        let query = Sql::new(&query).rows().expect("a query");
        let (shown,): (Option<i64>,) = query.fetch_one(&store.read_pool).await.expect("a row");
        shown
    }

    #[tokio::test]
    async fn a_percentage_in_sql_has_the_basis_points_of_the_domain() {
        let store = TestStore::new().await;
        let totals = [
            1,
            2,
            3,
            7,
            8,
            19_999,
            20_000,
            20_001,
            40_000,
            1_000_003,
            1_000_000_000_000_u64,
        ];
        let mut counts: Vec<Count> = Vec::new();
        for total in totals {
            let near = [0, 1, 2, 3, total / 3, total / 2, total * 2 / 3];
            let from_top = near.map(|covered| total.saturating_sub(covered));
            let covered = near
                .into_iter()
                .chain(from_top)
                .filter(|covered| *covered <= total);
            counts.extend(covered.map(|covered| Count { covered, total }));
        }
        for count in counts {
            let (covered, total) = (count.covered.to_string(), count.total.to_string());
            let expected =
                Percentage::of(count).map(|percentage| i64::from(percentage.basis_points()));
            assert_eq!(shown(&store, &covered, &total).await, expected, "{count:?}");
        }
        for (covered, total) in [
            ("null", "null"),
            ("1", "null"),
            ("null", "1"),
            ("0", "0"),
            ("1", "1000000000001"),
        ] {
            assert_eq!(
                shown(&store, covered, total).await,
                None,
                "{covered} of {total}"
            );
        }
    }
}
