//! The summary equals a recomputation from the records, after any changes.

mod random;

pub(crate) use random::{Draw, something_happens, united, upload};

use crate::actor::Actor;
use crate::{
    BranchList, Deletion, HowNamesChange, MainRight, NameChange, NameChangeError, Named, NewRecord,
    Scope, Standing, Stated, StoreError,
    listing::tests::assert_consistent,
    main_branch,
    rename::tests::assert_no_collisions,
    repository::trend_spans,
    testing::{TestStore, is_postgres, new_record},
};
use sqlx::{AnyPool, FromRow};

#[derive(Debug, FromRow, PartialEq, Eq)]
struct Row {
    repository_id: i64,
    language: String,
    org_name: String,
    repo_name: String,
    branch_id: i64,
    record_id: i64,
    percentage_basis_points: i64,
    percentage_before: Option<i64>,
    lines_covered: Option<i64>,
    lines_total: Option<i64>,
    branches_covered: Option<i64>,
    branches_total: Option<i64>,
    functions_covered: Option<i64>,
    functions_total: Option<i64>,
    updated_at: i64,
}

const KEPT: &str = "
    select repository_id, language, org_name, repo_name, branch_id, record_id, percentage_basis_points, percentage_before,
           lines_covered, lines_total, branches_covered, branches_total, functions_covered, functions_total, updated_at
    from main_records order by repository_id, language";

/// One plain query over records and branches, without derived data.
const RECOMPUTED: &str = concat!(
    "select r.repository_id, r.language, p.org_name, p.repo_name, r.branch_id, r.id as record_id,
            r.percentage_basis_points,
            (select h.percentage_basis_points from records h
             where h.branch_id = r.branch_id and h.language = r.language
               and h.updated_at = (select max(e.updated_at) from records e
                                   where e.branch_id = r.branch_id and e.language = r.language
                                     and e.unconfirmed_at is null and e.updated_at < r.updated_at)) as percentage_before,
            r.lines_covered, r.lines_total, r.branches_covered, r.branches_total, r.functions_covered, r.functions_total,
            r.updated_at
     from repositories p
     join records r on r.repository_id = p.id and r.superseded_at is null and r.branch_id = ",
    main_branch::main_branch_id!(),
    " order by r.repository_id, r.language"
);

/// Repositories whose values of a week ago contradict the records.
const WRONG_WEEK_AGO: &str = concat!(
    "select s.repository_id from main_records s where ",
    super::week_ago::is_wrong!(),
    " order by s.repository_id"
);

/// The main branch, by another implementation of the rule.
const MAIN_BRANCHES: &str = "
    select p.id, p.configured_branch, p.main_branch_id, b.id as branch_id, b.name,
           (select count(*) from records r
            where r.branch_id = b.id
              and (r.unconfirmed_at is null or r.superseded_at < r.unconfirmed_at)) as records
    from repositories p
    join branches b on b.repository_id = p.id
    where exists (select 1 from records r where r.branch_id = b.id and r.superseded_at is null)
    order by p.id, b.id";

#[derive(FromRow)]
struct Branch {
    id: i64,
    configured_branch: Option<String>,
    main_branch_id: Option<i64>,
    branch_id: i64,
    name: String,
    records: i64,
}

pub(crate) async fn assert_kept(pool: &AnyPool, after: &str) {
    let kept: Vec<Row> = sqlx::query_as(KEPT).fetch_all(pool).await.expect("rows");
    let recomputed: Vec<Row> = sqlx::query_as(RECOMPUTED)
        .fetch_all(pool)
        .await
        .expect("rows");
    assert_eq!(kept, recomputed, "after {after}");
    let wrong: Vec<i64> = sqlx::query_scalar(WRONG_WEEK_AGO)
        .fetch_all(pool)
        .await
        .expect("rows");
    assert_eq!(wrong, [0; 0], "after {after}");
    let branches: Vec<Branch> = sqlx::query_as(MAIN_BRANCHES)
        .fetch_all(pool)
        .await
        .expect("rows");
    for repository in branches.chunk_by(|one, other| one.id == other.id) {
        let named = |name: &str| repository.iter().find(|branch| branch.name == name);
        let most = repository.iter().rev().max_by_key(|branch| branch.records);
        let configured = repository[0].configured_branch.as_deref();
        let main = configured
            .and_then(named)
            .or_else(|| {
                ["main", "master", "develop", "trunk"]
                    .into_iter()
                    .find_map(named)
            })
            .or(most)
            .expect("a branch");
        assert_eq!(
            repository[0].main_branch_id,
            Some(main.branch_id),
            "after {after}"
        );
    }
}

