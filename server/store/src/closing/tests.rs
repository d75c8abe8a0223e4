//! Which uploads may change which records, and the effects of timeouts.

use super::{Announced, Closed, Remaining, Stated};
use crate::{
    BranchList, MainRight, NewRecord, Scope, Standing, Store,
    actor::Actor,
    main_records::tests::united,
    run::Run,
    testing::{TestStore, new_record},
};
use domain::RecordQuery;
use std::{collections::HashSet, time::Duration};

fn part(name: &str, expected: &str, main_right: MainRight) -> NewRecord {
    let mut new = new_record("acme/one", "main", "c1");
    new.stated.main_right = main_right;
    new.part.name = name.parse().expect("a part");
    new.stated.announced = Announced {
        expected: expected.parse().expect("parts"),
        timeout: Duration::ZERO,
        ..Announced::default()
    };
    new
}

fn denied() -> MainRight {
    MainRight::Denied("not today".to_owned())
}

fn finish(main_right: MainRight) -> Stated {
    let new = part("unit", "", MainRight::Granted);
    Stated {
        announced: Announced {
            is_finished: true,
            ..Announced::default()
        },
        main_right,
        ..new.stated
    }
}

async fn standing_of(store: &Store, id: i64) -> domain::Standing {
    let query = RecordQuery {
        id,
        ..RecordQuery::default()
    };
    let page = store
        .everything()
        .record_page(&query)
        .await
        .expect("a page");
    page.expect("a record").standing
}

#[tokio::test]
async fn the_timeout_does_not_confirm_a_record_of_an_upload_without_the_right() {
    let store = TestStore::new().await;
    let new = part("unit", "unit,web", denied());
    let published = store.writer().publish(&new).await.expect("published");
    assert_eq!(
        published.standing,
        Standing::Unconfirmed("not today".to_owned())
    );
    let id = published.record.id;
    assert_eq!(
        standing_of(&store, id).await,
        domain::Standing::Unconfirmed(None)
    );
    let timed_out = store.writer().time_out_parts().await.expect("timed out");
    assert_eq!(timed_out.len(), 1);
    assert_eq!(timed_out[0].missing, "web".parse().expect("parts"));
    assert_eq!(
        standing_of(&store, id).await,
        domain::Standing::Unconfirmed(None)
    );
    assert_eq!(store.writer().time_out_parts().await.expect("nothing"), []);
}

#[tokio::test]
async fn a_request_without_the_right_does_not_change_a_confirmed_record() {
    let store = TestStore::new().await;
    let new = part("unit", "unit,web", MainRight::Granted);
    let published = store.writer().publish(&new).await.expect("published");
    assert!(matches!(published.standing, Standing::Incomplete(_)));
    let closed = store
        .writer()
        .close_record(&finish(MainRight::Granted))
        .await;
    let Closed::Record(closed) = closed.expect("closed") else {
        panic!("no record");
    };
    assert_eq!(closed.standing, Standing::Current);
    let closed = store.writer().close_record(&finish(denied())).await;
    let Closed::Record(closed) = closed.expect("unchanged") else {
        panic!("no record");
    };
    assert!(matches!(closed.standing, Standing::Kept(_)));
    let id = published.record.id;
    assert_eq!(standing_of(&store, id).await, domain::Standing::Current);
}

#[tokio::test]
async fn finish_without_the_right_completes_no_record_with_it_in_another_language() {
    let store = TestStore::new().await;
    let language = "go".parse().expect("a language");
    let rust = part("unit", "unit,web", MainRight::Granted);
    let rust = store
        .writer()
        .publish(&rust)
        .await
        .expect("published")
        .record
        .id;
    let mut go = part("lint", "", denied());
    go.stated.language = language;
    store.writer().publish(&go).await.expect("published");
    let closing = |main_right| Stated {
        language: go.stated.language.clone(),
        ..finish(main_right)
    };
    let waits = async || {
        matches!(
            standing_of(&store, rust).await,
            domain::Standing::Incomplete(_)
        )
    };
    store
        .writer()
        .close_record(&closing(denied()))
        .await
        .expect("closed");
    go.stated.announced.is_finished = true;
    store.writer().publish(&go).await.expect("published");
    assert!(waits().await);
    go.stated.main_right = MainRight::Granted;
    store.writer().publish(&go).await.expect("published");
    assert!(!waits().await);
}

async fn parts_of(store: &Store, id: i64) -> Vec<String> {
    let summary = store
        .everything()
        .record_summary(id)
        .await
        .expect("a summary");
    let parts = summary.expect("a record").parts.arrived;
    parts
        .into_iter()
        .map(|part| part.name.to_string())
        .collect()
}

