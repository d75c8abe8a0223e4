//! A repository's page over histories too long for uploads in a test.

use crate::store::{testing::TestStore, time::now};
use domain::{
    BranchName, Compared, Day, HistoryPlace, Repository, RepositoryDetail, RepositoryQuery,
    TrendRange,
};
use sqlx::AssertSqlSafe;

const DAY: i64 = 86_400_000_000;

struct Seeded {
    store: TestStore,
}

impl Seeded {
    /// One repository, `acme/payments`, without branches.
    async fn new() -> Self {
        let seeded = Self {
            store: TestStore::new().await,
        };
        seeded
            .run("insert into repositories (id, org_name, repo_name, created_at) values (1, 'acme', 'payments', 0)")
            .await;
        seeded
    }

    async fn run(&self, sql: &str) {
        sqlx::query(AssertSqlSafe(sql.to_owned()))
            .execute(&self.store.writer)
            .await
            .expect("a statement");
    }

    /// `count` records of a branch, `step` apart, the last one now and current; `percentage` of the record `n` is SQL.
    async fn branch(
        &self,
        id: i64,
        name: &str,
        language: &str,
        count: i64,
        step: i64,
        percentage: &str,
    ) {
        let name = name.replace('\'', "''");
        self.run(&format!(
            "insert into branches (id, repository_id, name, record_count) values ({id}, 1, '{name}', {count})
             on conflict (id) do update set record_count = branches.record_count + {count}"
        ))
        .await;
        // What an upload would have found.
        self.run("update repositories set main_branch_id = (select id from branches where name = 'main')")
            .await;
        let now = now().0;
        self.run(&format!(
            "insert into records (repository_id, branch_id, language, commit_hash, commit_author, percentage_basis_points,
                                  lines_covered, lines_total, report_format, created_at, updated_at, superseded_at)
             with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < {count})
             select 1, {id}, '{language}', 'c' || n, 'Ada', {percentage}, 1, 2, 'cobertura',
                    {now} - ({count} - n) * {step}, {now} - ({count} - n) * {step},
                    case when n < {count} then {now} end
             from numbers"
        ))
        .await;
    }

    async fn page(&self, query: &RepositoryQuery) -> RepositoryDetail {
        let repository: Repository = "acme/payments".parse().expect("a repository");
        let detail = self.store.repository(&repository, query).await;
        detail.expect("an answer").expect("a repository")
    }
}

fn branch(name: &str) -> BranchName {
    name.parse().expect("a branch")
}

fn of_all_time() -> RepositoryQuery {
    RepositoryQuery {
        range: TrendRange::All,
        ..RepositoryQuery::default()
    }
}

#[tokio::test]
async fn a_history_has_every_record_once_in_either_paging_direction() {
    let seeded = Seeded::new().await;
    seeded.branch(1, "main", "rust", 90, DAY, "n").await;
    seeded.branch(1, "main", "python", 40, DAY, "n").await;
    let (mut query, mut forth) = (of_all_time(), Vec::new());
    loop {
        let history = seeded.page(&query).await.history;
        assert!(history.rows.len() <= 50 && history.records == 130);
        forth.push(history.rows);
        match history.older {
            Some(older) => query.place = older,
            None => break,
        }
    }
    let all: Vec<_> = forth.concat();
    assert_eq!((forth.len(), all.len()), (3, 130));
    assert!(all.is_sorted_by(|a, b| a.key() > b.key()));
    let mut back = Vec::new();
    while let Some(newer) = seeded.page(&query).await.history.newer {
        query.place = newer;
        back.push(seeded.page(&query).await.history.rows);
    }
    assert_eq!(back, [forth[1].clone(), forth[0].clone()]);
}

#[tokio::test]
async fn a_history_of_one_language_compares_each_record_with_the_one_before_it() {
    let seeded = Seeded::new().await;
    seeded.branch(1, "main", "rust", 60, DAY, "n * 100").await;
    seeded.branch(1, "main", "python", 60, DAY, "9000").await;
    let mut query = of_all_time();
    query.language = Some("rust".parse().expect("a language"));
    let first = seeded.page(&query).await.history;
    let changes = first.rows.iter().map(|row| row.change);
    assert!(
        changes
            .into_iter()
            .all(|change| change.is_some_and(|change| change.to_string() == "+1.00"))
    );
    query.place = first.older.expect("a second page");
    let second = seeded.page(&query).await.history;
    assert_eq!(second.rows.len(), 10);
    assert_eq!(
        second.rows.last().and_then(|row| row.change),
        None,
        "nothing was before the first"
    );
    assert!(
        second
            .rows
            .iter()
            .all(|row| row.language.as_str() == "rust")
    );
}

