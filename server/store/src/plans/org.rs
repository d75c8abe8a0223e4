//! Tests how SQLite runs the queries of an org, and of the report of an org.

use super::{
    super::{gates, org, period_report},
    plan, sqlite,
};
use domain::StatedMetric;

#[tokio::test]
async fn org_queries_look_up_the_history_and_never_scan_it() {
    let Some(store) = sqlite().await else { return };
    let steps = StatedMetric::ALL
        .iter()
        .map(|&metric| org::steps(metric).text());
    let queries: Vec<_> = steps
        .chain([
            org::SERIES.text(),
            org::SPANS.text(),
            org::STARTS.text(),
            org::KEPT.text(),
            org::CHANGES.text(),
            org::NEW_CODE.text(),
            org::REPOSITORIES.text(),
        ])
        .collect();
    for query in queries {
        let steps = plan(&store, query).await;
        for table in ["p", "r", "h", "m"] {
            let scan = format!("SCAN {table} ");
            assert!(
                !steps
                    .iter()
                    .any(|step| format!("{step} ").starts_with(&scan)),
                "{table} is scanned in {query}: {steps:?}"
            );
        }
    }
    let indexes = ["weighed", "with_branches", "with_functions"];
    for (&metric, index) in StatedMetric::ALL.iter().zip(indexes) {
        let steps = plan(&store, org::steps(metric).text()).await;
        let search = format!(
            "SEARCH h USING INDEX records_{index} (branch_id=? AND language=? AND updated_at<?)"
        );
        assert!(
            steps.iter().any(|step| step.starts_with(&search)),
            "{steps:?}"
        );
    }
    let steps = plan(&store, org::steps(StatedMetric::Lines).text()).await;
    let back = "SEARCH h USING COVERING INDEX records_history (branch_id=? AND language=? AND updated_at<?)";
    assert_eq!(
        steps.iter().filter(|step| *step == back).count(),
        2,
        "{steps:?}"
    );
}

#[tokio::test]
async fn a_report_looks_up_the_records_of_its_period_and_their_verdicts() {
    let Some(store) = sqlite().await else { return };
    let steps = plan(&store, period_report::RECORDS.text()).await;
    for step in [
        "SEARCH r USING COVERING INDEX records_of_branch (branch_id=? AND updated_at>? AND updated_at<?)",
        "SEARCH a USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
    ] {
        assert!(steps.iter().any(|found| found == step), "{steps:#?}");
    }
    let scans = steps.iter().filter(|step| step.starts_with("SCAN "));
    assert!(
        scans.clone().all(|step| step.starts_with("SCAN p")),
        "{steps:#?}"
    );
}

#[tokio::test]
async fn gates_over_time_look_up_the_records_of_their_period() {
    let Some(store) = sqlite().await else { return };
    for query in [gates::OF_ORG, gates::OF_REPOSITORY] {
        let steps = plan(&store, query.text()).await;
        let search = "SEARCH r USING INDEX records_of_branch (branch_id=? AND updated_at>? AND updated_at<?)";
        assert!(steps.iter().any(|step| step == search), "{steps:#?}");
        let mut scans = steps.iter().filter(|step| step.starts_with("SCAN "));
        assert!(scans.all(|step| step.starts_with("SCAN p")), "{steps:#?}");
    }
}
