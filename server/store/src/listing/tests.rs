//! The listing equals a reading of all records, page by page, after any changes.

pub(crate) mod queries;

use super::{ListingFilter, Page};
use crate::{
    Store,
    main_records::tests::{Draw, something_happens, upload},
    testing::TestStore,
};
use sqlx::AnyPool;

/// The ids of all records in the specified order of the listing, with the columns of the filters.
const ALL: &str = "
    select r.id, p.org_name, p.repo_name, b.name, r.language, case when r.superseded_at is null then 1 else 0 end
    from records r
    join repositories p on p.id = r.repository_id
    join branches b on b.id = r.branch_id
    order by p.org_name, p.repo_name, r.created_at desc, r.id desc";

type Row = (i64, String, String, String, String, i64);

const COUNTED: &str = "
    select count(*) from repositories p
    where p.record_count <> (select count(*) from records r where r.repository_id = p.id)
       or p.current_count <> (select count(*) from records r where r.repository_id = p.id and r.superseded_at is null)
       or p.last_upload_at < (select max(r.updated_at) from records r where r.repository_id = p.id)";

/// Places are 1, 2, 3 … in each repository, in the order of the first uploads.
const PLACES: &str = "
    select count(*) from records r
    where r.place <> (select count(*) from records o
                      where o.repository_id = r.repository_id
                        and (o.created_at < r.created_at or (o.created_at = r.created_at and o.id <= r.id)))";

/// Branches, repositories and orgs have records, and branches count all records that are or were confirmed.
const WITHOUT_RECORDS: &str = "
    select (select count(*) from branches b where not exists (select 1 from records r where r.branch_id = b.id))
         + (select count(*) from branches b
            where b.record_count <> (select count(*) from records r
                                     where r.branch_id = b.id
                                       and (r.unconfirmed_at is null or r.superseded_at < r.unconfirmed_at)))
         + (select count(*) from repositories p where p.record_count = 0)
         + (select count(*) from orgs o where o.record_count = 0)";

/// The current record is the last confirmed upload to its branch and language.
const NOT_THE_LAST: &str = "
    select count(*) from records r
    where r.superseded_at is null
      and exists (select 1 from records l
                  where l.branch_id = r.branch_id and l.language = r.language and l.updated_at > r.updated_at
                    and l.unconfirmed_at is null)";

const COUNTED_BY_ORG: &str = "
    select count(*) from orgs o
    where o.record_count <> (select coalesce(sum(p.record_count), 0) from repositories p where p.org_name = o.org_name)
       or o.current_count <> (select coalesce(sum(p.current_count), 0) from repositories p where p.org_name = o.org_name)";

const UNCOUNTED: &str = "
    select count(*) from repositories p
    where not exists (select 1 from orgs o where o.org_name = p.org_name) and p.record_count > 0";

/// Branches of old databases may count deleted records, but they count at least the records that are or were confirmed.
const COUNTED_BY_BRANCH: &str = "
    select count(*) from branches b
    where b.record_count < (select count(*) from records r
                             where r.branch_id = b.id
                               and (r.unconfirmed_at is null or r.superseded_at < r.unconfirmed_at))";

async fn none(pool: &AnyPool, query: &'static str) -> bool {
    let found: i64 = sqlx::query_scalar(query)
        .fetch_one(pool)
        .await
        .expect("a count");
    found == 0
}

async fn page(store: &Store, filter: &ListingFilter, offset: u64, size: u32) -> Page {
    store
        .everything()
        .list(filter, offset, size)
        .await
        .expect("a page")
}

async fn listed(store: &Store, filter: &ListingFilter, size: u32) -> Vec<i64> {
    let (mut ids, mut offset) = (Vec::new(), 0);
    loop {
        let page = page(store, filter, offset, size).await;
        ids.extend(page.records.iter().map(|record| record.id));
        if !page.has_next {
            break ids;
        }
        assert_eq!(page.records.len(), size as usize, "only the last is short");
        offset += u64::from(size);
    }
}

fn filters() -> Vec<ListingFilter> {
    let name = |name: &str| Some(name.to_owned());
    let filters = [
        ListingFilter::default(),
        ListingFilter {
            org_name: name("acme"),
            ..ListingFilter::default()
        },
        ListingFilter {
            org_name: name("acme"),
            repo_name: name("two"),
            ..ListingFilter::default()
        },
        ListingFilter {
            repo_name: name("three"),
            ..ListingFilter::default()
        },
        ListingFilter {
            org_name: name("ZOO/Sub"),
            ..ListingFilter::default()
        },
        ListingFilter {
            org_name: name("Acme"),
            repo_name: name("ONE"),
            branch_name: name("main"),
            ..ListingFilter::default()
        },
        ListingFilter {
            repo_name: name("oNe"),
            language: name("rust"),
            ..ListingFilter::default()
        },
        ListingFilter {
            keyword: name("E/o"),
            ..ListingFilter::default()
        },
        ListingFilter {
            org_name: name("acme"),
            keyword: name("E/o"),
            ..ListingFilter::default()
        },
        ListingFilter {
            org_name: name("acme"),
            repo_name: name("two"),
            keyword: name("e/t"),
            ..ListingFilter::default()
        },
        ListingFilter {
            repo_name: name("oNe"),
            keyword: name("E/o"),
            ..ListingFilter::default()
        },
        ListingFilter {
            branch_name: name("main"),
            ..ListingFilter::default()
        },
        ListingFilter {
            language: name("go"),
            keyword: name("acme"),
            ..ListingFilter::default()
        },
        ListingFilter {
            org_name: name("nobody"),
            ..ListingFilter::default()
        },
    ];
    let full = filters.clone().map(|filter| ListingFilter {
        full: true,
        ..filter
    });
    filters.into_iter().chain(full).collect()
}

