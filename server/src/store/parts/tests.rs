use super::{Announced, Closed, Closing};
use crate::store::{
    MainRight, NewRecord, Standing, Store,
    main_records::tests::{Draw, upload},
    testing::TestStore,
};
use domain::RecordQuery;
use std::time::Duration;

fn part(name: &str, expected: &str, main_right: MainRight) -> NewRecord {
    let mut new = NewRecord {
        repository: "acme/one".parse().expect("a repository"),
        branch: "main".parse().expect("a branch"),
        commit: "c1".parse().expect("a commit"),
        language: "rust".parse().expect("a language"),
        main_right,
        ..upload(&mut Draw(1))
    };
    new.part.name = name.parse().expect("a part");
    new.part.announced = Announced {
        expected: expected.parse().expect("parts"),
        timeout: Duration::ZERO,
        ..Announced::default()
    };
    new
}

fn withheld() -> MainRight {
    MainRight::Withheld("not today".to_owned())
}

async fn standing_of(store: &Store, id: i64) -> domain::Standing {
    let query = RecordQuery {
        id,
        ..RecordQuery::default()
    };
    let page = store.record_page(&query).await.expect("a page");
    page.expect("a record").standing
}

#[tokio::test]
async fn the_timeout_does_not_confirm_a_record_of_an_upload_without_the_right() {
    let store = TestStore::new().await;
    let new = part("unit", "unit,web", withheld());
    let published = store.publish(&new).await.expect("published");
    assert_eq!(
        published.standing,
        Standing::Unconfirmed("not today".to_owned())
    );
    let id = published.record.id;
    assert_eq!(
        standing_of(&store, id).await,
        domain::Standing::Incomplete(None)
    );
    let timed_out = store.time_out_parts().await.expect("timed out");
    assert_eq!(timed_out.len(), 1);
    assert_eq!(timed_out[0].missing, "web".parse().expect("parts"));
    assert_eq!(
        standing_of(&store, id).await,
        domain::Standing::Unconfirmed(None)
    );
    assert_eq!(store.time_out_parts().await.expect("nothing"), []);
}

#[tokio::test]
async fn a_request_without_the_right_does_not_change_a_confirmed_record() {
    let store = TestStore::new().await;
    let new = part("unit", "unit,web", MainRight::Granted);
    let published = store.publish(&new).await.expect("published");
    assert!(matches!(published.standing, Standing::Incomplete(_)));
    let closing = |main_right| Closing {
        repository: new.repository.clone(),
        branch: new.branch.clone(),
        commit: new.commit.clone(),
        language: new.language.clone(),
        announced: Announced {
            is_finished: true,
            ..Announced::default()
        },
        forge_claim: None,
        main_right,
    };
    let closed = store.close_record(&closing(MainRight::Granted)).await;
    let Closed::Record(closed) = closed.expect("closed") else {
        panic!("no record");
    };
    assert_eq!(closed.standing, Standing::Current);
    let closed = store.close_record(&closing(withheld())).await;
    let Closed::Record(closed) = closed.expect("unchanged") else {
        panic!("no record");
    };
    assert!(matches!(closed.standing, Standing::Kept(_)));
    let id = published.record.id;
    assert_eq!(standing_of(&store, id).await, domain::Standing::Current);
}
