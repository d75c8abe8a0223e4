//! A repository's page with histories that are too long for uploads in a test.

mod branches;
mod history;
mod pull_requests;
mod trend;

use crate::{testing::TestStore, time::now};
use domain::{
    BranchName, Repository, RepositoryDetail, RepositoryQuery, RepositoryTab, TrendRange,
};
use sqlx::AssertSqlSafe;

const DAY: i64 = 86_400_000_000;

struct Seeded {
    store: TestStore,
}

impl Seeded {
    /// Creates one repository, `acme/payments`, without branches.
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
            .execute(&self.store.write_pool)
            .await
            .expect("a statement");
    }

    /// Creates `count` records of a branch, `step` apart. The last one is now and current; `percentage` of the record `n` is SQL.
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
        // An upload would have set the main branch.
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
        let detail = self.store.everything().repository(&repository, query).await;
        detail.expect("an answer").expect("a repository")
    }
}

fn branch(name: &str) -> BranchName {
    name.parse().expect("a branch")
}

fn of_all_time(tab: RepositoryTab) -> RepositoryQuery {
    RepositoryQuery {
        tab,
        range: TrendRange::All,
        ..RepositoryQuery::default()
    }
}
