//! Pull requests that a search finds by their number.

use super::*;
use crate::NewChange;

impl Seeded {
    async fn pull(&self, repository: &str, branch: &str, number: &str) {
        let mut record = new_record(repository, branch, "c1");
        record.stated.change = NewChange {
            pull_request: Some(number.parse().expect("a number")),
            ..NewChange::default()
        };
        let published = self.store.writer().publish(&record).await;
        published.expect("published");
    }
}

fn names(found: &Found) -> Vec<String> {
    let found = found.pull_requests.iter();
    let names = found.map(|found| format!("{} #{}", found.repository, found.number));
    names.collect()
}

#[tokio::test]
async fn a_number_finds_the_pull_requests_of_the_repository_first() {
    let seeded = Seeded::new().await;
    seeded.pull("acme/one", "a", "1421").await;
    seeded.pull("acme/one", "b", "1421").await;
    seeded.pull("acme/two", "a", "1421").await;
    seeded.pull("acme/two", "b", "14").await;
    let both = ["acme/two #1421", "acme/one #1421"];
    assert_eq!(names(&seeded.found("#1421", None).await), both);
    let own = ["acme/one #1421", "acme/two #1421"];
    assert_eq!(names(&seeded.found("1421", Some("ACME/one")).await), own);
    let named = seeded.found("two #1421", Some("acme/one")).await;
    assert_eq!(names(&named), ["acme/two #1421"]);
    for nothing in ["#142", "14 21", "x1421"] {
        let found = names(&seeded.found(nothing, None).await);
        assert!(found.is_empty(), "{nothing}: {found:?}");
    }
    let scope = Scope::Org("labs".parse().expect("an org"));
    let reader = seeded.store.reader(ReadScope::of([scope]));
    let found = reader.search("#1421", None).await.expect("an answer");
    assert_eq!(found.pull_requests, []);
}
