//! Tests of the points and lines of a repository's trend.

use super::{DAY, Seeded, branch, of_all_time};
use crate::time::now;
use domain::{Compared, Day, RepositoryQuery, RepositoryTab, TrendRange};

#[tokio::test]
async fn a_long_history_is_thinned_and_keeps_its_ends_and_peaks() {
    let seeded = Seeded::new().await;
    let percentage = "case n when 12345 then 10000 when 15432 then 0 else 5000 + n % 7 end";
    seeded
        .branch(1, "main", "rust", 20_000, DAY / 24, percentage)
        .await;
    for has_spans in [false, true] {
        if has_spans {
            // As an upload does.
            let count = "update branches set record_count = record_count";
            seeded.run(count).await;
        }
        let trend = seeded.page(&of_all_time(RepositoryTab::Files)).await.trend;
        let points = &trend.series[0].points;
        assert_eq!(trend.records, 20_000);
        assert!((600..=1_202).contains(&points.len()), "{}", points.len());
        assert!(points.is_sorted_by(|a, b| a.at < b.at));
        let commits: Vec<_> = points.iter().map(|point| point.commit.as_str()).collect();
        for kept in ["c1", "c12345", "c15432", "c20000"] {
            assert!(commits.contains(&kept), "{kept} is missing");
        }
    }
}

#[tokio::test]
async fn a_long_period_has_no_record_after_its_last_day() {
    let seeded = Seeded::new().await;
    seeded
        .branch(1, "main", "rust", 9_000, DAY / 24, "5000 + n % 7")
        .await;
    let today = Day::of(now());
    let (from, to) = (today.days_before(300), today.days_before(20));
    let query = RepositoryQuery::default().between(Some(from), Some(to));
    for _ in 0..2 {
        let trend = seeded.page(&query).await.trend;
        assert_eq!(trend.records, 281 * 24);
        let times = trend.series[0].points.iter().map(|point| point.at);
        let (first, last) = (times.clone().min(), times.max());
        assert!(first.expect("a point") >= from.start() && last.expect("a point") < to.end());
        // As an upload does, so that the second answer is from `trend_spans`.
        let count = "update branches set record_count = record_count";
        seeded.run(count).await;
    }
}

#[tokio::test]
async fn a_range_has_only_the_records_since_its_start() {
    let seeded = Seeded::new().await;
    seeded.branch(1, "main", "rust", 400, DAY, "8000").await;
    let today = Day::of(now());
    for &range in TrendRange::ALL {
        // The first day is complete, and today has its record too.
        let first = range.first_day(today);
        let records = first.map_or(400, |first| {
            u64::try_from(today.since(first)).expect("a past day") + 1
        });
        let query = RepositoryQuery {
            range,
            ..RepositoryQuery::default()
        };
        assert_eq!(
            seeded.page(&query).await.trend.records,
            records,
            "{range:?}"
        );
    }
}

#[tokio::test]
async fn the_main_branch_is_beside_the_chosen_one_until_removed() {
    let seeded = Seeded::new().await;
    seeded.branch(1, "main", "rust", 3, DAY, "8000").await;
    seeded.branch(2, "feature/x", "rust", 2, DAY, "8100").await;
    seeded
        .branch(3, "fix/مرحبا 🚀", "rust", 2, DAY, "7900")
        .await;
    let lines = async |compared: Compared| {
        let query = RepositoryQuery {
            branch: Some(branch("feature/x")),
            compared,
            ..of_all_time(RepositoryTab::Files)
        };
        let series = seeded.page(&query).await.trend.series;
        let names = series.into_iter().map(|series| series.branch.to_string());
        names.collect::<Vec<_>>()
    };
    assert_eq!(lines(Compared::Main).await, ["feature/x", "main"]);
    assert_eq!(lines(Compared::Branches(Vec::new())).await, ["feature/x"]);
    let others = ["fix/مرحبا 🚀", "never/uploaded", "main", "feature/x"].map(branch);
    assert_eq!(
        lines(Compared::Branches(others.to_vec())).await,
        ["feature/x", "fix/مرحبا 🚀", "main"]
    );
}

#[tokio::test]
async fn no_more_lines_are_read_than_a_chart_can_distinguish() {
    let seeded = Seeded::new().await;
    for language in ["a", "b", "c", "d", "e"] {
        seeded.branch(1, "main", language, 2, DAY, "8000").await;
        seeded.branch(2, "dev", language, 2, DAY, "8100").await;
    }
    let mut query = of_all_time(RepositoryTab::Files);
    query.branch = Some(branch("dev"));
    let trend = seeded.page(&query).await.trend;
    assert_eq!((trend.series.len(), trend.hidden), (8, 2));
    query.language = Some("c".parse().expect("a language"));
    let detail = seeded.page(&query).await;
    assert_eq!((detail.trend.series.len(), detail.trend.hidden), (2, 0));
    assert_eq!(detail.languages.len(), 5, "the others can still be chosen");
}

#[tokio::test]
async fn a_branch_is_compared_in_its_own_languages_if_it_has_any() {
    let seeded = Seeded::new().await;
    for language in ["go", "python", "rust"] {
        seeded.branch(1, "main", language, 2, DAY, "8000").await;
    }
    seeded.branch(2, "dev", "python", 2, DAY, "8100").await;
    seeded.branch(3, "docs", "tex", 2, DAY, "8100").await;
    let lines = async |name: &str| {
        let mut query = of_all_time(RepositoryTab::Files);
        query.branch = Some(branch(name));
        let series = seeded.page(&query).await.trend.series.into_iter();
        let names = series.map(|series| format!("{} {}", series.branch, series.language));
        names.collect::<Vec<_>>()
    };
    assert_eq!(lines("dev").await, ["dev python", "main python"]);
    assert_eq!(
        lines("docs").await,
        ["docs tex", "main go", "main python", "main rust"]
    );
}
