//! Texts are stored once, with the lines of the records that name them, and no longer.

use super::NewSource;
use crate::{
    Deletion, HistoryRecord, HowNamesChange, NameChange, Named, NewRecord, Scope, Store,
    actor::Actor, lines::tests as of_lines, testing::TestStore,
};

fn upload(branch: &str, commit: &str, files: &[(&str, &str)]) -> NewRecord {
    let sources = files
        .iter()
        .map(|(path, text)| NewSource::of((*path).to_owned(), text));
    NewRecord {
        sources: sources.collect::<Result<_, _>>().expect("packed"),
        ..of_lines::upload(branch, commit)
    }
}

async fn publish(store: &Store, new: &NewRecord) -> i64 {
    let published = store.writer().publish(new).await;
    published.expect("published").record.id
}

async fn text(store: &Store, id: i64, path: &str) -> Option<String> {
    let text = store.everything().source_text(id, path).await;
    text.expect("an answer").map(|text| text.0.to_string())
}

async fn number(store: &Store, query: &'static str) -> i64 {
    let number = sqlx::query_scalar(query).fetch_one(&store.read_pool);
    number.await.expect("a number")
}

async fn texts(store: &Store) -> i64 {
    number(store, "select count(*) from source_texts").await
}

/// What the texts and the lists take.
async fn stored_bytes(store: &Store) -> (i64, i64) {
    let texts = "select cast(coalesce(sum(length(text)), 0) as bigint) from source_texts";
    let lists = "select cast(coalesce(sum(length(paths) + length(texts)), 0) as bigint) from record_sources";
    (number(store, texts).await, number(store, lists).await)
}

async fn sweep(store: &Store) -> u64 {
    let removed = store.writer().remove_unnamed_sources().await;
    removed.expect("a sweep")
}

async fn delete(store: &Store, id: i64) {
    let (what, by) = (Deletion::Record(id), Actor::service());
    let deleted = store.operator().delete(&what, &[Scope::All], &by).await;
    assert!(deleted.expect("an answer").is_some());
}

/// Texts that do not compress well.
fn many(commit: u32) -> Vec<(String, String)> {
    let file = |number: u32| {
        let version = if number < 2 { commit } else { 0 };
        let hash =
            |line: u32| number.wrapping_mul(2_654_435_761) ^ line.wrapping_mul(40_503) ^ version;
        let lines =
            (0..20).map(|line| format!("let x{line} = {:x};\n", hash(line).wrapping_pow(5)));
        (
            format!("src/module_{}/file_{number}.rs", number / 20),
            lines.collect(),
        )
    };
    (0..1_500).map(file).collect()
}

#[tokio::test]
async fn a_second_commit_adds_the_bytes_of_its_changed_files_and_a_list() {
    let store = TestStore::new().await;
    for commit in [1, 2] {
        let files = many(commit);
        let files = files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()));
        let files: Vec<_> = files.collect();
        let before = stored_bytes(&store).await;
        let id = publish(&store, &upload("main", &format!("c{commit}"), &files)).await;
        let after = stored_bytes(&store).await;
        for (path, expected) in files.iter().step_by(251) {
            assert_eq!(text(&store, id, path).await.as_deref(), Some(*expected));
        }
        if commit == 2 {
            let two = upload("main", "c2", &files[..2]).sources.into_iter();
            let two: usize = two.map(|source| source.text.expect("a text").len()).sum();
            assert_eq!(after.0 - before.0, i64::try_from(two).expect("few bytes"));
            assert!(after.1 - before.1 < 8_000, "{} bytes", after.1 - before.1);
            let records = "select count(*) from record_sources";
            assert_eq!(number(&store, records).await, 2);
        }
    }
}

#[tokio::test]
async fn text_is_returned_byte_for_byte() {
    let store = TestStore::new().await;
    let long = "x".repeat(NewSource::MAX_BYTES);
    let files = [
        ("empty", ""),
        ("bom", "\u{feff}a\r\n\u{202e}b\u{85}\t"),
        ("ü/🦀 \"\\u0000\"", "</script>\u{1b}[31m🦀\n\n"),
        ("long", &long),
    ];
    let id = publish(&store, &upload("main", "c1", &files)).await;
    for (path, expected) in files {
        assert_eq!(
            text(&store, id, path).await.as_deref(),
            Some(expected),
            "{path}"
        );
    }
    assert_eq!(text(&store, id, "other").await, None);
    assert_eq!(text(&store, id + 1, "long").await, None);
}

