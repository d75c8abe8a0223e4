//! The summary equals what is recomputed from the records, whatever has happened to them.

use crate::actor::Actor;
use crate::store::{
    BranchList, Collisions, Deleted, Deletion, HowNamesChange, MainBranch, MainRight, NameChange,
    NameChangeError, Named, NewRecord, Scope, Standing, Store,
    engine::Engine,
    listing::{
        ListingFilter,
        tests::{assert_consistent, assert_counted},
    },
    main_branch,
    testing::{Place, TestStore, is_postgres},
};
use app::domain::{BranchName, Percentage, Repository};
use sqlx::{AnyPool, FromRow, any::AnyPoolOptions, migrate::Migrator};
use std::collections::HashSet;

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
    updated_at: i64,
}

const KEPT: &str = "
    select repository_id, language, org_name, repo_name, branch_id, record_id, percentage_basis_points, percentage_before,
           lines_covered, lines_total, updated_at
    from main_records order by repository_id, language";

/// In one plain query over records and branches, which uses nothing that is kept.
const RECOMPUTED: &str = concat!(
    "select r.repository_id, r.language, p.org_name, p.repo_name, r.branch_id, r.id as record_id,
            r.percentage_basis_points,
            (select h.percentage_basis_points from records h
             where h.branch_id = r.branch_id and h.language = r.language
               and h.updated_at = (select max(e.updated_at) from records e
                                   where e.branch_id = r.branch_id and e.language = r.language
                                     and e.unconfirmed_at is null and e.updated_at < r.updated_at)) as percentage_before,
            r.lines_covered, r.lines_total, r.updated_at
     from repositories p
     join records r on r.repository_id = p.id and r.superseded_at is null and r.branch_id = ",
    main_branch::main_branch_id!(),
    " order by r.repository_id, r.language"
);

/// The main branch, in words other than the rule's.
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