/// Checks the spans of the branches that have any, and gives the others some, as if they were long.
async fn assert_trends_kept(pool: &AnyPool, after: &str) {
    const BEGIN: &str = concat!(
        "insert into trend_spans (branch_id, language, span, records, lowest, highest) ",
        trend_spans!("not exists (select 1 from trend_spans t where t.branch_id = r.branch_id)")
    );
    let wrong = sqlx::query(crate::verify::TREND);
    let wrong = wrong.bind(0_i64).bind(i64::MAX).bind(1_i64);
    let wrong = wrong.fetch_all(pool).await.expect("rows");
    assert!(wrong.is_empty(), "after {after}");
    let begun = sqlx::query(BEGIN).execute(pool).await;
    begun.expect("spans");
}

/// Checks the days of main branches, and their sums over orgs.
pub(crate) async fn assert_days_kept(pool: &AnyPool, after: &str) {
    for query in [
        crate::verify::SERIES,
        crate::verify::DAYS,
        crate::verify::SUMS,
    ] {
        let wrong = sqlx::query(query);
        let wrong = wrong.bind(0_i64).bind(i64::MAX).bind(1_i64);
        let wrong = wrong.fetch_all(pool).await.expect("rows");
        assert!(wrong.is_empty(), "after {after}: {query}");
    }
    let wrong: Vec<(String, String)> = sqlx::query_as(crate::verify::ORGS)
        .bind("")
        .bind("~")
        .fetch_all(pool)
        .await
        .expect("rows");
    assert_eq!(wrong, [], "after {after}");
}

#[tokio::test]
async fn spans_and_days_of_trends_equal_records_after_changes_at_the_same_time() {
    let store = TestStore::new().await;
    for seed in 0..40 {
        let new = upload(&mut Draw(seed));
        store.writer().publish(&new).await.expect("published");
    }
    assert_trends_kept(&store.write_pool, "uploads").await;
    let uploads = async |seed: u64| {
        let mut draw = Draw(seed);
        for _ in 0..20 {
            let new = upload(&mut draw);
            store.writer().publish(&new).await.expect("published");
        }
    };
    let deletions = async {
        for name in ["acme/one main", "acme/two fix/1", "acme/one next"].repeat(5) {
            let (repository, branch) = name.split_once(' ').expect("two names");
            let repository = repository.parse().expect("a repository");
            let branch = Deletion::Branch(repository, branch.parse().expect("a branch"));
            let by = Actor::service();
            let deleted = store.operator().delete(&branch, &[Scope::All], &by).await;
            deleted.expect("deleted");
        }
    };
    let renames = async {
        for names in [["acme", "zoo/sub"], ["zoo/sub", "acme"]].repeat(5) {
            let [from, to] = names.map(|name| Named::read(name, true).expect("an org"));
            let how = HowNamesChange::Merge;
            let requested = NameChange { from, to, how };
            let by = Actor::service();
            let changed = store.operator().change_names(&requested, false, &by).await;
            if let Err(NameChangeError::Store(error)) = changed {
                panic!("{requested:?} failed: {error:?}");
            }
        }
    };
    let uploads = futures::future::join_all((0..6).map(uploads));
    futures::future::join3(uploads, deletions, renames).await;
    assert_trends_kept(&store.write_pool, "races").await;
    assert_days_kept(&store.write_pool, "races").await;
}

