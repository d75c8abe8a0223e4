//! Names in any case lead to one repository, and renaming and merging leave what uploads under the new name would have left.

use super::{HowNamesChange, Merged, NameChange, NameChangeError, Named, NamesChanged};
use crate::store::{
    NewRecord, NewToken, Purpose, Scope, Store, StoredReport,
    engine::Engine,
    listing::tests::assert_counted,
    main_records::tests::assert_kept,
    testing::{Place, TestStore, is_postgres},
};
use app::domain::{Percentage, Repository};
use sqlx::{any::AnyPoolOptions, migrate::Migrator};
use std::{collections::HashSet, sync::Arc};

fn repository(name: &str) -> Repository {
    name.parse().expect("a repository")
}

fn record(name: &str, branch: &str, commit: &str, basis_points: u16) -> NewRecord {
    NewRecord {
        repository: repository(name),
        branch: branch.parse().expect("a branch"),
        commit: commit.parse().expect("a commit"),
        author: "Kim".parse().expect("an author"),
        language: "rust".parse().expect("a language"),
        percentage: Percentage::from_basis_points(basis_points),
        lines: None,
        branches: None,
        functions: None,
        report_format: "cobertura",
        details: Default::default(),
        report: None,
        vouching: None,
    }
}

/// The id of the record, and what its repository is called.
async fn upload(store: &Store, name: &str, branch: &str, commit: &str) -> (i64, String) {
    let published = store.publish(&record(name, branch, commit, 5_000)).await;
    let record = published.expect("published").record;
    (record.id, record.repository.to_string())
}

async fn upload_with_report(store: &Store, name: &str, commit: &str, key: &str) -> i64 {
    store.announce_report(key).await.expect("announced");
    let report = StoredReport {
        key: key.to_owned(),
        start_page: None,
    };
    let new = NewRecord {
        report: Some(report),
        ..record(name, "main", commit, 5_000)
    };
    store.publish(&new).await.expect("published").record.id
}

async fn change(
    store: &Store,
    how: HowNamesChange,
    from: &str,
    to: &str,
) -> Result<NamesChanged, NameChangeError> {
    let named = |text: &str| Named::read(text.trim_end_matches("/…"), text.ends_with("/…"));
    let asked = NameChange {
        from: named(from).expect("a name"),
        to: named(to).expect("a name"),
        how,
    };
    let counted = async || names(store).await.len();
    let before = counted().await;
    let dry = store.change_names(&asked, true).await;
    assert_eq!(counted().await, before, "a dry run changes nothing");
    let changed = store.change_names(&asked, false).await;
    assert_eq!(
        dry.as_ref().map_err(ToString::to_string),
        changed.as_ref().map_err(ToString::to_string),
        "a dry run tells what would happen"
    );
    let happened = format!("{asked:?}");
    assert_kept(&store.readers, &happened).await;
    assert_counted(&store.readers, &happened).await;
    changed
}

async fn rename(store: &Store, from: &str, to: &str) -> Result<NamesChanged, NameChangeError> {
    change(store, HowNamesChange::Rename, from, to).await
}

async fn merge(store: &Store, from: &str, to: &str) -> Result<NamesChanged, NameChangeError> {
    change(store, HowNamesChange::Merge, from, to).await
}

async fn names(store: &Store) -> Vec<String> {
    sqlx::query_scalar("select org_name || '/' || repo_name from repositories order by id")
        .fetch_all(&store.readers)
        .await
        .expect("names")
}

/// The commits of a branch, the oldest first, each with whether it is current.
async fn history(store: &Store, name: &str, branch: &str) -> Vec<(String, bool)> {
    let rows: Vec<(String, i64)> = sqlx::query_as(
        "select r.commit_hash, case when r.superseded_at is null then 1 else 0 end from records r
         join branches b on b.id = r.branch_id
         join repositories p on p.id = r.repository_id and p.id = b.repository_id
         where p.org_name || '/' || p.repo_name = $1 and b.name = $2
         order by r.updated_at",
    )
    .bind(name)
    .bind(branch)
    .fetch_all(&store.readers)
    .await
    .expect("records");
    rows.into_iter()
        .map(|(commit, is_current)| (commit, is_current == 1))
        .collect()
}

