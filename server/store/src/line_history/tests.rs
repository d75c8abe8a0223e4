//! Histories along a chain of uploads, and what changes them later.

mod of_main;
mod order;

use super::*;
use crate::{
    Deletion, NewChange, NewCode, NewLines, NewRecord,
    actor::Actor,
    testing::{TestStore, is_postgres, new_record},
};
use ::lines::{ChangesParser, FileLines, Line};
use domain::{ChainRecord, DAY, NewSince, NotRunSince, Scope};

/// A record of the file `a.c`, where `x` is a line that ran and `.` a line that did not. `edit` is the hunks since `base`.
fn upload(commit: &str, states: &str, base: Option<(&str, &str)>) -> NewRecord {
    let mut lines = Lines::default();
    let states = (1..).zip(states.chars());
    let file =
        states.map(|(number, state)| (Line::new(number, u64::from(state == 'x'), false), None));
    lines.add("a.c", FileLines::from_iter(file));
    let mut new = new_record("acme/payments", "main", commit);
    if let Some((base, hunks)) = base {
        let mut parser = ChangesParser::default();
        let diff = match hunks {
            "" => String::new(),
            _ => format!("diff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n{hunks}\n"),
        };
        parser.feed(diff.as_bytes()).expect("a diff");
        let changes = parser.finish().expect("a diff");
        new.stated.change = NewChange {
            base_commit: Some(base.parse().expect("a commit")),
            changes: Some(changes.encode().expect("small")),
            ..NewChange::default()
        };
    }
    NewRecord {
        line_states: Some(NewLines {
            covered: lines.counts().covered(),
            coverable: lines.counts().coverable(),
            encoded: lines.encode(&Limits::default()).expect("few lines"),
            branches: None,
            tests: None,
        }),
        ..new
    }
}

async fn publish(store: &Store, new: &NewRecord) -> i64 {
    let published = store.writer().publish(new).await.expect("published");
    let id = published.record.id;
    keep(store, id).await;
    id
}

/// Computes the history of a record and what follows, as after an upload.
async fn keep(store: &Store, id: i64) {
    let mut waiting = WaitingHistories::default();
    waiting.add(store, id).await.expect("records");
    while !waiting.is_empty() {
        waiting.compute_next(store).await.expect("kept");
    }
}

/// Simulates that a record was first uploaded `days` ago.
async fn age(store: &Store, id: i64, days: i64) {
    sqlx::query("update records set created_at = created_at - $1 where id = $2")
        .bind(days * DAY)
        .bind(id)
        .execute(&store.write_pool)
        .await
        .expect("an update");
}

type Ids = (i64, i64, i64);

/// The ranges of `a.c`, each as (after, at, last run), 0 for unknown.
async fn history(store: &Store, id: i64) -> Option<Vec<((u32, u32), Ids)>> {
    let ranges = store.everything().file_history(id, "a.c").await;
    let of = |record: &Option<ChainRecord>| record.as_ref().map_or(0, |record| record.id);
    let ranges = ranges.expect("an answer")?.ranges.into_iter();
    Some(
        ranges
            .map(|of_range| {
                let RangeHistory {
                    lines,
                    after,
                    at,
                    last_run,
                } = of_range;
                (lines, (of(&after), of(&at), of(&last_run)))
            })
            .collect(),
    )
}

/// Covered, coverable and unknown lines; `None` if `since` is unknown.
async fn new(store: &Store, id: i64, since: &str) -> Option<(u64, u64, u64)> {
    let since: NewSince = since.parse().expect("a since");
    let new = store.everything().new_lines(id, Some(&since), None).await;
    match new.expect("an answer").expect("the record") {
        NewCode::Known(_, files) => Some(files.iter().fold((0, 0, 0), |sum, file| {
            (
                sum.0 + file.covered,
                sum.1 + file.coverable,
                sum.2 + file.unknown,
            )
        })),
        NewCode::NoHistory => panic!("no history"),
        NewCode::UnknownSince => None,
    }
}

const ONE: &str = "1111111111111111111111111111111111111111";
const TWO: &str = "2222222222222222222222222222222222222222";
const THREE: &str = "3333333333333333333333333333333333333333";

/// Three records: the second adds two lines that do not run, the third adds one and runs one of these two.
async fn chain(store: &Store) -> [i64; 3] {
    let one = publish(store, &upload(ONE, "xx", None)).await;
    let two = publish(store, &upload(TWO, "xx..", Some((ONE, "@@ -2,0 +3,2 @@")))).await;
    let three = publish(store, &upload(THREE, "xxx.x", Some((TWO, "@@ -4,0 +5 @@")))).await;
    [one, two, three]
}

