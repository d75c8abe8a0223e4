//! Tests what a search finds among uploads, and in which order.

mod files;
mod owners;
mod pull_requests;

use super::*;
use crate::{
    NewRecord, ReadScope, Scope,
    testing::{TestStore, is_postgres, new_record},
};
use sqlx::AssertSqlSafe;

struct Seeded {
    store: TestStore,
}

impl Seeded {
    async fn new() -> Self {
        let store = TestStore::new().await;
        Self { store }
    }

    async fn upload(&self, repository: &str, branch: &str, commit: &str, author: &str) -> i64 {
        let record = NewRecord {
            author: author.parse().expect("an author"),
            ..new_record(repository, branch, commit)
        };
        let published = self.store.writer().publish(&record).await;
        published.expect("published").record.id
    }

    /// Records one upload of each author, each with a different commit.
    async fn uploads_of(&self, authors: &[&str]) {
        for (number, author) in authors.iter().enumerate() {
            let commit = format!("c{number}");
            self.upload("acme/shop", "main", &commit, author).await;
        }
    }

    async fn branch(&self, repository: &str, branch: &str) {
        self.upload(repository, branch, "c1", "Kim").await;
    }

    async fn run(&self, sql: &str) {
        let done = sqlx::query(AssertSqlSafe(sql.to_owned()))
            .execute(&self.store.write_pool)
            .await;
        done.expect("a statement");
    }

    async fn found(&self, text: &str, first: Option<&str>) -> Found {
        let first = first.map(|name| name.parse().expect("a repository"));
        let found = self.store.everything().search(text, first.as_ref()).await;
        found.expect("an answer")
    }

    /// The found branches, as `org/repo@branch`.
    async fn branches(&self, text: &str, first: Option<&str>) -> Vec<String> {
        let found = self.found(text, first).await.branches;
        let name = |found: FoundBranch| format!("{}@{}", found.repository, found.branch);
        found.into_iter().map(name).collect()
    }

    /// The found commits, as `org/repo commit id`.
    async fn commits(&self, text: &str, first: Option<&str>) -> Vec<String> {
        let found = self.found(text, first).await.commits;
        let name = |found: FoundCommit| {
            format!("{} {} {}", found.repository, found.commit, found.record_id)
        };
        found.into_iter().map(name).collect()
    }

    async fn authors(&self, text: &str) -> Vec<String> {
        let found = self.found(text, None).await.authors;
        found.into_iter().map(String::from).collect()
    }
}

#[tokio::test]
async fn words_are_found_in_any_order_and_case() {
    let seeded = Seeded::new().await;
    seeded.branch("acme/payments", "feature/Checkout").await;
    seeded.branch("acme/payments", "main").await;
    seeded.branch("acme/shop", "feature/cart").await;
    seeded
        .upload("acme/shop", "main", "c2", "Ada Lovelace")
        .await;
    for text in [
        "checkout",
        "payments feature",
        "CHECK  pay acme",
        "acme/payments feature/",
    ] {
        let found = seeded.branches(text, None).await;
        assert_eq!(found, ["acme/payments@feature/Checkout"], "{text}");
    }
    for text in ["lovelace ADA", "love", "ada lovelace"] {
        assert_eq!(seeded.authors(text).await, ["Ada Lovelace"], "{text}");
    }
}

#[tokio::test]
async fn a_branch_is_found_only_if_a_word_is_in_its_own_name() {
    let seeded = Seeded::new().await;
    seeded.branch("acme/payments", "main").await;
    for text in ["payments", "acme payments", "payments develop"] {
        assert!(seeded.branches(text, None).await.is_empty(), "{text}");
    }
    assert_eq!(seeded.branches("payments main", None).await.len(), 1);
}

#[tokio::test]
async fn a_repository_with_an_at_sign_finds_its_branches_the_main_branch_first() {
    let seeded = Seeded::new().await;
    for branch in ["main", "topic/a", "topic/b"] {
        seeded.branch("acme/shop", branch).await;
    }
    let all = ["acme/shop@main", "acme/shop@topic/b", "acme/shop@topic/a"];
    assert_eq!(seeded.branches("acme/shop@", Some("acme/shop")).await, all);
    assert_eq!(seeded.branches("SHOP@topic/A", None).await, all[2..]);
    assert_eq!(seeded.branches("acme/shop@mian", None).await, all[..1]);
}

