//! Names in any case refer to one repository. After renaming and merging, the data equals the data of uploads under the new name.

mod at_once;
mod merging;
mod renaming;

use super::{HowNamesChange, Merged, NameChange, NameChangeError, Named, NamesChanged};
use crate::actor::Actor;
use crate::{
    BranchList, Deletion, NewRecord, NewToken, Purpose, Scope, Store, StoredReport,
    listing::tests::assert_counted,
    main_records::tests::assert_kept,
    testing::{TestStore, new_record},
};
use domain::{Percentage, Repository};
use std::{collections::HashSet, sync::Arc};

fn repository(name: &str) -> Repository {
    name.parse().expect("a repository")
}

fn record(name: &str, branch: &str, commit: &str, basis_points: u16) -> NewRecord {
    NewRecord {
        percentage: Percentage::from_basis_points(basis_points),
        ..new_record(name, branch, commit)
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

/// Checks that no two orgs differ by case only. The unique key of repositories prevents it for their names.
pub(crate) async fn assert_no_collisions(store: &Store) {
    const COLLIDING: &str =
        "select count(distinct org_name) - count(distinct lower(org_name)) from repositories";
    let colliding: i64 = sqlx::query_scalar(COLLIDING)
        .fetch_one(&store.read_pool)
        .await
        .expect("a number");
    assert_eq!(colliding, 0);
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