#[tokio::test]
async fn a_history_is_stored_after_its_chain() {
    let store = TestStore::new().await;
    // A reader who finds a history without its chain would miss when lines came and last ran.
    let refuse = match is_postgres() {
        true => {
            "alter table record_histories add foreign key (record_id) references record_chain (record_id)"
        }
        false => {
            "create trigger without_chain before insert on record_histories
             when not exists (select 1 from record_chain c where c.record_id = new.record_id)
             begin select raise(abort, 'no chain'); end"
        }
    };
    let refuse = sqlx::query(refuse).execute(&store.write_pool).await;
    refuse.expect("a constraint");
    let [one, _, three] = chain(&store).await;
    let first = ((1, 2), (0, one, three));
    assert_eq!(history(&store, three).await.map(|all| all[0]), Some(first));
}

#[tokio::test]
async fn lines_keep_their_history_along_the_chain() {
    let store = TestStore::new().await;
    let [one, two, three] = chain(&store).await;
    let expected = [
        ((1, 2), (0, one, three)),
        ((3, 3), (one, two, three)),
        ((4, 4), (one, two, 0)),
        ((5, 5), (two, three, three)),
    ];
    assert_eq!(history(&store, three).await.expect("a history"), expected);
    let feature = NewRecord {
        ..upload(THREE, "x", Some((TWO, "")))
    };
    let mut feature = feature;
    feature.stated.branch = "feature".parse().expect("a branch");
    let feature = publish(&store, &feature).await;
    assert_eq!(
        history(&store, feature).await,
        None,
        "only the main branch has one"
    );
}

#[tokio::test]
async fn lines_are_new_since_a_record_a_commit_a_tag_a_day_or_an_age() {
    let store = TestStore::new().await;
    let [one, two, three] = chain(&store).await;
    assert_eq!(
        new(&store, three, &format!("record:{one}")).await,
        Some((2, 3, 0))
    );
    assert_eq!(
        new(&store, three, &format!("commit:{}", &TWO[..9])).await,
        Some((1, 1, 0))
    );
    assert_eq!(
        new(&store, three, &format!("record:{three}")).await,
        Some((0, 0, 0))
    );
    let mut tag = upload(TWO, "xx..", None);
    tag.stated.branch = "refs/tags/v2.3".parse().expect("a branch");
    publish(&store, &tag).await;
    assert_eq!(new(&store, three, "tag:v2.3").await, Some((1, 1, 0)));
    for (id, days) in [(one, 30), (two, 10)] {
        age(&store, id, days).await;
    }
    assert_eq!(new(&store, three, "20d").await, Some((2, 3, 0)));
    assert_eq!(new(&store, three, "5d").await, Some((1, 1, 0)));
    let totals = store
        .new_totals(three, &NewSince::default(), crate::time::now(), None)
        .await;
    let totals = totals.expect("an answer").expect("a history");
    assert_eq!(
        (
            totals.new.lines.covered,
            totals.new.lines.total,
            totals.new.unknown
        ),
        (2, 3, 0),
        "since the history begins"
    );
    // The history begins later, so the first lines may be new.
    assert_eq!(new(&store, three, "90d").await, Some((2, 3, 2)));
    assert_eq!(new(&store, three, "1999-01-01").await, Some((2, 3, 2)));
    assert_eq!(new(&store, three, "9999-01-01").await, Some((0, 0, 0)));
    for unknown in ["record:4711", "commit:4444444", "tag:v9"] {
        assert_eq!(new(&store, three, unknown).await, None, "{unknown}");
    }
}

#[tokio::test]
async fn a_record_outside_the_chain_is_between_two_records_of_it() {
    let store = TestStore::new().await;
    let [one, two, three] = chain(&store).await;
    for (id, days) in [(one, 30), (two, 20), (three, 10)] {
        age(&store, id, days).await;
    }
    // Another record with the first one as its base, which arrived between the second and the third one.
    let other = "4444444444444444444444444444444444444444";
    let other = publish(&store, &upload(other, "xx", Some((ONE, "")))).await;
    age(&store, other, 15).await;
    // Lines of the second record came after the first one, so they may be new; lines of the third may be older.
    let since = format!("record:{other}");
    assert_eq!(new(&store, three, &since).await, Some((0, 0, 3)));
    // If it arrived before the second one, the lines of the third are new.
    age(&store, other, 10).await;
    assert_eq!(new(&store, three, &since).await, Some((1, 1, 2)));
}

#[tokio::test]
async fn a_retry_and_a_late_base_change_later_histories() {
    let store = TestStore::new().await;
    // The second commit arrives before its base.
    let two = publish(&store, &upload(TWO, "x..", Some((ONE, "@@ -2,0 +3 @@")))).await;
    let three = publish(&store, &upload(THREE, "x..", Some((TWO, "")))).await;
    let unknown = [((1, 1), (0, two, three)), ((2, 3), (0, two, 0))];
    assert_eq!(history(&store, three).await.expect("a history"), unknown);
    let one = publish(&store, &upload(ONE, "x.", None)).await;
    let known = [
        ((1, 1), (0, one, three)),
        ((2, 2), (0, one, 0)),
        ((3, 3), (one, two, 0)),
    ];
    assert_eq!(history(&store, three).await.expect("a history"), known);
    // The first commit runs again, and now runs its second line.
    publish(&store, &upload(ONE, "xx", None)).await;
    let known = [
        ((1, 1), (0, one, three)),
        ((2, 2), (0, one, one)),
        ((3, 3), (one, two, 0)),
    ];
    assert_eq!(history(&store, three).await.expect("a history"), known);
}