/// Repositories as a service before the rule would have stored them.
async fn with_collisions(repositories: &[&str]) -> TestStore {
    let place = Place::new();
    sqlx::any::install_default_drivers();
    let (engine, url) = match is_postgres() {
        true => (Engine::Postgres, place.url()),
        false => (Engine::Sqlite, format!("{}?mode=rwc", place.url())),
    };
    let pool = AnyPoolOptions::new()
        .connect(&url)
        .await
        .expect("a database");
    let older = engine
        .migrations()
        .iter()
        .filter(|migration| migration.version < 14);
    Migrator::with_migrations(older.cloned().collect())
        .run(&pool)
        .await
        .expect("older tables");
    for (at, name) in repositories.iter().enumerate() {
        let Repository { org, repo } = repository(name);
        sqlx::query(
            "insert into repositories (org_name, repo_name, created_at) values ($1, $2, $3)",
        )
        .bind(org.as_str())
        .bind(repo.as_str())
        .bind(at as i64)
        .execute(&pool)
        .await
        .expect("a repository");
    }
    pool.close().await;
    place.open().await
}

#[tokio::test]
async fn uploads_in_another_case_go_to_the_repository_that_is_there() {
    let store = TestStore::new().await;
    let (first, name) = upload(&store, "acme/Payments", "main", "c1").await;
    assert_eq!(name, "acme/Payments");
    let again = upload(&store, "ACME/PAYMENTS", "main", "c1").await;
    assert_eq!(again, (first, "acme/Payments".to_owned()));
    upload(&store, "Acme/payments", "main", "c2").await;
    assert_eq!(names(&store).await, ["acme/Payments"]);
    let history = history(&store, "acme/Payments", "main").await;
    assert_eq!(history, [("c1".to_owned(), false), ("c2".to_owned(), true)]);
}

