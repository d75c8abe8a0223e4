//! Concurrent commands and uploads: none fails while waiting for another, and all derived data is correct afterwards.

use super::*;
use crate::StoreError;
use domain::CommitAuthor;

const ROUNDS: usize = 30;

async fn something(store: &Store, worker: usize, round: usize) -> Result<(), StoreError> {
    let by = Actor::service();
    let turn = round % 2;
    match worker {
        0 => {
            let name = ["ACME/one", "acme/one", "zoo/one"][round % 3];
            let what = Deletion::Repository(repository(name));
            store.operator().delete(&what, &[Scope::All], &by).await?;
        }
        1 => {
            let newest = sqlx::query_scalar("select coalesce(max(id), 0) from records")
                .fetch_one(&store.read_pool)
                .await?;
            let what = Deletion::Record(newest);
            store.operator().delete(&what, &[Scope::All], &by).await?;
        }
        2 => {
            let names = ["ACME/one", "acme/one"];
            let (from, to) = (names[turn], names[1 - turn]);
            change_at_once(store, HowNamesChange::Merge, from, to).await?;
        }
        3 => {
            let names = ["zoo", "koo"];
            let how = [HowNamesChange::Rename, HowNamesChange::Merge][round / 2 % 2];
            change_at_once(store, how, names[turn], names[1 - turn]).await?;
        }
        4 => {
            let names = ["Kim", "Lee"].map(|name| name.parse::<CommitAuthor>().expect("an author"));
            store
                .operator()
                .replace_author(&names[turn], &names[1 - turn], &by)
                .await?;
        }
        5 => {
            let ids: Vec<i64> = sqlx::query_scalar("select id from repositories order by id desc")
                .fetch_all(&store.read_pool)
                .await?;
            for id in ids {
                // The repository may already be deleted.
                match store.operator().recompute_summaries(id).await {
                    Err(StoreError::Database(sqlx::Error::RowNotFound)) => {}
                    done => done?,
                }
            }
            store.operator().recompute_org("acme").await?;
        }
        _ => {
            let names = ["acme/one", "ACME/one", "zoo/one", "zoo/two", "Acme/One"];
            let commit = format!("c{}", (round * 7 + worker) % 12);
            let new = record(
                names[(round + worker) % 5],
                ["main", "next"][turn],
                &commit,
                5_000,
            );
            store.writer().publish(&new).await?;
        }
    }
    Ok(())
}

/// A change that is refused because the names have changed meanwhile is not a failure.
async fn change_at_once(
    store: &Store,
    how: HowNamesChange,
    from: &str,
    to: &str,
) -> Result<(), StoreError> {
    let requested = NameChange {
        from: Named::read(from, false).expect("a name"),
        to: Named::read(to, false).expect("a name"),
        how,
    };
    match store
        .operator()
        .change_names(&requested, false, &Actor::service())
        .await
    {
        Err(NameChangeError::Store(error)) => Err(error),
        _ => Ok(()),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_commands_and_uploads_never_deadlock() {
    let store = Arc::new(TestStore::new().await);
    for name in ["acme/one", "zoo/one", "zoo/two"] {
        upload(&store, name, "main", "first").await;
    }
    let workers = (0..10).map(|worker| {
        let store = store.clone();
        tokio::spawn(async move {
            for round in 0..ROUNDS {
                let done = something(&store, worker, round).await;
                assert!(done.is_ok(), "worker {worker}, round {round}: {done:?}");
            }
        })
    });
    for worker in workers.collect::<Vec<_>>() {
        worker.await.expect("the worker finishes");
    }
    assert_kept(&store.read_pool, "a race").await;
    assert_counted(&store.read_pool, "a race").await;
    let (wrong, _) = store.operator().wrong_orgs("").await.expect("an answer");
    assert_eq!(wrong, []);
    let wrong = store.operator().wrong_summaries(0, i64::MAX).await;
    assert_eq!(wrong.expect("an answer"), []);
}
