//! Names in any case refer to one repository. After renaming and merging, the data equals the data of uploads under the new name.

mod at_once;
mod merging;
mod renaming;

use super::{HowNamesChange, Merged, NameChange, NameChangeError, Named, NamesChanged};
use crate::actor::Actor;
use crate::{
    BranchList, Deletion, MainRight, NewRecord, NewToken, Purpose, Scope, Store, StoredReport,
    listing::tests::assert_counted, main_records::tests::assert_kept, testing::TestStore,
};
use domain::{Percentage, Repository};
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
        line_states: None,
        report: None,
        forge_claim: None,
        main_right: MainRight::Granted,
        by: Actor::service(),
        part: Default::default(),
        change: Default::default(),
        settings: None,
    }
}

async fn upload(store: &Store, name: &str, branch: &str, commit: &str) -> (i64, String) {
    let published = store
        .writer()
        .publish(&record(name, branch, commit, 5_000))
        .await;
    let record = published.expect("published").record;
    (record.id, record.repository.to_string())
}

async fn upload_with_report(store: &Store, name: &str, commit: &str, key: &str) -> i64 {
    store.writer().reserve_report(key).await.expect("announced");
    let report = StoredReport {
        key: key.to_owned(),
        start_page: None,
        bytes: 0,
    };
    let new = NewRecord {
        report: Some(report),
        ..record(name, "main", commit, 5_000)
    };
    store
        .writer()
        .publish(&new)
        .await
        .expect("published")
        .record
        .id
}

async fn change(
    store: &Store,
    how: HowNamesChange,
    from: &str,
    to: &str,
) -> Result<NamesChanged, NameChangeError> {
    let named = |text: &str| Named::read(text.trim_end_matches("/…"), text.ends_with("/…"));
    let requested = NameChange {
        from: named(from).expect("a name"),
        to: named(to).expect("a name"),
        how,
    };
    let counted = async || names(store).await.len();
    let before = counted().await;
    let dry = store
        .operator()
        .change_names(&requested, true, &Actor::service())
        .await;
    assert_eq!(counted().await, before, "a dry run changes nothing");
    let changed = store
        .operator()
        .change_names(&requested, false, &Actor::service())
        .await;
    assert_eq!(
        dry.as_ref().map_err(ToString::to_string),
        changed.as_ref().map_err(ToString::to_string),
        "a dry run returns what would happen"
    );
    let happened = format!("{requested:?}");
    assert_kept(&store.read_pool, &happened).await;
    assert_counted(&store.read_pool, &happened).await;
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
        .fetch_all(&store.read_pool)
        .await
        .expect("names")
}

/// The commits of a branch, the oldest first, and whether each is current.
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
    .fetch_all(&store.read_pool)
    .await
    .expect("records");
    rows.into_iter()
        .map(|(commit, is_current)| (commit, is_current == 1))
        .collect()
}