#[tokio::test]
async fn an_organisation_is_written_as_it_was_first_also_in_its_groups() {
    let store = TestStore::new().await;
    for (name, stored) in [
        ("acme/platform/one", "acme/platform/one"),
        ("ACME/Two", "acme/Two"),
        ("Acme/PLATFORM/Tools/three", "acme/platform/Tools/three"),
        ("acme/Platform/tools/Four", "acme/platform/Tools/Four"),
        ("acme2/five", "acme2/five"),
    ] {
        assert_eq!(upload(&store, name, "main", "c1").await.1, stored);
    }
    for (asked, stored) in [
        ("ACME", "acme"),
        ("Acme/Platform/TOOLS", "acme/platform/Tools"),
        ("ACME2", "acme2"),
        ("Other", "Other"),
    ] {
        let org = asked.parse().expect("an org");
        assert_eq!(
            store.stored_org(&org).await.expect("an org").as_str(),
            stored
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn spellings_that_are_uploaded_at_once_become_one_repository() {
    let store = Arc::new(TestStore::new().await);
    let spellings = [
        "acme/sub/one",
        "ACME/sub/One",
        "Acme/SUB/oNE",
        "acme/Sub/TWO",
    ];
    let uploads = (0..32).map(|n| {
        let store = store.clone();
        let commit = format!("c{n}");
        tokio::spawn(async move { upload(&store, spellings[n % 4], "main", &commit).await })
    });
    let mut stored = HashSet::new();
    for upload in uploads.collect::<Vec<_>>() {
        stored.insert(upload.await.expect("uploaded").1);
    }
    assert_eq!(stored.len(), 2, "{stored:?}");
    assert_eq!(names(&store).await.len(), 2);
    assert_eq!(
        store.name_collisions().await.expect("none"),
        Default::default()
    );
    assert_counted(&store.readers, "a race").await;
}

#[tokio::test]
async fn where_names_collide_the_exact_one_counts_then_the_oldest() {
    let store = with_collisions(&["ACME/Payments", "acme/payments", "acme/x", "zoo/one"]).await;
    for (asked, stored) in [
        ("ACME/Payments", "ACME/Payments"),
        ("acme/payments", "acme/payments"),
        ("Acme/payments", "ACME/Payments"),
        ("ACME/X", "acme/x"),
    ] {
        let found = store.stored_repository(&repository(asked)).await;
        assert_eq!(found.expect("read").expect("found").to_string(), stored);
    }
    for (asked, stored) in [("acme", "acme"), ("ACME", "ACME"), ("aCME", "ACME")] {
        let org = asked.parse().expect("an org");
        assert_eq!(
            store.stored_org(&org).await.expect("an org").as_str(),
            stored
        );
    }
    assert_eq!(upload(&store, "acme/new", "main", "c1").await.1, "acme/new");
    assert_eq!(
        upload(&store, "acmE/newer", "main", "c1").await.1,
        "ACME/newer"
    );
    let collisions = store.name_collisions().await.expect("collisions");
    assert_eq!(collisions.orgs, [["ACME", "acme"]]);
    assert_eq!(
        collisions.repositories,
        [["ACME/Payments", "acme/payments"]]
    );
}

#[tokio::test]
async fn the_oldest_that_is_left_takes_the_key_of_one_that_is_gone() {
    let store = with_collisions(&["acme/ONE", "acme/one", "acme/One"]).await;
    rename(&store, "acme/ONE", "acme/two")
        .await
        .expect("renamed");
    let found = store.stored_repository(&repository("ACME/ONE")).await;
    assert_eq!(found.expect("read"), Some(repository("acme/one")));
    // As by a statement that knows nothing of keys.
    sqlx::query("delete from repositories where repo_name = 'one'")
        .execute(&store.writer)
        .await
        .expect("deleted");
    assert_eq!(upload(&store, "ACME/ONE", "main", "c1").await.1, "acme/One");
}

#[tokio::test]
async fn a_renamed_repository_keeps_its_records_and_its_old_name_is_free() {
    let store = TestStore::new().await;
    let (id, _) = upload(&store, "acme/old", "main", "c1").await;
    upload(&store, "acme/other", "main", "c1").await;
    rename(&store, "ACME/Old", "Acme/New")
        .await
        .expect("renamed");
    assert_eq!(names(&store).await, ["acme/New", "acme/other"]);
    assert_eq!(upload(&store, "acme/new", "main", "c1").await.0, id);
    let (again, _) = upload(&store, "acme/old", "main", "c1").await;
    assert_ne!(again, id);
    for (from, to, message) in [
        (
            "acme/nothing",
            "acme/x",
            "nothing was ever uploaded to acme/nothing",
        ),
        ("acme/New", "ACME/OTHER", "there is acme/other already"),
        ("acme/New", "acme/New", "is already called so"),
        ("acme/New", "ACME/New", "the name of its organisation"),
        ("acme", "acme/New", "two repositories, or two organisations"),
    ] {
        let refused = rename(&store, from, to).await.expect_err("refused");
        assert!(
            refused.to_string().contains(message),
            "{from} {to}: {refused}"
        );
    }
    assert_eq!(names(&store).await, ["acme/New", "acme/other", "acme/old"]);
}

#[tokio::test]
async fn a_name_may_change_by_case_only() {
    let store = TestStore::new().await;
    upload(&store, "acme/one", "main", "c1").await;
    upload(&store, "acme/sub/two", "main", "c1").await;
    rename(&store, "acme/one", "acme/ONE")
        .await
        .expect("renamed");
    rename(&store, "acme", "Acme").await.expect("renamed");
    assert_eq!(names(&store).await, ["Acme/ONE", "Acme/sub/two"]);
    rename(&store, "acme/sub/…", "acme/Sub/…")
        .await
        .expect("renamed");
    assert_eq!(names(&store).await, ["Acme/ONE", "Acme/Sub/two"]);
    let refused = merge(&store, "acme/one", "acme/One")
        .await
        .expect_err("refused");
    assert!(matches!(refused, NameChangeError::Same(_)), "{refused}");
}

#[tokio::test]
async fn a_renamed_organisation_takes_its_groups_along() {
    let store = TestStore::new().await;
    for name in ["acme/one", "acme/sub/two", "acme2/one", "labs/SUB/three"] {
        upload(&store, name, "main", "c1").await;
    }
    rename(&store, "ACME", "Labs").await.expect("renamed");
    let expected = ["labs/one", "labs/SUB/two", "acme2/one", "labs/SUB/three"];
    assert_eq!(names(&store).await, expected);
    let refused = rename(&store, "labs", "acme2").await.expect_err("refused");
    assert!(matches!(refused, NameChangeError::Taken(_)), "{refused}");
    assert_eq!(names(&store).await, expected);
    rename(&store, "labs", "labs/inner/…")
        .await
        .expect_err("two kinds");
    rename(&store, "labs/…", "labs/inner/…")
        .await
        .expect("renamed");
    assert_eq!(names(&store).await[1], "labs/inner/SUB/two");
}

#[tokio::test]
async fn merged_branches_have_the_records_of_both_and_one_that_is_current() {
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
async fn a_branch_that_was_retired_after_its_last_upload_stays_so_when_merged() {
    let store = TestStore::new().await;
    upload(&store, "acme/old", "fix", "a").await;
    upload(&store, "acme/new", "fix", "b").await;
    upload(&store, "acme/new", "main", "b").await;
    let active = HashSet::from(["main".to_owned()]);
    store
        .retire_branches(&repository("acme/new"), &active, None)
        .await
        .expect("retired");
    merge(&store, "acme/old", "acme/new").await.expect("merged");
    let fix = history(&store, "acme/new", "fix").await;
    assert_eq!(fix, [("a".to_owned(), false), ("b".to_owned(), false)]);
}

#[tokio::test]
async fn of_a_commit_that_both_have_the_last_upload_stays_and_the_other_report_is_doomed() {
    let store = TestStore::new().await;
    let older = upload_with_report(&store, "acme/one", "c1", "key-1").await;
    let newer = upload_with_report(&store, "acme/two", "c1", "key-2").await;
    let newest = upload_with_report(&store, "acme/one", "c2", "key-3").await;
    let kept = upload_with_report(&store, "acme/two", "c2", "key-4").await;
    store.pin_record(newest, true).await.expect("pinned");
    let changed = merge(&store, "acme/two", "acme/one").await.expect("merged");
    let merged = Merged {
        records: 2,
        replaced: 2,
        reports: 2,
    };
    assert_eq!(changed.repositories[0].merged, Some(merged));
    let mut doomed = store.doomed_reports().await.expect("doomed");
    doomed.sort();
    assert_eq!(doomed, ["key-1", "key-3"]);
    for (id, is_there) in [(older, false), (newest, false), (newer, true), (kept, true)] {
        let names = store.names_of_record(id).await.expect("read");
        assert_eq!(names.is_some(), is_there, "{id}");
    }
    let pinned: Option<i64> = sqlx::query_scalar("select pinned_at from records where id = $1")
        .bind(kept)
        .fetch_one(&store.readers)
        .await
        .expect("a record");
    assert!(pinned.is_some(), "its commit was pinned");
}

#[tokio::test]
async fn records_of_the_same_moment_keep_their_order_when_merged() {
    let store = TestStore::new().await;
    for (name, commits) in [("acme/one", ["a", "b", "c"]), ("acme/two", ["x", "y", "z"])] {
        for commit in commits {
            upload(&store, name, "main", commit).await;
        }
        // Days are all that an import may know.
        sqlx::query(
            "update records set updated_at = 1000 + (select count(*) from records o
                 where o.branch_id = records.branch_id and o.id < records.id)
             where repository_id = (select p.id from repositories p where p.repo_name = $1)",
        )
        .bind(name.trim_start_matches("acme/"))
        .execute(&store.writer)
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
        .fetch_one(&store.readers)
        .await
        .expect("moments");
    assert_eq!(moments, 6);
}

#[tokio::test]
async fn a_merge_keeps_what_the_operator_has_said_of_either() {
    let store = TestStore::new().await;
    upload(&store, "acme/one", "main", "a").await;
    upload(&store, "acme/two", "main", "b").await;
    let next = "next".parse().expect("a branch");
    let one = repository("ACME/One");
    let configured = store.configure_main_branch(&one, Some(&next)).await;
    assert!(configured.expect("configured"));
    sqlx::query("update repositories set forge = 'github.com' where repo_name = 'one'")
        .execute(&store.writer)
        .await
        .expect("a forge");
    merge(&store, "acme/one", "acme/two").await.expect("merged");
    let main = store
        .main_branch(&repository("acme/two"))
        .await
        .expect("read");
    assert_eq!(main.expect("one").configured, Some(next));
    let vouched = store.vouched(&repository("acme/two")).await.expect("read");
    assert_eq!(vouched.forge.as_deref(), Some("github.com"));
}

#[tokio::test]
async fn organisations_that_collide_become_one() {
    let store =
        with_collisions(&["ACME/Payments", "acme/payments", "ACME/only", "acme/Sub/x"]).await;
    for name in ["ACME/Payments", "acme/payments", "ACME/only", "acme/Sub/x"] {
        upload(
            &store,
            name,
            "main",
            name.split('/').next_back().expect("a name"),
        )
        .await;
    }
    let refused = rename(&store, "ACME", "acme").await.expect_err("refused");
    assert!(matches!(refused, NameChangeError::Taken(_)), "{refused}");
    merge(&store, "ACME", "acme").await.expect("merged");
    assert_eq!(
        names(&store).await,
        ["acme/payments", "acme/only", "acme/Sub/x"]
    );
    assert_eq!(
        store.name_collisions().await.expect("none"),
        Default::default()
    );
}

#[tokio::test]
async fn tokens_follow_what_is_renamed_and_not_what_is_merged() {
    let store = TestStore::new().await;
    for (name, scope) in [
        ("exact", Scope::Repository(repository("acme/one"))),
        ("cased", Scope::Repository(repository("ACME/ONE"))),
        ("org", Scope::Org("acme".parse().expect("an org"))),
        ("other", Scope::Repository(repository("acme/two"))),
    ] {
        let token = NewToken {
            name,
            hash: name,
            purpose: Purpose::Upload,
            scope: &scope,
            hint: "",
            expires_at: None,
        };
        store.add_token(token).await.expect("a token");
    }
    for name in ["acme/one", "acme/two", "labs/three"] {
        upload(
            &store,
            name,
            "main",
            name.split('/').next_back().expect("a name"),
        )
        .await;
    }
    let scopes = async || -> Vec<String> {
        let tokens = store.tokens().await.expect("tokens");
        tokens.iter().map(|token| token.scope.to_string()).collect()
    };
    let changed = rename(&store, "acme/one", "labs/One")
        .await
        .expect("renamed");
    assert_eq!(changed.tokens_moved, ["exact", "cased"]);
    assert_eq!(
        scopes().await,
        ["labs/One", "labs/One", "acme/…", "acme/two"]
    );
    let changed = rename(&store, "acme", "zoo").await.expect("renamed");
    assert_eq!(changed.tokens_moved, ["org", "other"]);
    assert_eq!(scopes().await, ["labs/One", "labs/One", "zoo/…", "zoo/two"]);
    let changed = merge(&store, "zoo/two", "labs/three")
        .await
        .expect("merged");
    assert_eq!(changed.tokens_left, ["other"]);
    assert_eq!(scopes().await, ["labs/One", "labs/One", "zoo/…", "zoo/two"]);
}
