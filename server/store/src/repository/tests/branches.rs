//! Tests of the list of branches, and of the page without an active branch.

use super::{DAY, Seeded, branch, of_all_time};
use domain::{BranchColumn, BranchRow, RepositoryQuery, RepositoryTab};

#[tokio::test]
async fn branches_are_filtered_in_any_case_and_paged_main_first() {
    let seeded = Seeded::new().await;
    for id in 1..=60 {
        let name = if id == 60 {
            "Übung_100%".to_owned()
        } else {
            format!("feature/Nr-{id}")
        };
        seeded.branch(id, &name, "rust", 1, DAY, "8000").await;
    }
    seeded.branch(61, "main", "rust", 2, DAY, "8100").await;
    let listed = async |keyword: &str, page| {
        let query = RepositoryQuery {
            keyword: keyword.to_owned(),
            page,
            ..of_all_time(RepositoryTab::Branches)
        };
        let branches = seeded.page(&query).await.branches;
        let first = branches
            .rows
            .first()
            .map(|row| row.branch.to_string())
            .unwrap_or_default();
        (
            branches.rows.len(),
            branches.matching,
            branches.page,
            branches.pages,
            first,
        )
    };
    assert_eq!(listed("", 1).await, (50, 61, 1, 2, "main".to_owned()));
    assert_eq!(listed("", 99).await.0, 11);
    assert_eq!(
        listed("FEATURE/nr-7", 1).await,
        (1, 1, 1, 1, "feature/Nr-7".to_owned())
    );
    assert_eq!(listed("Übung", 1).await.1, 1);
    assert_eq!(listed("_100%", 1).await.1, 1);
    assert_eq!(listed("%", 1).await.1, 1, "typed text is not a pattern");
    assert_eq!(listed("nowhere", 1).await, (0, 0, 1, 1, String::new()));
}

#[tokio::test]
async fn a_branch_is_compared_with_main_in_its_own_language() {
    let seeded = Seeded::new().await;
    seeded.branch(1, "main", "rust", 2, DAY, "8000").await;
    seeded.branch(2, "dev", "rust", 2, DAY, "8125").await;
    seeded.branch(2, "dev", "python", 2, DAY, "100").await;
    let query = RepositoryQuery {
        branch: Some(branch("dev")),
        ..of_all_time(RepositoryTab::Branches)
    };
    let detail = seeded.page(&query).await;
    let against = |row: &domain::BranchRow| row.against_base.map(|(_, change)| change.to_string());
    let current: Vec<_> = detail.current.iter().map(against).collect();
    assert_eq!(current, [None, Some("+1.25".to_owned())]);
    assert_eq!(
        detail
            .branches
            .rows
            .iter()
            .filter_map(against)
            .collect::<Vec<_>>(),
        ["+1.25"]
    );
}

#[tokio::test]
async fn a_repository_without_any_active_branch_still_has_a_page() {
    let seeded = Seeded::new().await;
    seeded.branch(1, "short", "rust", 2, DAY, "8000").await;
    seeded.branch(2, "long", "rust", 3, DAY, "8000").await;
    seeded.run("update records set superseded_at = 1").await;
    let detail = seeded.page(&of_all_time(RepositoryTab::History)).await;
    assert_eq!(
        (detail.main_branch, detail.history.rows.len()),
        (branch("long"), 3)
    );
}

#[tokio::test]
async fn an_inactive_branch_keeps_its_history() {
    let seeded = Seeded::new().await;
    seeded.branch(1, "main", "rust", 2, DAY, "8000").await;
    seeded.branch(2, "merged", "rust", 2, DAY, "8125").await;
    seeded
        .run("update records set superseded_at = 1 where branch_id = 2")
        .await;
    let merged = |tab| RepositoryQuery {
        branch: Some(branch("merged")),
        ..of_all_time(tab)
    };
    let history = seeded.page(&merged(RepositoryTab::History)).await.history;
    let detail = seeded.page(&merged(RepositoryTab::Files)).await;
    assert_eq!((detail.current.len(), history.rows.len()), (0, 2));
    assert_eq!(
        (
            detail.trend.series[0].is_active,
            detail.trend.series[1].is_active
        ),
        (false, true)
    );
    assert_eq!(detail.choices, ["main"].map(branch));
    let unknown = RepositoryQuery {
        branch: Some(branch("never")),
        ..of_all_time(RepositoryTab::Branches)
    };
    assert!(seeded.page(&unknown).await.languages.is_empty());
}

#[tokio::test]
async fn a_retired_repository_shows_its_configured_branch() {
    let seeded = Seeded::new().await;
    for (id, name) in [(1, "main"), (2, "release")] {
        seeded.branch(id, name, "rust", 3, DAY, "n").await;
    }
    seeded
        .run("update records set superseded_at = updated_at + 1")
        .await;
    let retire = |configured: &str| {
        format!("update repositories set main_branch_id = null, configured_branch = {configured}")
    };
    for (configured, shown) in [("null", "main"), ("'release'", "release")] {
        seeded.run(&retire(configured)).await;
        let detail = seeded.page(&of_all_time(RepositoryTab::Branches)).await;
        assert_eq!(detail.main_branch.as_str(), shown);
    }
}

#[tokio::test]
async fn branches_are_sorted_by_every_column_over_all_pages() {
    let seeded = Seeded::new().await;
    seeded.branch(100, "main", "rust", 2, DAY, "5000").await;
    for id in 1..=60 {
        let name = format!("{}-{id:02}", if id % 2 == 0 { "Even" } else { "odd" });
        let percentage = (id * 37 % 61 * 100).to_string();
        seeded.branch(id, &name, "rust", 1, DAY, &percentage).await;
    }
    seeded
        .run("update records set updated_at = updated_at - branch_id * 1000000, commit_author = 'Author ' || (200 - branch_id)")
        .await;
    for order in BranchColumn::orders() {
        let mut rows = Vec::new();
        for page in [1, 2] {
            let query = RepositoryQuery {
                branches: Some(order),
                page,
                ..of_all_time(RepositoryTab::Branches)
            };
            rows.extend(seeded.page(&query).await.branches.rows);
        }
        assert_eq!(rows.len(), 61, "{order}");
        let values: Vec<_> = rows.iter().map(|row| value(row, order.column)).collect();
        let missing = values.iter().position(Option::is_none);
        let known: Vec<_> = values.into_iter().flatten().collect();
        if order.column == BranchColumn::Change {
            assert_eq!(missing, Some(60), "main has no base: {order}");
        }
        let is_sorted = if order.is_descending {
            known.is_sorted_by(|a, b| a >= b)
        } else {
            known.is_sorted()
        };
        assert!(is_sorted, "{order}: {known:?}");
    }
}

/// A value that sorts like its column.
fn value(row: &BranchRow, column: BranchColumn) -> Option<(i64, String)> {
    Some(match column {
        BranchColumn::Name => (0, row.branch.to_string().to_lowercase()),
        BranchColumn::Coverage => (row.record.percentage.basis_points().into(), String::new()),
        BranchColumn::Change => {
            let (_, change) = row.against_base?;
            (change.basis_points().into(), String::new())
        }
        BranchColumn::Author => (0, row.record.author.to_string().to_lowercase()),
        BranchColumn::Uploaded => (row.record.updated_at.0, String::new()),
    })
}