#[tokio::test]
async fn an_upload_with_the_right_replaces_all_parts_of_uploads_without_it() {
    let store = TestStore::new().await;
    for name in ["evil", "worse"] {
        let mut new = part(name, "unit,never", denied());
        new.part.united = united(&store, &new).await;
        store.writer().publish(&new).await.expect("published");
    }
    let id = 1;
    assert_eq!(parts_of(&store, id).await, ["evil", "worse"]);
    let closed = store
        .writer()
        .close_record(&finish(MainRight::Granted))
        .await;
    assert!(
        matches!(closed.expect("nothing"), Closed::NoRecord),
        "not confirmed by finish"
    );
    let new = part("unit", "", MainRight::Granted);
    let published = store.writer().publish(&new).await.expect("published");
    assert_eq!(published.record.id, id);
    assert_eq!(published.standing, Standing::Current);
    assert_eq!(parts_of(&store, id).await, ["unit"]);
}

#[tokio::test]
async fn an_upload_without_the_right_changes_no_record_that_waits() {
    let store = TestStore::new().await;
    let new = part("unit", "unit,web", MainRight::Granted);
    let id = store
        .writer()
        .publish(&new)
        .await
        .expect("published")
        .record
        .id;
    for name in ["unit", "web"] {
        let mut new = part(name, "", denied());
        new.part.united = united(&store, &new).await;
        let published = store.writer().publish(&new).await.expect("unchanged");
        assert!(matches!(published.standing, Standing::Kept(_)), "{name}");
    }
    let closed = store.writer().close_record(&finish(denied())).await;
    let Closed::Record(closed) = closed.expect("unchanged") else {
        panic!("no record");
    };
    assert!(matches!(closed.standing, Standing::Kept(_)));
    assert_eq!(parts_of(&store, id).await, ["unit"]);
    assert_eq!(
        standing_of(&store, id).await,
        domain::Standing::Incomplete(None)
    );
    assert_eq!(
        store
            .writer()
            .time_out_parts()
            .await
            .expect("timed out")
            .len(),
        1
    );
    assert_eq!(standing_of(&store, id).await, domain::Standing::Current);
}

#[tokio::test]
async fn deleting_a_part_confirms_no_unconfirmed_record() {
    let store = TestStore::new().await;
    for name in ["evil", "worse"] {
        let mut new = part(name, "", denied());
        new.part.united = united(&store, &new).await;
        store.writer().publish(&new).await.expect("published");
    }
    let name = "worse".parse().expect("a part");
    let others = store
        .writer()
        .other_parts_of(1, Some(&name))
        .await
        .expect("parts")
        .parts;
    let remaining = Remaining {
        parts: vec![(others[0].details.name.clone(), others[0].arrived_at)],
        union: united(&store, &part("x", "", denied()))
            .await
            .and_then(|united| united.union)
            .expect("a union"),
    };
    let by = Actor::service();
    let deleted = store
        .writer()
        .delete_part(1, &name, Some(&remaining), &[Scope::All], &by);
    assert!(deleted.await.expect("deleted").is_some());
    assert_eq!(
        standing_of(&store, 1).await,
        domain::Standing::Unconfirmed(None)
    );
}

#[tokio::test]
async fn a_timeout_does_not_revive_a_retired_branch() {
    let store = TestStore::new().await;
    let on_next = |commit: &str, expected: &str| {
        let base = part("unit", expected, MainRight::Granted);
        NewRecord {
            stated: Stated {
                branch: "next".parse().expect("a branch"),
                commit: commit.parse().expect("a commit"),
                ..base.stated
            },
            ..base
        }
    };
    store
        .writer()
        .publish(&part("unit", "", MainRight::Granted))
        .await
        .expect("published");
    store
        .writer()
        .publish(&on_next("c1", ""))
        .await
        .expect("published");
    store
        .writer()
        .publish(&on_next("c2", "unit,web"))
        .await
        .expect("published");
    let list = BranchList {
        active: &HashSet::from(["main".to_owned()]),
        forge_claim: None,
        from_branch: None,
        by: &Actor::service(),
    };
    let repository = "acme/one".parse().expect("a repository");
    let retired = store.writer().retire_branches(&repository, list).await;
    assert_eq!(retired.expect("retired"), 1);
    assert_eq!(
        store
            .writer()
            .time_out_parts()
            .await
            .expect("timed out")
            .len(),
        1
    );
    let current = store
        .writer()
        .current_records(&repository)
        .await
        .expect("records");
    assert_eq!(current.len(), 1, "{current:?}");
}

#[tokio::test]
async fn a_damaged_record_does_not_delay_the_timeout_of_others() {
    let store = TestStore::new().await;
    let damaged = part("unit", "unit,web", MainRight::Granted);
    let mut other = damaged.clone();
    other.stated.branch = "next".parse().expect("a branch");
    let publish = async |new: NewRecord| {
        let published = store.writer().publish(&new).await;
        published.expect("published").record.id
    };
    let (damaged, other) = (publish(damaged).await, publish(other).await);
    store
        .write_pool
        .run(
            "update records set commit_hash = 'a b' where id = $1",
            [damaged],
        )
        .await
        .expect("damaged");
    let timed_out = store.writer().time_out_parts().await.expect("timed out");
    let timed_out: Vec<_> = timed_out.iter().map(|record| record.record_id).collect();
    assert_eq!(timed_out, [other]);
}