pub(in crate::store) async fn assert_kept(pool: &AnyPool, after: &str) {
    let kept: Vec<Row> = sqlx::query_as(KEPT).fetch_all(pool).await.expect("rows");
    let recomputed: Vec<Row> = sqlx::query_as(RECOMPUTED)
        .fetch_all(pool)
        .await
        .expect("rows");
    assert_eq!(kept, recomputed, "after {after}");
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

/// Numbers that look drawn at random, the same in every run.
pub(in crate::store) struct Draw(pub(in crate::store) u64);

impl Draw {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

const BRANCHES: [&str; 6] = ["main", "master", "trunk", "next", "fix/1", "ветка"];

pub(in crate::store) fn upload(draw: &mut Draw) -> NewRecord {
    let total = draw.below(1_000) as u64;
    NewRecord {
        repository: repository(draw),
        branch: draw.one_of(&BRANCHES).parse().expect("a branch"),
        // So few that most are retries.
        commit: draw
            .one_of(&["c1", "c2", "c3", "c4"])
            .parse()
            .expect("a commit"),
        author: "Kim".parse().expect("an author"),
        language: draw.one_of(&["rust", "go"]).parse().expect("a language"),
        percentage: Percentage::from_basis_points(draw.below(10_001) as u16),
        lines: (total > 300).then_some(app::domain::Count {
            covered: total / 2,
            total,
        }),
        branches: None,
        functions: None,
        report_format: "cobertura",
        details: Default::default(),
        report: None,
        vouching: None,
        main_right: match draw.below(3) {
            0 => MainRight::Withheld("not today".to_owned()),
            _ => MainRight::Granted,
        },
        by: Actor::service(),
    }
}

fn repository(draw: &mut Draw) -> Repository {
    let name = draw.one_of(&[
        "acme/one",
        "ACME/One",
        "acme/two",
        "Acme/TWO",
        "zoo/sub/three",
        "Zoo/SUB/three",
    ]);
    name.parse().expect("a repository")
}

/// Names of one kind that repositories may have, and names that they may get.
fn names(draw: &mut Draw) -> (Named, Named) {
    const ORGS: [&str; 4] = ["acme", "Zoo/sub", "ZOO", "labs"];
    const REPOSITORIES: [&str; 5] = [
        "acme/one",
        "ACME/two",
        "zoo/sub/Three",
        "Labs/one",
        "acme/New",
    ];
    let (all, is_org) = match draw.below(3) {
        0 => (&ORGS[..], true),
        _ => (&REPOSITORIES[..], false),
    };
    let mut name = || Named::read(draw.one_of(all), is_org).expect("a name");
    (name(), name())
}

/// One of the things that happen to records; what it was, for the message of a failure.
pub(in crate::store) async fn something_happens(store: &Store, draw: &mut Draw) -> String {
    let by = Actor::service();
    match draw.below(15) {
        10 | 11 => {
            let deleted = delete_some_record(store, draw).await;
            format!("{deleted:?} was deleted")
        }
        12 => {
            let what = match draw.below(4) {
                0 => Deletion::Repository(repository(draw)),
                _ => Deletion::Branch(
                    repository(draw),
                    draw.one_of(&BRANCHES).parse().expect("a branch"),
                ),
            };
            let deleted = store.delete(&what, &Scope::All, &by).await;
            format!("{:?} was deleted", deleted.expect("deleted"))
        }
        happening @ (13 | 14) => {
            let (from, to) = names(draw);
            let how = match happening {
                13 => HowNamesChange::Rename,
                _ => HowNamesChange::Merge,
            };
            let asked = NameChange { from, to, how };
            let changed = store.change_names(&asked, draw.below(4) == 0, &by).await;
            if let Err(NameChangeError::Store(error)) = &changed {
                panic!("{asked:?} failed: {error:?}");
            }
            format!("{asked:?}: {changed:?}")
        }
        0 | 1 => {
            let repository = repository(draw);
            let active: HashSet<String> = BRANCHES
                .iter()
                .filter(|_| draw.below(2) == 0)
                .map(|branch| branch.to_string())
                .collect();
            let list = BranchList {
                active: &active,
                vouching: None,
                said_on: None,
                by: &by,
            };
            let retired = store.retire_branches(&repository, list).await;
            format!("{retired:?} branches of {repository} were retired, without {active:?}")
        }
        2 => {
            let repository = repository(draw);
            let branch: Option<BranchName> = match draw.below(3) {
                0 => None,
                1 => Some("not-yet".parse().expect("a branch")),
                _ => draw.one_of(&BRANCHES).parse().ok(),
            };
            let configured = store
                .configure_main_branch(&repository, branch.as_ref(), &by)
                .await;
            format!("{branch:?} was made main of {repository}: {configured:?}")
        }
        _ => {
            let new = upload(draw);
            let (before, may_become_main) = (
                store.main_branch(&new.repository).await.expect("a branch"),
                store
                    .may_become_main(&new.repository, &new.branch)
                    .await
                    .expect("an answer"),
            );
            let published = store.publish(&new).await.expect("published");
            let main = store.main_branch(&new.repository).await.expect("a branch");
            let is_main = main.as_ref().and_then(|main| main.branch.as_ref()) == Some(&new.branch);
            let current = store
                .current_records(&new.repository)
                .await
                .expect("records");
            let is_current = current
                .iter()
                .any(|record| record.id == published.record.id);
            match published.standing {
                Standing::Current => assert!(is_current, "{new:?}"),
                Standing::Unconfirmed(_) => assert!(!is_current, "{new:?}"),
                Standing::Kept(_) => assert!(published.replaced_report.is_none(), "{new:?}"),
            }
            assert!(
                may_become_main || !is_main,
                "{new:?} was not expected to be main"
            );
            if published.standing != Standing::Current {
                let branch = |main: Option<MainBranch>| main.and_then(|main| main.branch);
                assert_eq!(branch(before), branch(main), "{new:?}");
                assert_ne!(new.main_right, MainRight::Granted);
            }
            format!("{published:?} was published")
        }
    }
}

/// Any record that there is.
async fn delete_some_record(store: &Store, draw: &mut Draw) -> Option<Deleted> {
    let ids: Vec<i64> = sqlx::query_scalar("select id from records order by id")
        .fetch_all(&store.readers)
        .await
        .expect("ids");
    let id = *ids.get(draw.below(ids.len().max(1)))?;
    let deleted = store
        .delete(&Deletion::Record(id), &Scope::All, &Actor::service())
        .await
        .expect("deleted");
    Some(deleted.expect("a record"))
}

#[tokio::test]
async fn the_summary_is_what_a_recomputation_gives_whatever_has_happened() {
    let store = TestStore::new().await;
    let mut draw = Draw(42);
    for _ in 0..600 {
        let happened = something_happens(&store, &mut draw).await;
        assert_kept(&store.readers, &happened).await;
        assert_consistent(&store.readers, &happened).await;
        let collisions = store.name_collisions().await.expect("collisions");
        assert_eq!(collisions, Collisions::default(), "after {happened}");
    }
}

#[tokio::test]
async fn a_branch_that_became_main_meanwhile_is_not_changed_without_the_right() {
    let store = TestStore::new().await;
    let mut draw = Draw(1);
    let mut sent = async |branch: &str, main_right: MainRight| {
        let new = NewRecord {
            repository: "acme/one".parse().expect("a repository"),
            branch: branch.parse().expect("a branch"),
            main_right,
            ..upload(&mut draw)
        };
        store.publish(&new).await.expect("published").standing
    };
    let withheld = || MainRight::Withheld("not today".to_owned());
    let current = Standing::Current;
    assert_eq!(sent("main", MainRight::Granted).await, current);
    assert_eq!(
        sent("fix/1", withheld()).await,
        current,
        "not the main branch"
    );
    let (repository, next) = (
        "acme/one".parse().expect("a repository"),
        "next".parse().ok(),
    );
    store
        .configure_main_branch(&repository, next.as_ref(), &Actor::service())
        .await
        .expect("configured");
    let unconfirmed = Standing::Unconfirmed("not today".to_owned());
    assert_eq!(sent("next", withheld()).await, unconfirmed);
    assert_kept(&store.readers, "an upload without the right").await;
    assert_eq!(sent("next", MainRight::Granted).await, current);
    assert_kept(&store.readers, "an upload with it").await;
}

#[tokio::test]
async fn a_database_from_before_the_summary_gets_one() {
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
        .filter(|migration| migration.version < 6);
    Migrator::with_migrations(older.cloned().collect())
        .run(&pool)
        .await
        .expect("older tables");
    for statement in [
        "insert into repositories (id, org_name, repo_name, created_at) values
            (1, 'acme', 'one', 1), (2, 'acme', 'two', 1), (3, 'acme', 'retired', 1)",
        "insert into branches (id, repository_id, name, record_count) values
            (1, 1, 'fix', 9), (2, 1, 'master', 1), (3, 2, 'next', 2), (4, 2, 'old', 1), (5, 3, 'main', 1)",
        "insert into records (id, repository_id, branch_id, language, commit_hash, commit_author, percentage_basis_points,
                              lines_covered, lines_total, report_format, created_at, updated_at, superseded_at) values
            (1, 1, 1, 'go', 'c1', 'Kim', 5000, 1, 2, 'lcov', 1, 1, null),
            (2, 1, 2, 'go', 'c1', 'Kim', 6000, 3, 5, 'lcov', 2, 2, null),
            (3, 2, 3, 'go', 'c1', 'Kim', 7000, null, null, 'lcov', 3, 5, null),
            (4, 2, 3, 'go', 'c2', 'Kim', 7500, null, null, 'lcov', 4, 4, 5),
            (5, 2, 4, 'rust', 'c1', 'Kim', 8000, null, null, 'lcov', 5, 5, null),
            (6, 3, 5, 'rust', 'c1', 'Kim', 9000, null, null, 'lcov', 6, 6, 7)",
    ] {
        sqlx::query(statement).execute(&pool).await.expect("rows");
    }
    pool.close().await;
    let store = place.open().await;
    let kept: Vec<Row> = sqlx::query_as(KEPT)
        .fetch_all(&store.readers)
        .await
        .expect("rows");
    let seen: Vec<_> = kept
        .iter()
        .map(|row| (row.record_id, row.percentage_before))
        .collect();
    assert_eq!(seen, [(2, None), (3, Some(7_500))]);
    assert_kept(&store.readers, "the migration").await;
    assert_counted(&store.readers, "the migration").await;
    let filter = ListingFilter {
        full: true,
        ..ListingFilter::default()
    };
    let page = store.list(&filter, 0, 10).await.expect("a page");
    let listed: Vec<_> = page.records.iter().map(|record| record.id).collect();
    assert_eq!(
        listed,
        [2, 1, 6, 5, 4, 3],
        "by names, then the newest first"
    );
}
