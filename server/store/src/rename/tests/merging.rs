//! Merging: the data of two repositories equals the data of uploads to one repository.

use super::*;

#[tokio::test]
async fn merged_branches_have_all_records_and_one_current_record() {
    let store = TestStore::new().await;
    let name = ("ACME2/Payments", "acme/payments");
    for (name, branch, commit) in [
        (name.0, "main", "a"),
        (name.1, "main", "b"),
        (name.0, "main", "c"),
        (name.1, "Main", "x"),
        (name.0, "only", "y"),
    ] {
        upload(&store, name, branch, commit).await;
    }
    let changed = merge(&store, name.0, name.1).await.expect("merged");
    let merged = changed.repositories[0].merged.expect("merged");
    assert_eq!((merged.records, merged.replaced), (3, 0));
    assert_eq!(names(&store).await, ["acme/payments"]);
    let main = history(&store, name.1, "main").await;
    let expected = [("a", false), ("b", false), ("c", true)];
    assert_eq!(main, expected.map(|(commit, is)| (commit.to_owned(), is)));
    assert_eq!(history(&store, name.1, "Main").await.len(), 1);
    assert_eq!(
        history(&store, name.1, "only").await,
        [("y".to_owned(), true)]
    );
}

#[tokio::test]
async fn a_branch_retired_after_its_last_upload_stays_retired_when_merged() {
    let store = TestStore::new().await;
    upload(&store, "acme/old", "fix", "a").await;
    upload(&store, "acme/new", "fix", "b").await;
    upload(&store, "acme/new", "main", "b").await;
    let list = BranchList {
        active: &HashSet::from(["main".to_owned()]),
        forge_claim: None,
        from_branch: None,
        by: &Actor::service(),
    };
    store
        .writer()
        .retire_branches(&repository("acme/new"), list)
        .await
        .expect("retired");
    merge(&store, "acme/old", "acme/new").await.expect("merged");
    let fix = history(&store, "acme/new", "fix").await;
    assert_eq!(fix, [("a".to_owned(), false), ("b".to_owned(), false)]);
}

#[tokio::test]
async fn a_merge_keeps_the_last_upload_and_orphans_the_other_report() {
    let store = TestStore::new().await;
    let older = upload_with_report(&store, "acme/one", "c1", "key-1").await;
    let newer = upload_with_report(&store, "acme/two", "c1", "key-2").await;
    let newest = upload_with_report(&store, "acme/one", "c2", "key-3").await;
    let kept = upload_with_report(&store, "acme/two", "c2", "key-4").await;
    store
        .operator()
        .pin_record(newest, true)
        .await
        .expect("pinned");
    let changed = merge(&store, "acme/two", "acme/one").await.expect("merged");
    let merged = Merged {
        records: 2,
        replaced: 2,
        reports: 2,
    };
    assert_eq!(changed.repositories[0].merged, Some(merged));
    let due = store
        .writer()
        .due_reports(std::time::Duration::ZERO, "", 10)
        .await;
    let mut marked: Vec<_> = due
        .expect("marked")
        .into_iter()
        .map(|report| report.key)
        .collect();
    marked.sort();
    assert_eq!(marked, ["key-1", "key-3"]);
    for (id, is_there) in [(older, false), (newest, false), (newer, true), (kept, true)] {
        let names = store.everything().names_of_record(id).await.expect("read");
        assert_eq!(names.is_some(), is_there, "{id}");
    }
    let pinned: Option<i64> = sqlx::query_scalar("select pinned_at from records where id = $1")
        .bind(kept)
        .fetch_one(&store.read_pool)
        .await
        .expect("a record");
    assert!(pinned.is_some(), "its commit was pinned");
}