#[tokio::test]
async fn an_unknown_position_is_the_first_page_or_an_empty_one() {
    let seeded = Seeded::new().await;
    seeded.branch(1, "main", "rust", 3, DAY, "n").await;
    let mut query = of_all_time();
    let key = |text: &str| text.parse().expect("a key");
    query.place = HistoryPlace::NewerThan(key("9223372036854775807-1"));
    assert_eq!(seeded.page(&query).await.history.rows.len(), 3);
    query.place = HistoryPlace::OlderThan(key("0-0"));
    let beyond = seeded.page(&query).await.history;
    assert_eq!(
        (beyond.rows.len(), beyond.newer, beyond.older),
        (0, Some(HistoryPlace::Newest), None)
    );
}

#[tokio::test]
async fn a_long_history_is_thinned_and_keeps_its_ends_and_peaks() {
    let seeded = Seeded::new().await;
    let percentage = "case n when 12345 then 10000 when 15432 then 0 else 5000 + n % 7 end";
    seeded
        .branch(1, "main", "rust", 20_000, DAY / 24, percentage)
        .await;
    let trend = seeded.page(&of_all_time()).await.trend;
    let points = &trend.series[0].points;
    assert_eq!(trend.records, 20_000);
    assert!(points.len() <= 1_202, "{}", points.len());
    assert!(points.is_sorted_by(|a, b| a.at < b.at));
    let commits: Vec<_> = points.iter().map(|point| point.commit.as_str()).collect();
    for kept in ["c1", "c12345", "c15432", "c20000"] {
        assert!(commits.contains(&kept), "{kept} is missing");
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
    let trend = seeded.page(&query).await.trend;
    assert_eq!(trend.records, 281 * 24);
    let times = trend.series[0].points.iter().map(|point| point.at);
    let (first, last) = (times.clone().min(), times.max());
    assert!(first.expect("a point") >= from.start() && last.expect("a point") < to.end());
}

#[tokio::test]
async fn a_range_has_only_the_records_since_its_start() {
    let seeded = Seeded::new().await;
    seeded.branch(1, "main", "rust", 400, DAY, "8000").await;
    for (range, records) in [
        (TrendRange::Days7, 7),
        (TrendRange::Days30, 30),
        (TrendRange::Months3, 91),
        (TrendRange::Months12, 365),
        (TrendRange::All, 400),
    ] {
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
            ..of_all_time()
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
    for language in ["a", "b", "c"] {
        seeded.branch(1, "main", language, 2, DAY, "8000").await;
        seeded.branch(2, "dev", language, 2, DAY, "8100").await;
    }
    let mut query = of_all_time();
    query.branch = Some(branch("dev"));
    let trend = seeded.page(&query).await.trend;
    assert_eq!((trend.series.len(), trend.hidden), (4, 2));
    query.language = Some("c".parse().expect("a language"));
    let detail = seeded.page(&query).await;
    assert_eq!((detail.trend.series.len(), detail.trend.hidden), (2, 0));
    assert_eq!(detail.languages.len(), 3, "the others can still be chosen");
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
        let mut query = of_all_time();
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
            ..of_all_time()
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
    assert_eq!(listed("", 1).await, (15, 61, 1, 5, "main".to_owned()));
    assert_eq!(listed("", 99).await.0, 1);
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
        ..of_all_time()
    };
    let detail = seeded.page(&query).await;
    let against = |row: &domain::BranchRow| row.against_main.map(|change| change.to_string());
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
    let detail = seeded.page(&of_all_time()).await;
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
    let query = RepositoryQuery {
        branch: Some(branch("merged")),
        ..of_all_time()
    };
    let detail = seeded.page(&query).await;
    assert_eq!((detail.current.len(), detail.history.rows.len()), (0, 2));
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
        ..of_all_time()
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
        let detail = seeded.page(&of_all_time()).await;
        assert_eq!(detail.main_branch.as_str(), shown);
    }
}
