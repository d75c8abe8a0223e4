//! Tests of the history of a branch, page by page.

use super::{DAY, Seeded, of_all_time};
use domain::{Day, HistoryPosition, RepositoryTab};

#[tokio::test]
async fn a_history_has_every_record_once_in_either_paging_direction() {
    let seeded = Seeded::new().await;
    seeded.branch(1, "main", "rust", 90, DAY, "n").await;
    seeded.branch(1, "main", "python", 40, DAY, "n").await;
    let (mut query, mut forth) = (of_all_time(RepositoryTab::History), Vec::new());
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
    assert!(all.is_sorted_by(|a, b| a.record.position() > b.record.position()));
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
    let mut query = of_all_time(RepositoryTab::History);
    query.language = Some("rust".parse().expect("a language"));
    let first = seeded.page(&query).await.history;
    let changes = first.rows.iter().map(|row| row.record.change);
    assert!(
        changes
            .into_iter()
            .all(|change| change.is_some_and(|change| change.to_string() == "+1.00"))
    );
    query.place = first.older.expect("a second page");
    let second = seeded.page(&query).await.history;
    assert_eq!(second.rows.len(), 10);
    assert_eq!(
        second.rows.last().and_then(|row| row.record.change),
        None,
        "nothing was before the first"
    );
    assert!(
        second
            .rows
            .iter()
            .all(|row| row.record.language.as_str() == "rust")
    );
}

#[tokio::test]
async fn an_unknown_position_is_the_first_page_or_an_empty_one() {
    let seeded = Seeded::new().await;
    seeded.branch(1, "main", "rust", 3, DAY, "n").await;
    let mut query = of_all_time(RepositoryTab::History);
    let key = |text: &str| text.parse().expect("a key");
    query.place = HistoryPosition::NewerThan(key("9223372036854775807-1"));
    assert_eq!(seeded.page(&query).await.history.rows.len(), 3);
    query.place = HistoryPosition::OlderThan(key("0-0"));
    let beyond = seeded.page(&query).await.history;
    assert_eq!(
        (beyond.rows.len(), beyond.newer, beyond.older),
        (0, Some(HistoryPosition::Newest), None)
    );
}

#[tokio::test]
async fn the_first_records_in_another_order_are_found_in_the_whole_history() {
    let seeded = Seeded::new().await;
    // 90 records, of which the 40th is the highest and the 70th the lowest.
    let percentage = "case n when 40 then 9900 when 70 then 100 else 5000 + n end";
    seeded.branch(1, "main", "rust", 90, DAY, percentage).await;
    seeded.branch(1, "main", "go", 1, DAY, "9999").await;
    let first = async |order: &str, language: Option<&str>| {
        let mut query = of_all_time(RepositoryTab::History);
        query.language = language.map(|language| language.parse().expect("a language"));
        query.place = HistoryPosition::Sorted(order.parse().expect("an order"));
        let history = seeded.page(&query).await.history;
        assert!(history.newer.is_none() && history.older.is_none());
        let first = history.rows.first().expect("a record").record.clone();
        (
            history.rows.len(),
            first.commit.to_string(),
            first.change.map(|change| change.to_string()),
        )
    };
    let rust = Some("rust");
    for (order, language, expected) in [
        ("uploaded", None, (50, "c1", None)),
        ("coverage", None, (50, "c70", Some("−49.69"))),
        ("-coverage", None, (50, "c1", None)),
        ("-coverage", rust, (50, "c40", Some("+48.61"))),
        ("change", None, (50, "c70", Some("−49.69"))),
        ("-change", rust, (50, "c71", Some("+49.71"))),
        ("-coverage", Some("go"), (1, "c1", None)),
    ] {
        let (count, commit, change) = expected;
        let expected = (count, commit.to_owned(), change.map(str::to_owned));
        assert_eq!(first(order, language).await, expected, "{order}");
    }
}

#[tokio::test]
async fn a_history_of_some_days_has_only_their_records_in_every_order() {
    let seeded = Seeded::new().await;
    seeded.branch(1, "main", "rust", 200, DAY, "n").await;
    let today = Day::of(crate::time::now());
    let (from, to) = (today.days_before(119), today.days_before(30));
    let mut query = of_all_time(RepositoryTab::History).between(Some(from), Some(to));
    let first = seeded.page(&query).await.history;
    let days = first.rows.iter().map(|row| Day::of(row.record.updated_at));
    assert_eq!((first.records, days.max()), (90, Some(to)));
    query.place = first.older.expect("a second page");
    let second = seeded.page(&query).await.history;
    let days = second.rows.iter().map(|row| Day::of(row.record.updated_at));
    assert_eq!(
        (second.rows.len(), days.min(), second.older),
        (40, Some(from), None)
    );
    query.place = second.newer.expect("the first page");
    assert_eq!(seeded.page(&query).await.history.rows, first.rows);
    query.place = HistoryPosition::Sorted("change".parse().expect("an order"));
    let sorted = seeded.page(&query).await.history.rows;
    assert_eq!(sorted.len(), 50);
    assert!(sorted.iter().all(|row| {
        let day = Day::of(row.record.updated_at);
        from <= day && day <= to && row.record.change.is_some()
    }));
}
