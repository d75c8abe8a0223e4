//! Files of main branches that a search finds.

use super::*;
use crate::{FileCounts, FilesEncoder, RecordDetails, StoredFiles};

impl Seeded {
    async fn files(&self, repository: &str, branch: &str, paths: &[&str]) -> i64 {
        let mut encoder = FilesEncoder::new();
        for path in paths {
            encoder.add(path, FileCounts::default()).expect("few files");
        }
        let (count, encoded) = encoder.finish().expect("few files");
        let files = StoredFiles {
            counter: "line".to_owned(),
            root: String::new(),
            count,
            encoded: Some(encoded),
        };
        let record = NewRecord {
            details: RecordDetails {
                files,
                ..RecordDetails::default()
            },
            ..new_record(repository, branch, "c1")
        };
        let published = self.store.writer().publish(&record).await;
        published.expect("published").record.id
    }
}

fn paths(found: &Found) -> Vec<String> {
    let found = found.files.iter();
    let paths = found.map(|found| format!("{} {}", found.repository, found.path));
    paths.collect()
}

#[tokio::test]
async fn words_find_files_of_main_branches_those_of_the_repository_first() {
    let seeded = Seeded::new().await;
    let own = ["src/billing/Tax.rs", "src/billing/tax/rates.rs", "src/a.rs"];
    let id = seeded.files("acme/one", "main", &own).await;
    let other = ["lib/billing/tax.py"];
    seeded.files("acme/two", "main", &other).await;
    seeded
        .files("acme/one", "fix", &["src/billing/tax2.rs"])
        .await;
    let found = seeded.found("TAX billing", Some("acme/one")).await;
    let expected = [
        "acme/one src/billing/Tax.rs",
        "acme/one src/billing/tax/rates.rs",
        "acme/two lib/billing/tax.py",
    ];
    assert_eq!(paths(&found), expected);
    assert_eq!(found.files[0].record_id, id);
    let found = seeded.found("billing/tax", Some("acme/two")).await;
    assert_eq!(paths(&found)[0], "acme/two lib/billing/tax.py");
    for nothing in ["rs", "src/none.rs"] {
        assert!(
            seeded.found(nothing, None).await.files.is_empty(),
            "{nothing}"
        );
    }
    let scope = Scope::Org("labs".parse().expect("an org"));
    let reader = seeded.store.reader(ReadScope::of([scope]));
    let found = reader.search("billing", None).await.expect("an answer");
    assert_eq!(found.files, []);
}

#[tokio::test]
async fn at_most_ten_files_are_found_the_shortest_first() {
    let seeded = Seeded::new().await;
    let names: Vec<_> = (0..200).map(|n| format!("src/tax/{n}.rs")).collect();
    let mut names: Vec<_> = names.iter().map(String::as_str).collect();
    names.sort_unstable();
    seeded.files("acme/one", "main", &names).await;
    let found = paths(&seeded.found("tax", None).await);
    assert_eq!(found.len(), 10);
    assert!(
        found
            .iter()
            .all(|path| path.len() == "acme/one src/tax/1.rs".len())
    );
}