#[tokio::test]
async fn typing_errors_are_forgiven_if_nothing_matches_as_typed() {
    let seeded = Seeded::new().await;
    seeded.branch("acme/payments", "feature/checkout").await;
    seeded.branch("acme/shop", "feature/cart").await;
    seeded.upload("acme/shop", "x", "c2", "Ada Lovelace").await;
    for text in ["chekcout", "payemnts checkout", "acme paymants chekout"] {
        let found = seeded.branches(text, None).await;
        assert_eq!(found, ["acme/payments@feature/checkout"], "{text}");
    }
    for text in ["lovelcae", "ada lovelac3"] {
        assert_eq!(seeded.authors(text).await, ["Ada Lovelace"], "{text}");
    }
    seeded.branch("acme/shop", "feature/chekcout").await;
    let found = seeded.branches("chekcout", None).await;
    assert_eq!(found, ["acme/shop@feature/chekcout"]);
}

#[tokio::test]
async fn characters_of_patterns_are_literal() {
    let seeded = Seeded::new().await;
    for branch in ["plain", "100%", "snake_case", "now!", "it's"] {
        seeded.branch("acme/payments", branch).await;
    }
    for (text, branch) in [
        ("%", "100%"),
        ("0%", "100%"),
        ("_", "snake_case"),
        ("e_c", "snake_case"),
        ("!", "now!"),
        ("'", "it's"),
    ] {
        let found = seeded.branches(text, None).await;
        assert_eq!(found, [format!("acme/payments@{branch}")], "{text}");
    }
    for text in ["!%", "\0", "' or 1 = 1 --", "\\"] {
        assert_eq!(seeded.found(text, None).await, Found::default(), "{text}");
    }
}

#[tokio::test]
async fn names_in_any_script_are_found() {
    let seeded = Seeded::new().await;
    seeded.upload("acme/shop", "Übung/eins", "c1", "李雷").await;
    for text in ["Übung", "übung", "ÜBUNG EINS"] {
        let found = seeded.branches(text, None).await;
        assert_eq!(found, ["acme/shop@Übung/eins"], "{text}");
    }
    assert_eq!(seeded.authors("李").await, ["李雷"]);
}

#[tokio::test]
async fn commits_are_found_by_four_characters_or_more_in_any_case() {
    let seeded = Seeded::new().await;
    let lower = seeded.upload("acme/shop", "main", "9be01d2f", "Kim").await;
    let upper = seeded.upload("acme/shop", "dev", "9BE0FFFF", "Kim").await;
    seeded.upload("acme/shop", "x", "9bdfffff", "Kim").await;
    seeded.upload("acme/shop", "y", "9be1", "Kim").await;
    let (lower, upper) = (
        format!("acme/shop 9be01d2f {lower}"),
        format!("acme/shop 9BE0FFFF {upper}"),
    );
    for text in ["9be0", "9BE0", " 9be0 "] {
        let found = seeded.commits(text, None).await;
        assert_eq!(found, [upper.clone(), lower.clone()], "{text}");
    }
    for text in ["9be01d2f", "9BE01D"] {
        let found = seeded.commits(text, None).await;
        assert_eq!(found, [lower.as_str()], "{text}");
    }
    for text in ["9be", "9be01d2f0", "9be0 main", "9be0~"] {
        assert!(seeded.commits(text, None).await.is_empty(), "{text}");
    }
}

#[tokio::test]
async fn a_commit_is_found_once_in_each_repository_with_its_newest_record() {
    let seeded = Seeded::new().await;
    seeded.upload("acme/shop", "main", "abcd1", "Kim").await;
    let shop = seeded.upload("acme/shop", "dev", "abcd1", "Kim").await;
    let core = seeded.upload("acme/core", "dev", "abcd1", "Kim").await;
    let expected = [
        format!("acme/core abcd1 {core}"),
        format!("acme/shop abcd1 {shop}"),
    ];
    assert_eq!(seeded.commits("abcd", None).await, expected);
}