#[tokio::test]
async fn records_of_the_same_time_keep_their_order_when_merged() {
    let store = TestStore::new().await;
    for (name, commits) in [("acme/one", ["a", "b", "c"]), ("acme/two", ["x", "y", "z"])] {
        for commit in commits {
            upload(&store, name, "main", commit).await;
        }
        // Imported records may have times in whole days.
        sqlx::query(
            "update records set updated_at = 1000 + (select count(*) from records o
                 where o.branch_id = records.branch_id and o.id < records.id)
             where repository_id = (select p.id from repositories p where p.repo_name = $1)",
        )
        .bind(name.trim_start_matches("acme/"))
        .execute(&store.write_pool)
        .await
        .expect("moments");
    }
    merge(&store, "acme/one", "acme/two").await.expect("merged");
    let main = history(&store, "acme/two", "main").await;
    let commits: Vec<_> = main.iter().map(|(commit, _)| commit.as_str()).collect();
    assert_eq!(commits.last(), Some(&"z"), "{commits:?}");
    for in_order in [["a", "b", "c"], ["x", "y", "z"]] {
        let found: Vec<_> = commits
            .iter()
            .filter(|one| in_order.contains(one))
            .collect();
        assert_eq!(found, in_order.iter().collect::<Vec<_>>());
    }
    assert_eq!(main.iter().filter(|(_, is_current)| *is_current).count(), 1);
    let moments: i64 = sqlx::query_scalar("select count(distinct updated_at) from records")
        .fetch_one(&store.read_pool)
        .await
        .expect("moments");
    assert_eq!(moments, 6);
}

#[tokio::test]
async fn a_merge_keeps_the_settings_of_both() {
    let store = TestStore::new().await;
    upload(&store, "acme/one", "main", "a").await;
    upload(&store, "acme/two", "main", "b").await;
    let next = "next".parse().expect("a branch");
    let one = repository("ACME/One");
    let configured = store
        .operator()
        .configure_main_branch(&one, Some(&next), &Actor::service())
        .await;
    assert!(configured.expect("configured"));
    sqlx::query("update repositories set forge = 'github.com' where repo_name = 'one'")
        .execute(&store.write_pool)
        .await
        .expect("a forge");
    merge(&store, "acme/one", "acme/two").await.expect("merged");
    let main = store
        .everything()
        .main_branch(&repository("acme/two"))
        .await
        .expect("read");
    assert_eq!(main.expect("one").configured, Some(next));
    let ownership = store
        .writer()
        .ownership(&repository("acme/two"))
        .await
        .expect("read");
    assert_eq!(ownership.forge.as_deref(), Some("github.com"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn uploads_racing_with_renames_and_merges_are_stored_once() {
    const UPLOADS: usize = 60;
    let store = Arc::new(TestStore::new().await);
    upload(&store, "acme/two", "main", "first").await;
    let uploads = (0..UPLOADS).map(|n| {
        let store = store.clone();
        tokio::spawn(async move {
            let name = ["acme/one", "ACME/Two", "Acme/three"][n % 3];
            upload(&store, name, ["main", "fix"][n % 2], &format!("c{n}")).await;
        })
    });
    let uploads: Vec<_> = uploads.collect();
    for n in 0..30 {
        let (how, from, to) = match n % 3 {
            0 => (HowNamesChange::Rename, "acme/one", "acme/three"),
            1 => (HowNamesChange::Merge, "acme/three", "acme/two"),
            _ => (HowNamesChange::Merge, "acme/one", "acme/three"),
        };
        let named = |name: &str| Named::read(name, false).expect("a name");
        let requested = NameChange {
            from: named(from),
            to: named(to),
            how,
        };
        // Changes of missing or existing names are refused; nothing else may fail.
        if let Err(NameChangeError::Store(error)) = store
            .operator()
            .change_names(&requested, false, &Actor::service())
            .await
        {
            panic!("{requested:?}: {error:?}");
        }
        tokio::task::yield_now().await;
    }
    for upload in uploads {
        upload.await.expect("uploaded");
    }
    let records: i64 = sqlx::query_scalar("select count(distinct commit_hash) from records")
        .fetch_one(&store.read_pool)
        .await
        .expect("records");
    assert_eq!(records, 1 + UPLOADS as i64);
    assert_kept(&store.read_pool, "a race").await;
    assert_counted(&store.read_pool, "a race").await;
    assert_no_collisions(&store).await;
}
