//! Records of several ages, and the overview over them.

use crate::harness::{Archive, TestServer, Upload, cobertura};
use domain::{DAY, Overview, OverviewQuery, Percentage, Show, Sort};
use sqlx::AnyConnection;
use store::{Store, actor::Actor};

pub struct Scene {
    pub server: TestServer,
    pub store: Store,
    pub database: AnyConnection,
    uploads: u32,
}

impl Scene {
    pub async fn start() -> Self {
        let server = TestServer::start().await;
        let store = server.store().await;
        let database = server.database().await;
        Self {
            server,
            store,
            database,
            uploads: 0,
        }
    }

    /// Uploads a record of `name` (`org/repo`) and dates it `days` back.
    pub async fn record(&mut self, name: &str, language: &str, covered: u32, days: i64) {
        self.counted(name, language, &cobertura(covered, 10_000), days)
            .await;
    }

    /// As [`Self::record`], with the coverage file `xml`.
    pub async fn counted(&mut self, name: &str, language: &str, xml: &str, days: i64) {
        self.uploads += 1;
        let (org, repo) = name.rsplit_once('/').unwrap();
        let answer = Upload::of(Archive::report("<p>", xml).tar_gz())
            .with("org_name", org)
            .with("repo_name", repo)
            .with("language", language)
            .with("commit_hash", &format!("c{}", self.uploads))
            .accepted(&self.server)
            .await;
        if days == 0 {
            return;
        }
        sqlx::query("update records set updated_at = updated_at - $1 where id = $2")
            .bind(days * DAY)
            .bind(answer["coverage"]["id"].as_i64())
            .execute(&mut self.database)
            .await
            .unwrap();
        // Setting the main branch recomputes the summary table after the dates have changed.
        let repository = name.parse().unwrap();
        self.store
            .operator()
            .configure_main_branch(&repository, None, &Actor::service())
            .await
            .unwrap();
    }

    /// Lets the values of a week ago expire in the summary.
    pub async fn expire(&mut self) {
        sqlx::query(
            "update main_records set percentage_week_ago = 1, week_ago_until = week_ago_from",
        )
        .execute(&mut self.database)
        .await
        .unwrap();
    }

    /// Renews the values of a week ago. Returns the number of repositories.
    pub async fn renew(&self) -> u32 {
        self.store.writer().renew_week_ago().await.unwrap()
    }

    pub async fn ask(&self, query: OverviewQuery) -> Overview {
        let target = Percentage::from_basis_points(8_000);
        self.store
            .everything()
            .overview(query, target)
            .await
            .unwrap()
    }

    pub async fn names(&self, query: OverviewQuery) -> Vec<String> {
        names(&self.ask(query).await)
    }
}

pub fn names(overview: &Overview) -> Vec<String> {
    let rows = overview.rows.iter();
    rows.map(|row| format!("{} {}", row.repository, row.language))
        .collect()
}

pub fn sorted(sort: Sort) -> OverviewQuery {
    OverviewQuery {
        sort,
        ..OverviewQuery::default()
    }
}

pub fn of_kind(show: Show) -> OverviewQuery {
    OverviewQuery {
        show,
        ..OverviewQuery::default()
    }
}

/// Four repositories: one that fell from 90 % a week ago to 70 % and is at 85 % now, a new one, one that rose, and one
/// without uploads for 20 days.
pub async fn scene() -> Scene {
    let mut scene = Scene::start().await;
    for (name, language, covered, days) in [
        ("acme/fell", "rust", 9_000, 10),
        ("acme/fell", "rust", 7_000, 3),
        ("acme/fell", "rust", 8_500, 1),
        ("acme/new", "go", 9_500, 2),
        ("zoo/sub/rose", "rust", 5_000, 9),
        ("zoo/sub/rose", "rust", 5_010, 0),
        ("zoo/silent", "go", 7_900, 31),
        ("zoo/silent", "go", 6_000, 20),
    ] {
        scene.record(name, language, covered, days).await;
    }
    scene
}