#[tokio::test]
async fn the_given_repository_comes_first() {
    let seeded = Seeded::new().await;
    let old = seeded.upload("acme/old", "topic/a", "abcd1", "Kim").await;
    let new = seeded.upload("acme/new", "topic/b", "abcd2", "Kim").await;
    let both = ["acme/new@topic/b", "acme/old@topic/a"];
    for text in ["topic", "topci"] {
        for first in [None, Some("acme/new"), Some("acme/nowhere")] {
            assert_eq!(seeded.branches(text, first).await, both, "{first:?}");
        }
        let found = seeded.branches(text, Some("ACME/Old")).await;
        assert_eq!(found, [both[1], both[0]], "{text}");
    }
    let both = [
        format!("acme/old abcd1 {old}"),
        format!("acme/new abcd2 {new}"),
    ];
    assert_eq!(seeded.commits("abcd", Some("acme/old")).await, both);
}

#[tokio::test]
async fn at_most_ten_of_each_kind_are_found() {
    let seeded = Seeded::new().await;
    for number in 10..22 {
        let (repository, branch) = (format!("acme/r{}", number % 2), format!("abcd-{number}"));
        let author = format!("Abcd {number}");
        seeded
            .upload(&repository, &branch, &format!("abcd{number}"), &author)
            .await;
    }
    let found = seeded.found("abcd", Some("acme/r0")).await;
    let branches: Vec<_> = found
        .branches
        .iter()
        .map(|one| one.branch.as_str())
        .collect();
    let of_first = [
        "abcd-20", "abcd-18", "abcd-16", "abcd-14", "abcd-12", "abcd-10",
    ];
    let of_other = ["abcd-21", "abcd-19", "abcd-17", "abcd-15"];
    let in_order = [&of_first[..], &of_other[..]].concat();
    // The main branch of a repository comes before its other branches.
    let main_first = [&of_first[5..], &of_first[..5], &of_other[..]].concat();
    assert_eq!(branches, main_first);
    let commits: Vec<_> = found
        .commits
        .iter()
        .map(|one| one.branch.as_str())
        .collect();
    assert_eq!(commits, in_order);
    assert_eq!(found.authors.len(), 10);
    assert_eq!(found.authors[0].as_str(), "Abcd 10");
    assert_eq!(seeded.branches("abdc", None).await.len(), 10);
}

#[tokio::test]
async fn retired_branches_are_found_and_branches_without_records_are_not() {
    let seeded = Seeded::new().await;
    seeded.branch("acme/shop", "topic/a").await;
    seeded.run("update records set superseded_at = 1").await;
    seeded
        .run("insert into branches (id, repository_id, name) select 99, p.id, 'topic/b' from repositories p")
        .await;
    for text in ["topic", "topci"] {
        let found = seeded.branches(text, None).await;
        assert_eq!(found, ["acme/shop@topic/a"], "{text}");
    }
}

#[tokio::test]
async fn authors_are_ordered_by_match_then_length_then_name() {
    let seeded = Seeded::new().await;
    seeded
        .uploads_of(&["Kim Long", "Kimberly", "Bo Kim", "Al Kim", "Akim"])
        .await;
    let expected = ["Al Kim", "Bo Kim", "Kim Long", "Kimberly", "Akim"];
    assert_eq!(seeded.authors("kim").await, expected);
}

#[tokio::test]
async fn each_author_is_read_once_up_to_the_limit() {
    let seeded = Seeded::new().await;
    assert!(authors(&seeded, 9).await.is_empty());
    seeded.uploads_of(&["b", "a", "b", "c", "B", "a"]).await;
    assert_eq!(authors(&seeded, 9).await, ["B", "a", "b", "c"]);
    assert_eq!(authors(&seeded, 2).await, ["B", "a"]);
}

