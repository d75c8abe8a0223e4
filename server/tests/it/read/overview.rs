//! The overview over records of several ages.

mod attention;
mod metrics;
mod scene;

use crate::harness::{Reachable, cobertura};
use domain::{Order, OverviewColumn, OverviewQuery, Show, Sort};
use scene::{Scene, names, of_kind, scene, sorted};

#[tokio::test]
async fn the_list_is_sorted_by_name_coverage_drop_or_upload() {
    let scene = scene().await;
    for (sort, expected) in [
        (
            Sort::default(),
            [
                "acme/fell rust",
                "acme/new go",
                "zoo/silent go",
                "zoo/sub/rose rust",
            ],
        ),
        (
            Order::ascending(OverviewColumn::Coverage),
            [
                "zoo/sub/rose rust",
                "zoo/silent go",
                "acme/fell rust",
                "acme/new go",
            ],
        ),
        // A new repository has no drop, and comes last.
        (
            Order::ascending(OverviewColumn::Change),
            [
                "acme/fell rust",
                "zoo/silent go",
                "zoo/sub/rose rust",
                "acme/new go",
            ],
        ),
        (
            Order::descending(OverviewColumn::Uploaded),
            [
                "zoo/sub/rose rust",
                "acme/fell rust",
                "acme/new go",
                "zoo/silent go",
            ],
        ),
    ] {
        assert_eq!(scene.names(sorted(sort)).await, expected, "{sort}");
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
    for (query, expected) in [
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
        let overview = scene.ask(query).await;
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
                    let requested = OverviewQuery {
                        keyword: keyword.to_owned(),
                        org: org.parse().ok(),
                        language: language.parse().ok(),
                        show,
                        ..OverviewQuery::default()
                    };
                    let overview = scene.ask(requested.clone()).await;
                    for choice in overview.choices.orgs {
                        let chosen = OverviewQuery {
                            org: Some(choice.name.clone()),
                            ..requested.clone()
                        };
                        let found = scene.ask(chosen).await.matching;
                        assert_eq!(found, choice.repositories, "{choice:?} of {requested:?}");
                        orgs += 1;
                    }
                    for choice in overview.choices.languages {
                        let chosen = OverviewQuery {
                            language: Some(choice.name.clone()),
                            ..requested.clone()
                        };
                        let found = scene.ask(chosen).await.matching;
                        assert_eq!(found, choice.repositories, "{choice:?} of {requested:?}");
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
    assert_eq!(
        row.period_change
            .map(|change| change.to_string())
            .as_deref(),
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
    // Implausibly many lines: two such counts would overflow when added.
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
            ..sorted(Order::ascending(OverviewColumn::Coverage))
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
    let page = async |path: &str| scene.server.get_text(path).await;
    let dropped = page("/?show=dropped&sort=change").await;
    assert!(
        dropped.contains("href=\"/repos/acme/fell\"") && !dropped.contains("/repos/zoo"),
        "{dropped}"
    );
    assert!(
        dropped.contains("1 repository, dropped in 7 days"),
        "{dropped}"
    );
    let nothing = page("/?keyword=acme&language=python&org_name=zoo").await;
    assert!(
        nothing.contains("Nothing found") && nothing.contains("in the language python"),
        "{nothing}"
    );
    let attention = page("/").await;
    for shown in ["Needs attention", ">stale<", "href=\"/orgs/zoo/sub\""] {
        assert!(attention.contains(shown), "{shown}: {attention}");
    }
    let link = "href=\"/?show=stale&amp;sort=-uploaded\"";
    assert!(
        !attention.contains(link),
        "all stale ones are shown: {attention}"
    );
}

#[tokio::test]
async fn every_order_has_its_opposite_and_new_repositories_come_last_in_both() {
    let scene = scene().await;
    for sort in OverviewColumn::orders() {
        let (mut one, mut other) = (
            scene.names(sorted(sort)).await,
            scene.names(sorted(sort.reversed())).await,
        );
        if sort.column == OverviewColumn::Change {
            assert_eq!(
                [one.pop(), other.pop()],
                [(); 2].map(|()| Some("acme/new go".to_owned()))
            );
        }
        other.reverse();
        assert_eq!(one, other, "{sort}");
    }
}