fn is_in(filter: &ListingFilter, row: &Row) -> bool {
    let (_, org, repo, branch, language, is_current) = row;
    let is = |wanted: &Option<String>, name: &String| wanted.as_ref().is_none_or(|it| it == name);
    let keyword = filter.keyword.as_deref().unwrap_or_default().to_lowercase();
    let is_name = |wanted: &Option<String>, name: &String| {
        wanted
            .as_ref()
            .is_none_or(|it| it.eq_ignore_ascii_case(name))
    };
    (filter.full || *is_current == 1)
        && is_name(&filter.org_name, org)
        && is_name(&filter.repo_name, repo)
        && is(&filter.branch_name, branch)
        && is(&filter.language, language)
        && format!("{org}/{repo}").to_lowercase().contains(&keyword)
}

/// Asserts that all counts match the records.
pub(crate) async fn assert_counted(pool: &AnyPool, after: &str) {
    for query in [
        COUNTED,
        COUNTED_BY_ORG,
        COUNTED_BY_BRANCH,
        UNCOUNTED,
        PLACES,
    ] {
        assert!(none(pool, query).await, "after {after}: {query}");
    }
}

/// Asserts that all counts match the records, and that nothing is left of deleted records.
pub(crate) async fn assert_consistent(pool: &AnyPool, after: &str) {
    assert_counted(pool, after).await;
    for query in [WITHOUT_RECORDS, NOT_THE_LAST] {
        assert!(none(pool, query).await, "after {after}: {query}");
    }
}

#[tokio::test]
async fn every_page_equals_a_full_read_after_any_changes() {
    let store = TestStore::new().await;
    let mut draw = Draw(7);
    for round in 0..12 {
        for _ in 0..20 {
            something_happens(&store, &mut draw).await;
        }
        assert_consistent(&store.read_pool, &format!("round {round}")).await;
        let all: Vec<Row> = sqlx::query_as(ALL)
            .fetch_all(&store.read_pool)
            .await
            .expect("rows");
        for filter in filters() {
            let expected: Vec<i64> = all
                .iter()
                .filter(|row| is_in(&filter, row))
                .map(|row| row.0)
                .collect();
            for size in [1, 3, 1_000] {
                let listed = listed(&store, &filter, size).await;
                assert_eq!(listed, expected, "{filter:?} in pages of {size}");
            }
        }
    }
}

#[tokio::test]
async fn a_page_past_the_end_is_empty_however_far() {
    let store = TestStore::new().await;
    let mut draw = Draw(1);
    something_happens(&store, &mut draw).await;
    for filter in filters() {
        for offset in [1_000, u64::MAX / 2, u64::MAX] {
            assert_eq!(page(&store, &filter, offset, 1_000).await, Page::default());
        }
    }
}

#[tokio::test]
async fn a_page_past_the_end_is_detected_without_reading_rows() {
    let store = TestStore::new().await;
    let mut draw = Draw(3);
    for _ in 0..120 {
        let new = upload(&mut draw);
        store.writer().publish(&new).await.expect("published");
    }
    let name = |name: &str| Some(name.to_owned());
    for filter in [
        ListingFilter {
            full: true,
            branch_name: name("main"),
            language: name("rust"),
            ..ListingFilter::default()
        },
        ListingFilter {
            full: true,
            language: name("rust"),
            ..ListingFilter::default()
        },
        ListingFilter {
            commit_author: name("Kim"),
            ..ListingFilter::default()
        },
    ] {
        assert_eq!(page(&store, &filter, 1, 1).await.records.len(), 1);
        // The listing relies on the counts, even if they do not match the records.
        let mut counts = store.write_pool.begin().await.expect("a transaction");
        for statement in [
            "update branches set record_count = record_count - 1000",
            "update repositories set record_count = record_count - 1000, current_count = current_count - 1000",
        ] {
            let done = sqlx::query(statement).execute(&mut *counts).await;
            done.expect("fewer records");
        }
        counts.commit().await.expect("fewer records");
        assert_eq!(page(&store, &filter, 1, 1).await, Page::default());
        assert_eq!(page(&store, &filter, 0, 1).await.records.len(), 1);
        for statement in [
            "update branches set record_count = record_count + 1000",
            "update repositories set record_count = record_count + 1000, current_count = current_count + 1000",
        ] {
            let done = sqlx::query(statement).execute(&store.write_pool).await;
            done.expect("as many as before");
        }
    }
}