/// Repositories as an older service would have stored them.
async fn with_collisions(repositories: &[&str]) -> TestStore {
    let place = Place::new();
    crate::install_drivers();
    let (engine, url) = if is_postgres() {
        (Engine::Postgres, place.url())
    } else {
        (Engine::Sqlite, format!("{}?mode=rwc", place.url()))
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
async fn uploads_in_another_case_go_to_the_existing_repository() {
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
async fn an_org_keeps_its_first_spelling_also_in_its_groups() {
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
    for (requested, stored) in [
        ("ACME", "acme"),
        ("Acme/Platform/TOOLS", "acme/platform/Tools"),
        ("ACME2", "acme2"),
        ("Other", "Other"),
    ] {
        let org = requested.parse().expect("an org");
        assert_eq!(
            store
                .everything()
                .stored_org(&org)
                .await
                .expect("an org")
                .as_str(),
            stored
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_uploads_of_two_spellings_make_one_repository() {
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
    assert_no_collisions(&store).await;
    assert_counted(&store.read_pool, "a race").await;
}

#[tokio::test]
async fn of_colliding_names_the_exact_one_wins_then_the_oldest() {
    let store = with_collisions(&["ACME/Payments", "acme/payments", "acme/x", "zoo/one"]).await;
    for (requested, stored) in [
        ("ACME/Payments", "ACME/Payments"),
        ("acme/payments", "acme/payments"),
        ("Acme/payments", "ACME/Payments"),
        ("ACME/X", "acme/x"),
    ] {
        let found = store
            .everything()
            .stored_repository(&repository(requested))
            .await;
        assert_eq!(found.expect("read").expect("found").to_string(), stored);
    }
    for (requested, stored) in [("acme", "acme"), ("ACME", "ACME"), ("aCME", "ACME")] {
        let org = requested.parse().expect("an org");
        assert_eq!(
            store
                .everything()
                .stored_org(&org)
                .await
                .expect("an org")
                .as_str(),
            stored
        );
    }
    assert_eq!(upload(&store, "acme/new", "main", "c1").await.1, "acme/new");
    assert_eq!(
        upload(&store, "acmE/newer", "main", "c1").await.1,
        "ACME/newer"
    );
    let collisions = store
        .operator()
        .name_collisions()
        .await
        .expect("collisions");
    assert_eq!(collisions.orgs, [["ACME", "acme"]]);
    assert_eq!(
        collisions.repositories,
        [["ACME/Payments", "acme/payments"]]
    );
}

#[tokio::test]
async fn the_oldest_remaining_name_inherits_the_key_of_a_deleted_one() {
    let store = with_collisions(&["acme/ONE", "acme/one", "acme/One"]).await;
    rename(&store, "acme/ONE", "acme/two")
        .await
        .expect("renamed");
    let found = store
        .everything()
        .stored_repository(&repository("ACME/ONE"))
        .await;
    assert_eq!(found.expect("read"), Some(repository("acme/one")));
    // This simulates a statement that does not maintain keys.
    sqlx::query("delete from repositories where repo_name = 'one'")
        .execute(&store.write_pool)
        .await
        .expect("deleted");
    assert_eq!(upload(&store, "ACME/ONE", "main", "c1").await.1, "acme/One");
}

#[tokio::test]
async fn deleting_a_repository_keeps_the_attempts_of_a_colliding_one() {
    let store = with_collisions(&["acme/ONE", "acme/one"]).await;
    let (record_id, _) = upload(&store, "acme/one", "main", "c1").await;
    let attempt = |name: &str, record_id| LedgerEntry {
        received_at: Timestamp(1),
        milliseconds: 1,
        request_id: "request".to_owned(),
        org_name: Some("acme".to_owned()),
        repo_name: Some(name.to_owned()),
        branch_name: None,
        commit_hash: None,
        language: None,
        token_name: None,
        token_id: None,
        status: 400,
        code: "bad".to_owned(),
        detail: "refused".to_owned(),
        record_id,
        report_format: None,
        files: None,
        bytes: 0,
        run_url: None,
    };
    let entries = [
        attempt("ONE", None),
        attempt("one", None),
        // The repository that has the key.
        attempt("One", None),
        // An earlier name.
        attempt("before", Some(record_id)),
    ];
    store.writer().add_to_ledger(&entries).await.expect("added");
    let delete = async |name: &str| {
        let what = Deletion::Repository(repository(name));
        let deleted = store
            .operator()
            .delete(&what, &Scope::All, &Actor::service())
            .await;
        deleted.expect("deleted").expect("a repository");
        let left = store.writer().ledger(10).await.expect("rows");
        let names = left.into_iter().filter_map(|row| row.repo_name);
        names.collect::<Vec<_>>()
    };
    assert_eq!(delete("acme/one").await, ["One", "ONE"]);
    assert!(delete("acme/ONE").await.is_empty());
}