#[tokio::test]
async fn lines_of_a_deleted_record_came_with_the_next_one_at_the_latest() {
    let store = TestStore::new().await;
    let [one, two, three] = chain(&store).await;
    let deletion = Deletion::Record(two);
    let deleted = store
        .operator()
        .delete(&deletion, &[Scope::All], &Actor::service())
        .await;
    deleted.expect("an answer").expect("deleted");
    let expected = [
        ((1, 2), (0, one, three)),
        ((3, 3), (0, three, three)),
        ((4, 4), (0, three, 0)),
        ((5, 5), (0, three, three)),
    ];
    assert_eq!(history(&store, three).await.expect("a history"), expected);
    // The last line came after the deleted record, so it is new.
    assert_eq!(
        new(&store, three, &format!("record:{one}")).await,
        Some((1, 1, 2))
    );
}

#[tokio::test]
async fn two_records_that_name_each_other_are_no_circle() {
    let store = TestStore::new().await;
    let one = publish(&store, &upload(ONE, "xx", None)).await;
    let two = publish(&store, &upload(TWO, "xx", Some((ONE, "")))).await;
    publish(&store, &upload(ONE, "xx", Some((TWO, "")))).await;
    assert_eq!(
        history(&store, one).await,
        Some(vec![((1, 2), (0, one, one))])
    );
    assert_eq!(
        history(&store, two).await,
        Some(vec![((1, 2), (0, one, two))])
    );
}

#[tokio::test]
async fn a_base_whose_history_is_missing_gets_it_first() {
    let store = TestStore::new().await;
    let first = store.writer().publish(&upload(ONE, "xx", None)).await;
    let second = upload(TWO, "xx.", Some((ONE, "@@ -2,0 +3 @@")));
    let second = store.writer().publish(&second).await;
    let (one, two) = (first.expect("published"), second.expect("published"));
    let (one, two) = (one.record.id, two.record.id);
    let three = publish(&store, &upload(THREE, "xx.", Some((TWO, "")))).await;
    let expected = [((1, 2), (0, one, three)), ((3, 3), (one, two, 0))];
    assert_eq!(history(&store, three).await.expect("a history"), expected);
    assert!(history(&store, two).await.is_some());
}

#[tokio::test]
async fn a_retry_whose_base_is_deleted_leaves_later_histories() {
    let store = TestStore::new().await;
    let [one, two, three] = chain(&store).await;
    let four = "4444444444444444444444444444444444444444";
    let four = publish(&store, &upload(four, "xxx.x", Some((THREE, "")))).await;
    let before = history(&store, four).await;
    let deletion = Deletion::Record(two);
    let by = Actor::service();
    let deleted = store.operator().delete(&deletion, &[Scope::All], &by);
    deleted.await.expect("an answer").expect("deleted");
    let without_two = history(&store, four).await.expect("a history");
    assert_ne!(Some(&without_two), before.as_ref());
    publish(&store, &upload(THREE, "xxx.x", Some((TWO, "")))).await;
    assert_eq!(history(&store, four).await, Some(without_two));
    // The retry itself knows only that its lines are there.
    let retried = history(&store, three).await.expect("a history");
    assert!(
        retried
            .iter()
            .all(|(_, (after, at, _))| (*after, *at) == (0, three))
    );
    assert_eq!(
        new(&store, four, &format!("record:{one}")).await,
        Some((1, 1, 2))
    );
}

#[tokio::test]
async fn lines_that_nothing_ran_for_long_are_cold() {
    let store = TestStore::new().await;
    let [one, two, three] = chain(&store).await;
    let cold = async || {
        let (repository, language) = ("acme/payments".parse(), "rust".parse());
        let (repository, language) = (
            repository.expect("a repository"),
            language.expect("a language"),
        );
        let cold = store
            .everything()
            .cold(&repository, &language, 20, None)
            .await;
        cold.expect("an answer").expect("a history")
    };
    assert_eq!(cold().await.files, []);
    for (id, days) in [(one, 40), (two, 30), (three, 1)] {
        age(&store, id, days).await;
    }
    let found = cold().await;
    assert_eq!(found.known_days, 40);
    let [file] = found.files.try_into().expect("one file");
    assert_eq!(
        (file.cold, file.coverable, file.ranges),
        (1, 5, vec![(4, 4)])
    );
    // The line came with the second record, and nothing ran it.
    let came = |since: Option<NotRunSince>| match since {
        Some(NotRunSince::Came(record)) => record.id,
        other => panic!("{other:?}"),
    };
    assert_eq!(came(file.since), two);
}