#[tokio::test]
async fn an_upload_that_changes_no_day_does_not_lock_its_org() {
    // SQLite has one writer.
    if !is_postgres() {
        return;
    }
    let store = TestStore::new().await;
    let new = new_record("acme/one", "main", "c1");
    store.writer().publish(&new).await.expect("published");
    let mut other = store.write_pool.begin().await.expect("a transaction");
    sqlx::query("update orgs set record_count = record_count")
        .execute(&mut *other)
        .await
        .expect("the lock of the org");
    store.writer().publish(&new).await.expect("published again");
    other.rollback().await.expect("the end of the transaction");
    assert_days_kept(&store.read_pool, "a retry").await;
}

#[tokio::test]
async fn the_summary_equals_a_recomputation_after_any_changes() {
    let store = TestStore::new().await;
    let mut draw = Draw(42);
    for _ in 0..600 {
        let happened = something_happens(&store, &mut draw).await;
        assert_kept(&store.read_pool, &happened).await;
        assert_trends_kept(&store.write_pool, &happened).await;
        assert_days_kept(&store.read_pool, &happened).await;
        assert_consistent(&store.read_pool, &happened).await;
        assert_no_collisions(&store).await;
    }
}

#[tokio::test]
async fn a_branch_that_just_became_main_needs_the_right_to_change() {
    let store = TestStore::new().await;
    let mut draw = Draw(1);
    let mut sent = async |branch: &str, main_right: MainRight| {
        let base = upload(&mut draw);
        let new = NewRecord {
            stated: Stated {
                repository: "acme/one".parse().expect("a repository"),
                branch: branch.parse().expect("a branch"),
                main_right,
                ..base.stated
            },
            ..base
        };
        store
            .writer()
            .publish(&new)
            .await
            .expect("published")
            .standing
    };
    let denied = || MainRight::Denied("not today".to_owned());
    let current = Standing::Current;
    assert_eq!(sent("main", MainRight::Granted).await, current);
    assert_eq!(
        sent("fix/1", denied()).await,
        current,
        "not the main branch"
    );
    let (repository, next) = (
        "acme/one".parse().expect("a repository"),
        "next".parse().ok(),
    );
    store
        .operator()
        .configure_main_branch(&repository, next.as_ref(), &Actor::service())
        .await
        .expect("configured");
    let unconfirmed = Standing::Unconfirmed("not today".to_owned());
    assert_eq!(sent("next", denied()).await, unconfirmed);
    assert_kept(&store.read_pool, "an upload without the right").await;
    assert_eq!(sent("next", MainRight::Granted).await, current);
    assert_kept(&store.read_pool, "an upload with it").await;
}

#[tokio::test]
async fn a_list_from_a_job_of_another_branch_retires_nothing() {
    let store = TestStore::new().await;
    let mut draw = Draw(2);
    for branch in ["main", "fix/1"] {
        let base = upload(&mut draw);
        let new = NewRecord {
            stated: Stated {
                repository: "acme/one".parse().expect("a repository"),
                branch: branch.parse().expect("a branch"),
                main_right: MainRight::Granted,
                ..base.stated
            },
            ..base
        };
        store.writer().publish(&new).await.expect("published");
    }
    let (repository, active) = (
        "acme/one".parse().expect("a repository"),
        ["main".to_owned()].into(),
    );
    let (by, fix, main) = (
        Actor::service(),
        "fix/1".parse().expect("a branch"),
        "main".parse().expect("a branch"),
    );
    let list = |from_branch| BranchList {
        active: &active,
        forge_claim: None,
        from_branch: Some(from_branch),
        by: &by,
    };
    let refused = store
        .writer()
        .retire_branches(&repository, list(&fix))
        .await;
    assert!(
        matches!(refused, Err(StoreError::NotMainBranch(_))),
        "{refused:?}"
    );
    let retired = store
        .writer()
        .retire_branches(&repository, list(&main))
        .await;
    assert_eq!(retired.expect("retired"), 1);
}