#[tokio::test]
async fn many_authors_of_others_hide_none_of_a_reader_of_one_org() {
    let seeded = Seeded::new().await;
    for number in 0..501 {
        let author = format!("Lee {number}");
        seeded
            .upload("labs/one", "main", &author[4..], &author)
            .await;
    }
    seeded.upload("acme/shop", "main", "c1", "Lee Long").await;
    let acme = Scope::Org("acme".parse().expect("an org"));
    let reader = seeded.store.reader(ReadScope::of([acme]));
    let found = reader.search("lee", None).await.expect("an answer");
    assert_eq!(found.authors, ["Lee Long".parse().expect("an author")]);
}

async fn authors(seeded: &Seeded, most: i64) -> Vec<String> {
    let names = sqlx::query_scalar(AUTHORS).bind(most);
    let names = names.fetch_all(&seeded.store.read_pool).await;
    names.expect("names")
}

/// The names of all repositories, and whether the list is complete.
async fn named(seeded: &Seeded) -> (Vec<String>, bool) {
    let named = seeded.store.everything().repository_names().await;
    let (names, is_whole) = named.expect("names");
    (names.iter().map(ToString::to_string).collect(), is_whole)
}

#[tokio::test]
async fn the_newest_twenty_thousand_repositories_are_named_in_order() {
    let seeded = Seeded::new().await;
    for repository in ["zoo/a", "acme/b", "acme/sub/c", "acme/a"] {
        seeded.branch(repository, "main").await;
    }
    let (names, is_whole) = named(&seeded).await;
    assert_eq!(names, ["acme/a", "acme/b", "acme/sub/c", "zoo/a"]);
    assert!(is_whole);
    seeded
        .run(
            "insert into repositories (org_name, repo_name, created_at)
             with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 19997)
             select 'many', 'r' || n, 0 from numbers",
        )
        .await;
    let (names, is_whole) = named(&seeded).await;
    assert_eq!((names.len(), is_whole), (20_000, false));
    assert!(!names.contains(&"zoo/a".to_owned()) && names.contains(&"acme/b".to_owned()));
}

#[tokio::test]
async fn postgresql_has_indexes_for_commits_authors_and_owners() {
    if !is_postgres() {
        return;
    }
    let seeded = Seeded::new().await;
    let connection = seeded.store.read_pool.acquire().await;
    let mut connection = connection.expect("a connection");
    // In an empty table, a scan would be cheaper.
    for setting in ["set enable_seqscan = off", "set enable_bitmapscan = off"] {
        let done = sqlx::query(setting).execute(&mut *connection).await;
        done.expect("a setting");
    }
    let explain = |query: &str| AssertSqlSafe(format!("explain analyze {query}"));
    let query = sqlx::query_scalar::<_, String>(explain(COMMITS.text()));
    let query = query.bind("9be0").bind("9be0~").bind(200_i64);
    let commits = query.fetch_all(&mut *connection).await;
    let commits = commits.expect("a plan").join("\n");
    let search = "Index Only Scan using records_by_commit on records c";
    assert!(commits.contains(search), "{commits}");
    assert!(!commits.contains("Sort"), "{commits}");
    let query = sqlx::query_scalar::<_, String>(explain(AUTHORS)).bind(20_000_i64);
    let authors = query.fetch_all(&mut *connection).await;
    let authors = authors.expect("a plan").join("\n");
    // Two indexes start with the author.
    let indexes = ["records_by_author", "records_of_author_by_place"];
    let searches = indexes.map(|index| {
        let search = format!("Index Only Scan using {index} on records r");
        authors.matches(&search).count()
    });
    assert_eq!(searches.iter().sum::<usize>(), 2, "{authors}");
    let query = sqlx::query_scalar::<_, String>(explain(OWNERS)).bind(20_000_i64);
    let owners = query.fetch_all(&mut *connection).await;
    let owners = owners.expect("a plan").join("\n");
    let search = "Index Only Scan using owner_lines_pkey on owner_lines r";
    assert_eq!(owners.matches(search).count(), 2, "{owners}");
}
