//! The page of a pull request, and the list of all.

use crate::{
    NewChange, ReadScope,
    testing::{TestStore, new_record},
};
use domain::{PullRequest, PullRequestDetail, PullRequestList, PullRequestRow, Repository};

struct Pulls(TestStore);

fn number(text: &str) -> PullRequest {
    text.parse().expect("a number")
}

impl Pulls {
    async fn new() -> Self {
        Self(TestStore::new().await)
    }

    /// Uploads a commit of a branch, perhaps for a pull request.
    async fn upload(
        &self,
        repository: &str,
        place: &str,
        language: &str,
        pull: Option<&str>,
    ) -> i64 {
        let (branch, commit) = place.split_once(' ').expect("a branch and a commit");
        let mut new = new_record(repository, branch, commit);
        new.stated.language = language.parse().expect("a language");
        new.stated.change = NewChange {
            pull_request: pull.map(number),
            ..NewChange::default()
        };
        let published = self.0.writer().publish(&new).await;
        published.expect("published").record.id
    }

    async fn one(&self, pull: &str, page: u32) -> PullRequestDetail {
        let repository: Repository = "Acme/One".parse().expect("a repository");
        let reader = self.0.everything();
        let found = reader.pull_request(&repository, &number(pull), page).await;
        found.expect("an answer").expect("a repository")
    }

    async fn list(&self, before: Option<i64>) -> PullRequestList {
        let repository: Repository = "acme/one".parse().expect("a repository");
        let reader = self.0.everything();
        let found = reader.pull_request_list(&repository, before);
        found.await.expect("an answer").expect("a repository")
    }
}

/// The rows as `number commit language`.
fn texts(rows: &[PullRequestRow]) -> Vec<String> {
    let text = |row: &PullRequestRow| format!("{} {} {}", row.number, row.commit, row.language);
    rows.iter().map(text).collect()
}

#[tokio::test]
async fn a_pull_request_shows_its_newest_commit_in_each_language_and_all_its_uploads() {
    let pulls = Pulls::new().await;
    let main = pulls.upload("acme/one", "main c0", "rust", None).await;
    pulls.upload("acme/one", "fix c1", "rust", Some("7")).await;
    pulls.upload("acme/two", "fix x1", "rust", Some("7")).await;
    pulls
        .upload("acme/one", "other c9", "rust", Some("8"))
        .await;
    let newest = pulls.upload("acme/one", "fix c2", "rust", Some("7")).await;
    let go = pulls.upload("acme/one", "fix c2", "go", Some("7")).await;
    // A late job of an older commit does not make that commit the newest.
    pulls.upload("acme/one", "fix c1", "go", Some("7")).await;
    pulls.upload("acme/one", "fix c1", "rust", Some("7")).await;
    let found = pulls.one("7", 1).await;
    assert_eq!(found.repository.to_string(), "acme/one");
    let records: Vec<_> = found
        .records
        .iter()
        .map(|detail| detail.record.id)
        .collect();
    assert_eq!(records, [go, newest]);
    assert_eq!(
        texts(&found.uploads),
        ["7 c1 rust", "7 c1 go", "7 c2 go", "7 c2 rust"]
    );
    assert_eq!((found.others.len(), found.has_older), (0, false));
    let named = |id| pulls.0.writer().pull_request_of(id);
    let of_newest = named(newest).await.expect("an answer");
    assert_eq!(of_newest, Some((found.repository.clone(), number("7"))));
    assert_eq!(named(main).await.expect("an answer"), None);
    let none = pulls.one("9", 1).await;
    assert_eq!((none.records.len(), none.uploads.len()), (0, 0));
    let scope = ReadScope::of([crate::Scope::Org("labs".parse().expect("an org"))]);
    let reader = pulls.0.reader(scope);
    let hidden = reader
        .pull_request(&found.repository, &number("7"), 1)
        .await;
    assert_eq!(hidden.expect("an answer"), None);
    let hidden = reader.pull_request_list(&found.repository, None).await;
    assert_eq!(hidden.expect("an answer"), None);
}

#[tokio::test]
async fn more_languages_and_uploads_than_a_page_has_are_counted() {
    let pulls = Pulls::new().await;
    for commit in 0..6 {
        for language in ["a", "b", "c", "d", "e"] {
            let place = format!("fix c{commit}");
            pulls.upload("acme/one", &place, language, Some("7")).await;
        }
    }
    let first = pulls.one("7", 1).await;
    let languages = first.records.iter();
    let languages: Vec<_> = languages
        .map(|detail| detail.record.language.as_str())
        .collect();
    assert_eq!(languages, ["a", "b", "c", "d"]);
    assert_eq!(texts(&first.others), ["7 c5 e"]);
    assert_eq!((first.uploads.len(), first.has_older), (25, true));
    let second = pulls.one("7", 2).await;
    assert_eq!((second.uploads.len(), second.has_older), (5, false));
    assert_eq!(pulls.one("7", u32::MAX).await.uploads.len(), 0);
}

#[tokio::test]
async fn each_pull_request_is_listed_once_even_if_others_used_its_branch() {
    let pulls = Pulls::new().await;
    for (commit, pull) in [("c1", "1"), ("c2", "1"), ("c3", "2"), ("c4", "1")] {
        let place = format!("fix {commit}");
        pulls.upload("acme/one", &place, "rust", Some(pull)).await;
    }
    pulls.upload("acme/one", "main c5", "rust", None).await;
    pulls.upload("acme/one", "old c6", "rust", Some("3")).await;
    let list = pulls.list(None).await;
    let expected = ["3 c6 rust", "1 c4 rust", "2 c3 rust"];
    assert_eq!(texts(&list.rows), expected);
    assert_eq!(list.before, None);
    let older = pulls.list(Some(4)).await;
    assert_eq!(texts(&older.rows), ["2 c3 rust"]);
    assert_eq!(pulls.list(Some(-1)).await.rows, []);
}

#[tokio::test]
async fn the_list_continues_after_fifty_and_through_records_without_pull_requests() {
    let pulls = Pulls::new().await;
    pulls
        .upload("acme/one", "first c0", "rust", Some("1000"))
        .await;
    for n in 0..51 {
        let (place, pull) = (format!("b{n} c{n}"), n.to_string());
        pulls.upload("acme/one", &place, "rust", Some(&pull)).await;
    }
    let list = pulls.list(None).await;
    assert_eq!((list.rows.len(), list.before), (50, Some(3)));
    let rest = pulls.list(list.before).await;
    assert_eq!(texts(&rest.rows), ["0 c0 rust", "1000 c0 rust"]);
    assert_eq!(rest.before, None);
}
