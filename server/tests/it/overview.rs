//! What the overview answers: over records that were uploaded, some of them long ago.

mod attention;

use crate::harness::{Archive, Reachable, TestServer, Upload, cobertura};
use domain::{DAY, Overview, OverviewQuery, Percentage, Show, Sort};
use server::store::{Store, actor::Actor};
use sqlx::AnyConnection;

struct Scene {
    server: TestServer,
    store: Store,
    database: AnyConnection,
    uploads: u32,
}

impl Scene {
    async fn start() -> Self {
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

    /// A record of `name` (`org/repo`) that was uploaded so many days ago.
    async fn record(&mut self, name: &str, language: &str, covered: u32, days: i64) {
        self.counted(name, language, &cobertura(covered, 10_000), days)
            .await;
    }

    async fn counted(&mut self, name: &str, language: &str, xml: &str, days: i64) {
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
        // Records do not grow old by themselves in a test: what is kept of them has to be found again.
        let repository = name.parse().unwrap();
        self.store
            .configure_main_branch(&repository, None, &Actor::service())
            .await
            .unwrap();
    }

    async fn ask(&self, query: OverviewQuery) -> Overview {
        let target = Percentage::from_basis_points(8_000);
        self.store.overview(query, target).await.unwrap()
    }

    async fn names(&self, query: OverviewQuery) -> Vec<String> {
        names(&self.ask(query).await)
    }
}

fn names(overview: &Overview) -> Vec<String> {
    let rows = overview.rows.iter();
    rows.map(|row| format!("{} {}", row.repository, row.language))
        .collect()
}

fn sorted(sort: Sort) -> OverviewQuery {
    OverviewQuery {
        sort,
        ..OverviewQuery::default()
    }
}

fn of_kind(show: Show) -> OverviewQuery {
    OverviewQuery {
        show,
        ..OverviewQuery::default()
    }
}

/// A week ago 90, then 70, and 85 by now; a new one; one that rose; one that was silent for long.
async fn scene() -> Scene {
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

#[tokio::test]
async fn the_list_is_sorted_by_name_coverage_drop_or_upload() {
    let scene = scene().await;
    for (sort, expected) in [
        (
            Sort::Name,
            [
                "acme/fell rust",
                "acme/new go",
                "zoo/silent go",
                "zoo/sub/rose rust",
            ],
        ),
        (
            Sort::Lowest,
            [
                "zoo/sub/rose rust",
                "zoo/silent go",
                "acme/fell rust",
                "acme/new go",
            ],
        ),
        // What is new has nothing to have dropped from, and comes last.
        (
            Sort::Drop,
            [
                "acme/fell rust",
                "zoo/silent go",
                "zoo/sub/rose rust",
                "acme/new go",
            ],
        ),
        (
            Sort::Recent,
            [
                "zoo/sub/rose rust",
                "acme/fell rust",
                "acme/new go",
                "zoo/silent go",
            ],
        ),
    ] {
        assert_eq!(scene.names(sorted(sort)).await, expected, "{sort:?}");
    }
}

#[tokio::test]
async fn the_list_is_filtered_by_org_language_and_part_of_the_name() {
    let scene = scene().await;
    let query = |keyword: &str, org: &str, language: &str| OverviewQuery {
        keyword: keyword.to_owned(),
        org: org.parse().ok(),
        language: language.parse().ok(),
        ..OverviewQuery::default()
    };
    for (asked, expected) in [
        (
            query("", "acme", ""),
            &["acme/fell rust", "acme/new go"][..],
        ),
        (
            query("", "zoo", ""),
            &["zoo/silent go", "zoo/sub/rose rust"],
        ),
        (query("", "zoo", "rust"), &["zoo/sub/rose rust"]),
        (query("", "zoo/sub", ""), &["zoo/sub/rose rust"]),
        (query("", "zoo/su", ""), &[]),
        (query("", "zo", ""), &[]),
        (
            query("", "", "rust"),
            &["acme/fell rust", "zoo/sub/rose rust"],
        ),
        (query("SUB/r", "", ""), &["zoo/sub/rose rust"]),
        (query("e", "acme", "go"), &["acme/new go"]),
        (query("%", "", ""), &[]),
        (query("acme_fell", "", ""), &[]),
        (query("", "none", ""), &[]),
    ] {
        let overview = scene.ask(asked).await;
        assert_eq!(names(&overview), expected, "{:?}", overview.query);
        assert_eq!(overview.matching as usize, expected.len());
        assert!(!overview.is_new);
    }
}

#[tokio::test]
async fn each_filter_choice_shows_the_count_it_finds() {
    let mut scene = scene().await;
    for (name, language) in [
        ("zoo/sub/rose", "go"),
        ("zoo/sub-way/rust", "rust"),
        ("only/groups/deep", "go"),
    ] {
        scene.record(name, language, 7_000, 0).await;
    }
    let choices = scene.ask(OverviewQuery::default()).await.choices;
    let orgs: Vec<_> = choices
        .orgs
        .iter()
        .map(|org| (org.name.as_str(), org.repositories))
        .collect();
    assert_eq!(
        orgs,
        [
            ("acme", 2),
            ("only", 1),
            ("only/groups", 1),
            ("zoo", 3),
            ("zoo/sub", 1),
            ("zoo/sub-way", 1)
        ]
    );
    let languages: Vec<_> = choices
        .languages
        .iter()
        .map(|one| (one.name.as_str(), one.repositories))
        .collect();
    assert_eq!(languages, [("go", 4), ("rust", 3)]);
    let (mut orgs, mut languages) = (0, 0);
    for keyword in ["", "zoo"] {
        for show in [Show::All, Show::Dropped, Show::Stale] {
            for org in ["", "zoo", "zoo/sub", "none"] {
                for language in ["", "rust"] {
                    let asked = OverviewQuery {
                        keyword: keyword.to_owned(),
                        org: org.parse().ok(),
                        language: language.parse().ok(),
                        show,
                        ..OverviewQuery::default()
                    };
                    let overview = scene.ask(asked.clone()).await;
                    for choice in overview.choices.orgs {
                        let chosen = OverviewQuery {
                            org: Some(choice.name.clone()),
                            ..asked.clone()
                        };
                        let found = scene.ask(chosen).await.matching;
                        assert_eq!(found, choice.repositories, "{choice:?} of {asked:?}");
                        orgs += 1;
                    }
                    for choice in overview.choices.languages {
                        let chosen = OverviewQuery {
                            language: Some(choice.name.clone()),
                            ..asked.clone()
                        };
                        let found = scene.ask(chosen).await.matching;
                        assert_eq!(found, choice.repositories, "{choice:?} of {asked:?}");
                        languages += 1;
                    }
                }
            }
        }
    }
    assert!(orgs > 50 && languages > 20, "{orgs}, {languages}");
}

#[tokio::test]
async fn a_trend_has_the_last_record_of_each_day_and_one_before_them() {
    let mut scene = Scene::start().await;
    for (covered, days) in [
        (1_000, 80),
        (2_000, 50),
        (3_000, 29),
        (4_000, 29),
        (5_000, 29),
        (6_000, 3),
        (7_000, 0),
        (8_000, 0),
    ] {
        scene.record("acme/busy", "rust", covered, days).await;
    }
    let overview = scene.ask(OverviewQuery::default()).await;
    let row = &overview.rows[0];
    let points: Vec<_> = row
        .trend
        .iter()
        .map(|point| point.percentage.to_string())
        .collect();
    assert_eq!(points, ["20.00", "50.00", "60.00", "80.00"]);
    let change = row.change_over(30, overview.now);
    assert_eq!(
        change.map(|change| change.to_string()).as_deref(),
        Some("+60.00")
    );
    assert_eq!(
        row.change.map(|change| change.to_string()).as_deref(),
        Some("+10.00")
    );
}

#[tokio::test]
async fn an_org_is_weighted_by_the_lines_of_its_coverage_files() {
    let mut scene = Scene::start().await;
    scene
        .counted("acme/large", "rust", &cobertura(9_000, 9_000), 0)
        .await;
    scene
        .counted("acme/small", "rust", &cobertura(0, 1_000), 0)
        .await;
    let uncounted = "<?xml version=\"1.0\"?><coverage line-rate=\"0.5\"><packages/></coverage>";
    scene.counted("acme/uncounted", "rust", uncounted, 0).await;
    scene
        .counted("acme/large", "go", &cobertura(0, 2_000), 0)
        .await;
    // More lines than can be believed, of which two would be too many to add up.
    for name in ["acme/absurd", "acme/absurd-too"] {
        let absurd = cobertura(1, 1).replace(
            "lines-valid=\"1\"",
            &format!("lines-valid=\"{}\"", i64::MAX),
        );
        scene.counted(name, "rust", &absurd, 0).await;
    }
    scene.counted("none/uncounted", "rust", uncounted, 0).await;
    scene
        .counted("none/group/uncounted", "rust", uncounted, 0)
        .await;
    let overview = scene.ask(OverviewQuery::default()).await;
    let orgs: Vec<_> = overview
        .orgs
        .iter()
        .map(|org| {
            (
                org.org.as_str(),
                org.repositories,
                org.percentage.map(|it| it.to_string()),
                org.has_groups,
            )
        })
        .collect();
    assert_eq!(
        orgs,
        [
            ("acme", 5, Some("75.00".to_owned()), false),
            ("none", 1, None, true),
            ("none/group", 1, None, false)
        ]
    );
}

#[tokio::test]
async fn a_page_past_the_end_is_the_last_one_and_no_row_repeats() {
    let mut scene = Scene::start().await;
    for n in 0..26 {
        for language in ["rust", "go"] {
            scene.record(&format!("acme/r{n:02}"), language, n, 0).await;
        }
    }
    let on = async |page| {
        let query = OverviewQuery {
            page,
            ..sorted(Sort::Lowest)
        };
        scene.ask(query).await
    };
    let (first, last) = (on(0).await, on(u32::MAX).await);
    assert_eq!(
        (
            first.query.page,
            first.rows.len(),
            first.pages,
            first.matching
        ),
        (1, 50, 2, 26)
    );
    assert_eq!(last.query.page, 2);
    assert_eq!(names(&last), ["acme/r25 go", "acme/r25 rust"]);
}

#[tokio::test]
async fn every_filter_and_order_is_in_the_address() {
    let scene = scene().await;
    let page = async |path: &str| scene.server.get_text(path).await.replace("<!>", "");
    let dropped = page("/?show=dropped&sort=drop").await;
    assert!(
        dropped.contains("href=\"/repos/acme/fell\"") && !dropped.contains("/repos/zoo"),
        "{dropped}"
    );
    assert!(
        dropped.contains("1 repository, dropped this week"),
        "{dropped}"
    );
    let nothing = page("/?q=acme&language=python&org=zoo").await;
    assert!(
        nothing.contains("Nothing found") && nothing.contains("in the language python"),
        "{nothing}"
    );
    let attention = page("/").await;
    for shown in [
        "Needs attention",
        "href=\"/?show=stale&amp;sort=recent\"",
        ">stale<",
        "href=\"/orgs/zoo/sub\"",
    ] {
        assert!(attention.contains(shown), "{shown}: {attention}");
    }
}