#[tokio::test]
async fn a_retry_replaces_the_files_of_its_part_and_the_sweep_removes_them() {
    let store = TestStore::new().await;
    let id = publish(&store, &upload("main", "c1", &[("a", "1"), ("b", "2")])).await;
    publish(&store, &upload("main", "c1", &[("b", "2"), ("c", "3")])).await;
    assert_eq!(text(&store, id, "a").await, None);
    assert_eq!(text(&store, id, "c").await.as_deref(), Some("3"));
    assert_eq!(sweep(&store).await, 1);
    assert_eq!(text(&store, id, "b").await.as_deref(), Some("2"));
    // The same files again change nothing, so there is nothing to sweep.
    publish(&store, &upload("main", "c1", &[("b", "2"), ("c", "3")])).await;
    assert_eq!(
        number(&store, "select count(*) from source_sweeps").await,
        0
    );
    publish(&store, &upload("main", "c1", &[])).await;
    assert_eq!(text(&store, id, "c").await, None);
    assert_eq!((sweep(&store).await, texts(&store).await), (2, 0));
}

#[tokio::test]
async fn a_text_stays_while_any_record_names_it() {
    let store = TestStore::new().await;
    let one = publish(
        &store,
        &upload("main", "c1", &[("a", "same"), ("b", "old")]),
    )
    .await;
    let two = publish(
        &store,
        &upload("main", "c2", &[("moved", "same"), ("b", "new")]),
    )
    .await;
    assert_eq!(texts(&store).await, 3);
    delete(&store, one).await;
    assert_eq!(sweep(&store).await, 1);
    assert_eq!(text(&store, two, "moved").await.as_deref(), Some("same"));
    assert_eq!(text(&store, two, "b").await.as_deref(), Some("new"));
    delete(&store, two).await;
    assert_eq!(texts(&store).await, 0, "the repository is gone");
}

#[tokio::test]
async fn a_text_expires_with_the_lines_of_its_record() {
    let store = TestStore::new().await;
    let main = publish(&store, &upload("main", "c1", &[("a", "kept")])).await;
    let other = publish(&store, &upload("other", "c2", &[("a", "expired")])).await;
    assert_eq!(sweep(&store).await, 0);
    let reviewed = store.writer().review_lines(0).await.expect("reviewed");
    assert_eq!((reviewed.kept, reviewed.deleted), (1, 1));
    assert_eq!(text(&store, other, "a").await, None);
    assert_eq!((sweep(&store).await, texts(&store).await), (1, 1));
    assert_eq!(text(&store, main, "a").await.as_deref(), Some("kept"));
}

#[tokio::test]
async fn a_record_without_lines_has_no_text() {
    let store = TestStore::new().await;
    let new = NewRecord {
        line_states: None,
        ..upload("main", "c1", &[("a", "1")])
    };
    let id = publish(&store, &new).await;
    assert_eq!(
        (text(&store, id, "a").await, texts(&store).await),
        (None, 0)
    );
}

#[tokio::test]
async fn merged_repositories_keep_their_texts() {
    let store = TestStore::new().await;
    let mut new = upload("main", "c1", &[("a", "same"), ("b", "one")]);
    new.stated.repository = "acme/old".parse().expect("a repository");
    let old = publish(&store, &new).await;
    let kept = publish(
        &store,
        &upload("main", "c2", &[("a", "same"), ("b", "two")]),
    )
    .await;
    let names = |name: &str| Named::Repository(name.parse().expect("a repository"));
    let change = NameChange {
        from: names("acme/old"),
        to: names("acme/payments"),
        how: HowNamesChange::Merge,
    };
    let by = Actor::service();
    let changed = store.operator().change_names(&change, false, &by).await;
    changed.expect("merged");
    let latest = publish(
        &store,
        &upload("main", "c3", &[("a", "same"), ("b", "one")]),
    )
    .await;
    delete(&store, kept).await;
    sweep(&store).await;
    for id in [old, latest] {
        assert_eq!(text(&store, id, "a").await.as_deref(), Some("same"));
        assert_eq!(text(&store, id, "b").await.as_deref(), Some("one"));
    }
    assert!(texts(&store).await <= 3);
}

#[tokio::test]
async fn an_export_has_each_text_once_and_an_import_restores_all() {
    let (one, other) = (TestStore::new().await, TestStore::new().await);
    publish(&one, &upload("main", "c1", &[("a", "same"), ("b", "old")])).await;
    publish(
        &one,
        &upload("main", "c2", &[("a", "same"), ("b", "new"), ("c", "new")]),
    )
    .await;
    let (mut reading, mut records) = (one.operator().read_history(None, None, true), Vec::new());
    loop {
        match reading.next().await.expect("records") {
            some if some.is_empty() => break,
            some => records.extend(some),
        }
    }
    let texts_of = |record: &HistoryRecord| {
        let texts = record
            .sources
            .iter()
            .filter_map(|source| source.text.as_ref());
        texts.count()
    };
    assert_eq!(records.iter().map(texts_of).collect::<Vec<_>>(), [2, 1]);
    let repository = records[0].repository.clone();
    for _ in 0..2 {
        let imported = other.operator().import(&repository, &records).await;
        imported.expect("an import");
    }
    assert_eq!(texts(&other).await, 3);
    for (id, path, expected) in [(1, "b", "old"), (2, "a", "same"), (2, "c", "new")] {
        assert_eq!(text(&other, id, path).await.as_deref(), Some(expected));
    }
}
