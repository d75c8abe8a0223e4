//! Repositories that dropped or need attention for other reasons.

use super::*;
use domain::Change;
use domain::{Order, OverviewColumn};

fn shown(change: Option<Change>) -> Option<String> {
    change.map(|change| change.to_string())
}

#[tokio::test]
async fn a_drop_is_measured_against_a_week_ago() {
    let scene = scene().await;
    let overview = scene
        .ask(sorted(Order::ascending(OverviewColumn::Change)))
        .await;
    let fell = &overview.rows[0];
    let change = shown(fell.period_change);
    assert_eq!(change.as_deref(), Some("\u{2212}5.00"));
    assert_eq!(
        fell.change.map(|change| change.to_string()).as_deref(),
        Some("+15.00")
    );
    let usual = scene.ask(OverviewQuery::default()).await;
    let attention = usual.attention.unwrap().dropped;
    assert_eq!(attention.repositories, 1);
    assert_eq!(
        attention.rows[0].change.map(|change| change.to_string()),
        change
    );
}

#[tokio::test]
async fn repositories_that_need_attention_are_listed_and_filtered_by_kind() {
    let mut scene = scene().await;
    let attention = scene.ask(OverviewQuery::default()).await.attention.unwrap();
    let listed = |list: &domain::AttentionList| {
        let rows = list.rows.iter();
        let names: Vec<_> = rows.map(|row| row.repository.to_string()).collect();
        (list.repositories, names)
    };
    assert_eq!(
        listed(&attention.dropped),
        (1, vec!["acme/fell".to_owned()])
    );
    let below = ["zoo/sub/rose", "zoo/silent"].map(str::to_owned);
    assert_eq!(listed(&attention.below), (2, below.to_vec()));
    assert_eq!(listed(&attention.stale), (1, vec!["zoo/silent".to_owned()]));

    assert_eq!(
        scene.names(of_kind(Show::Dropped)).await,
        ["acme/fell rust"]
    );
    assert_eq!(
        scene.names(of_kind(Show::Below)).await,
        ["zoo/silent go", "zoo/sub/rose rust"]
    );
    assert_eq!(scene.names(of_kind(Show::Stale)).await, ["zoo/silent go"]);

    for n in 0..6 {
        scene
            .record(&format!("many/r{n}"), "go", 1_000 + n, 15 + i64::from(n))
            .await;
    }
    let attention = scene.ask(OverviewQuery::default()).await.attention.unwrap();
    assert_eq!(
        (attention.below.repositories, attention.below.rows.len()),
        (8, 5)
    );
    assert_eq!(attention.below.rows[0].repository.to_string(), "many/r0");
    // The repository that became stale last comes first.
    assert_eq!(attention.stale.rows[0].repository.to_string(), "many/r0");
}

#[tokio::test]
async fn attention_follows_the_filters_on_the_first_page_in_default_order() {
    let scene = scene().await;
    let rust_of_zoo = OverviewQuery {
        org: "zoo/sub".parse().ok(),
        language: "rust".parse().ok(),
        ..OverviewQuery::default()
    };
    let attention = scene.ask(rust_of_zoo).await.attention.unwrap();
    assert_eq!(attention.dropped.repositories, 0);
    assert_eq!(attention.below.repositories, 1);
    assert_eq!(attention.stale.repositories, 0);
    for query in [
        OverviewQuery {
            page: 2,
            ..OverviewQuery::default()
        },
        OverviewQuery {
            keyword: "acme".to_owned(),
            ..OverviewQuery::default()
        },
        OverviewQuery {
            sort: Order::ascending(OverviewColumn::Change),
            ..OverviewQuery::default()
        },
        of_kind(Show::Below),
    ] {
        assert!(scene.ask(query).await.attention.is_none());
    }
}

#[tokio::test]
async fn a_repository_younger_than_a_week_drops_from_its_first_record() {
    let mut scene = Scene::start().await;
    for (covered, days) in [(9_000, 4), (8_000, 4), (9_500, 2), (7_500, 0)] {
        scene.record("acme/young", "rust", covered, days).await;
    }
    scene.record("acme/only", "rust", 1_000, 0).await;
    let overview = scene.ask(of_kind(Show::Dropped)).await;
    assert_eq!(names(&overview), ["acme/young rust"]);
    assert_eq!(
        shown(overview.rows[0].period_change).as_deref(),
        Some("\u{2212}15.00")
    );
    // Over 30 days it is the same.
    let usual = scene.ask(OverviewQuery::default()).await;
    assert_eq!(usual.rows[1].period_change, overview.rows[0].period_change);
    let dropped = usual.attention.unwrap().dropped;
    assert_eq!(dropped.rows[0].change, overview.rows[0].period_change);
}

#[tokio::test]
async fn a_change_over_days_is_against_the_record_before_them() {
    let mut scene = Scene::start().await;
    for (covered, days) in [(7_000, 40), (7_900, 30), (8_100, 8), (8_000, 0)] {
        scene.record("acme/old", "rust", covered, days).await;
    }
    for (covered, days) in [(7_000, 29), (8_000, 0)] {
        scene.record("acme/young", "rust", covered, days).await;
    }
    for (query, of_old) in [
        (OverviewQuery::default(), "+1.00"),
        (sorted(Order::descending(OverviewColumn::Uploaded)), "+1.00"),
        (
            sorted(Order::ascending(OverviewColumn::Change)),
            "\u{2212}1.00",
        ),
        (of_kind(Show::Dropped), "\u{2212}1.00"),
    ] {
        for row in scene.ask(query.clone()).await.rows {
            let expected = match row.repository.repo.as_str() {
                "old" => of_old,
                _ => "+10.00",
            };
            let change = shown(row.period_change);
            assert_eq!(change.as_deref(), Some(expected), "{query:?}");
        }
    }
}

#[tokio::test]
async fn a_single_record_has_no_change_until_it_is_old_enough() {
    let mut scene = Scene::start().await;
    for (name, days) in [("acme/three", 3), ("acme/eight", 8)] {
        scene.record(name, "rust", 8_000, days).await;
    }
    let changes = async |sort| {
        let mut rows = scene.ask(sorted(sort)).await.rows;
        rows.sort_by_key(|row| row.record_id);
        let changes = rows.iter().map(|row| shown(row.period_change));
        changes.collect::<Vec<_>>()
    };
    assert_eq!(
        changes(Order::ascending(OverviewColumn::Change)).await,
        [None, Some("0.00".to_owned())]
    );
    assert_eq!(changes(Sort::default()).await, [None, None]);
}

#[tokio::test]
async fn changes_of_a_week_are_the_same_before_and_after_they_are_renewed() {
    let mut scene = scene().await;
    let requests = [
        sorted(Order::ascending(OverviewColumn::Change)),
        of_kind(Show::Dropped),
        OverviewQuery::default(),
    ];
    let ask = async |scene: &Scene| {
        let mut answers = Vec::new();
        for query in requests.clone() {
            let overview = scene.ask(query).await;
            answers.push((overview.rows, overview.attention));
        }
        answers
    };
    let stored = ask(&scene).await;
    assert_eq!(scene.renew().await, 0, "every row is right");
    scene.expire().await;
    assert_eq!(ask(&scene).await, stored, "read from the history");
    assert_eq!(
        scene.renew().await,
        3,
        "the silent repository has not changed for a week"
    );
    assert_eq!(scene.renew().await, 0, "renewed");
    assert_eq!(ask(&scene).await, stored, "read from the summary");
}
